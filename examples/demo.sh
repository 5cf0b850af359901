#!/bin/sh
# Transforms a photograph and a recording, draws their spectra, and transforms back.
# usage: WEFT=build/weft examples/demo.sh [OUTPUT_DIR]      the default is build/demo
#
# The photograph is a portrait of Grace Hopper in Debian's python-matplotlib-data (by its own words
# commons.wikimedia.org/wiki/File:Grace_Hopper.jpg), the recording a voice in Debian's
# sound-theme-freedesktop. `tools/setup demo` installs both, and netpbm to convert the photograph.
# PHOTOGRAPH (.jpg or .png) and RECORDING name other files.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
weft=${WEFT:-$root/build/weft}
folder=${1:-$root/build/demo}
photograph=${PHOTOGRAPH:-/usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg}
recording=${RECORDING:-/usr/share/sounds/freedesktop/stereo/audio-channel-front-center.oga}

fail() {
    echo "demo: $*" >&2
    exit 1
}

[ -x "$weft" ] || fail "$weft is missing; \`make\` builds it"
for file in "$photograph" "$recording"; do
    [ -r "$file" ] || fail "$file is missing; \`tools/setup demo\` installs it"
done
mkdir -p "$folder"

# weft reads PNG.
case $photograph in
*.png) picture=$photograph ;;
*)
    command -v jpegtopnm >/dev/null && command -v pnmtopng >/dev/null ||
        fail "jpegtopnm and pnmtopng are missing; \`tools/setup demo\` installs them with netpbm"
    picture=$folder/$(basename "$photograph" .jpg).png
    jpegtopnm -quiet "$photograph" >"$folder/photograph.pnm" ||
        fail "$photograph could not be converted to PNG"
    pnmtopng -quiet "$folder/photograph.pnm" >"$picture" ||
        fail "$photograph could not be converted to PNG"
    rm "$folder/photograph.pnm"
    ;;
esac

echo "A photograph, its spectrum, and back:"
"$weft" transform "$picture" "$folder/photograph.npy" --picture "$folder/photograph_spectrum.png" \
    --round-trip
echo
echo "A recording, its spectrogram, and back:"
"$weft" transform "$recording" "$folder/recording.npy" --picture "$folder/recording_spectrum.png" \
    --round-trip
