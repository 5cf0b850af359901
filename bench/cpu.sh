#!/bin/sh
# The CPU's speed beside that of other libraries. Writes the tables between the marks in
# docs/performance.md, the means and a picture between those in README.md, and the pictures
# docs/pictures/cpu_KIND.svg. Best on a machine that does nothing else: some 20 minutes.
#
# usage: bench/cpu.sh [BUILD]
#
# Variables: RIVALS (default fftw,mkl,kissfft, as far as they are there: fftw and kissfft as Debian
# has them, MKL by `pip install mkl`, with WEFT_MKL for the file libmkl_rt.so), KINDS (default "c2c
# r2c dct2"), SIZES (default: those of weft bench), THREADS (default 1), TABLE (a table for
# `weft bench --table`, run besides).
set -eu
build=${1:-build}
weft=$build/weft
results=$build/bench
export WEFT_CACHE_DIR= # plans by the model alone
mkdir -p "$results"

found=none
for rival in $(echo "${RIVALS:-fftw,mkl,kissfft}" | tr ',' ' '); do
    "$weft" bench --device cpu --vs "$rival" -p f32 16 >/dev/null || continue
    [ "$found" = none ] && found=$rival || found=$found,$rival
done

# Puts the standard input between the marks of a document.
replace() {
    cat >"$results/inserted"
    grep -q '<!-- make bench: begin -->' "$1" || { echo "$1 has no marks" >&2; return 1; }
    awk -v inserted="$results/inserted" '
        /<!-- make bench: end -->/ { inside = 0 }
        !inside { print }
        /<!-- make bench: begin -->/ {
            inside = 1
            while ((getline line < inserted) > 0) print line
        }' "$1" >"$results/replaced"
    cat "$results/replaced" >"$1"
}

# The means of all kinds: the first table of each, with one heading.
means() {
    for kind in $kinds; do
        awk '/^\|/ { print; seen = 1; next } seen { exit }' "$results/$kind.md"
    done | awk 'NR <= 2 { head[NR] = $0; print; next } $0 != head[1] && $0 != head[2]'
}

kinds=${KINDS:-c2c r2c dct2}
for kind in $kinds; do
    "$weft" bench --device cpu --vs "$found" --kind "$kind" --threads "${THREADS:-1}" \
        --plot "docs/pictures/cpu_$kind.svg" --markdown "$results/$kind.md" \
        ${SIZES:+"$SIZES"} | tee "$results/$kind.txt"
done
[ -z "${TABLE:-}" ] || "$weft" bench --device cpu --table "$TABLE" \
    --markdown "$results/table.md" | tee "$results/table.txt"

first=${kinds%% *}
{
    head -n 1 "$results/$first.md"
    echo
    means
    for kind in $kinds; do
        echo
        echo "![Rates of $kind over sizes](pictures/cpu_$kind.svg)"
        awk '/^\|/ && !behind { inside = 1 } inside && !/^\|/ { behind = 1 } behind' \
            "$results/$kind.md" | sed '$d' # the empty line at its end
    done
    [ -z "${TABLE:-}" ] || sed -e 1d -e '$d' "$results/table.md"
} | replace docs/performance.md
{
    head -n 1 "$results/$first.md"
    echo
    means
    echo
    echo "![Rates of $first over sizes](docs/pictures/cpu_$first.svg)"
} | replace README.md
