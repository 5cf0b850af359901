#!/bin/sh
# `weft transform`: right results from every kind of file, and one clear line for all that is wrong.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
corpus=$WEFT_SOURCE_DIR/tests/fuzz/corpus

fail() {
    echo "FAILED: $*" >&2
    cat out err >&2
    exit 1
}

# Runs the command: the first argument is the exit status it must have.
run() {
    expected=$1
    shift
    status=0
    "$WEFT" transform "$@" >out 2>err || status=$?
    [ "$status" -eq "$expected" ] || fail "weft transform $* exits $status, not $expected"
}

# What is refused gets one line that holds the second argument, and writes nothing.
refuse() {
    expected=$1
    hint=$2
    shift 2
    : >after
    ls >before
    run "$expected" "$@"
    ls >after
    [ ! -s out ] || fail "weft transform $* prints something"
    [ "$(wc -l <err)" -eq 1 ] || fail "weft transform $* does not say one line"
    grep -q -- "$hint" err || fail "weft transform $* does not say '$hint'"
    cmp -s before after || fail "weft transform $* leaves files behind"
}

# npy FILE DESCR FORTRAN SHAPE DATA: writes a .npy file; DATA in the notation of printf.
npy() {
    header="{'descr': '$2', 'fortran_order': $3, 'shape': ($4), }"
    length=$(printf '\\%03o' $((${#header} + 1)))
    printf '\223NUMPY\001\000'"$length"'\000%s\n' "$header" >"$1"
    printf "$5" >>"$1"
}

# values FILE TYPE VALUE...: the numbers behind the 128 bytes of a header are these, nearly.
values() {
    file=$1
    type=$2
    shift 2
    tail -c +129 "$file" | od -An -v -t "$type" | tr -s ' ' '\n' | sed '/^$/d' >got
    printf '%s\n' "$@" >expected
    paste got expected | awk '
        function far(a, b) { return a - b > 1e-5 || b - a > 1e-5 }
        NF != 2 || far($1, $2) { exit 1 }' || fail "$file holds $(tr '\n' ' ' <got)"
}

# near A B: .npy files of singles whose values are the same but for rounding.
near() {
    values "$1" f4 $(tail -c +129 "$2" | od -An -v -t f4)
}

# 1 2 3 4, real and complex, in both byte orders; its transform is 10, -2 + 2i, -2, -2 - 2i.
npy u1.npy '|u1' False '4,' '\001\002\003\004'
run 0 u1.npy real.npy
values real.npy f4 10 0 -2 2 -2 0 -2 -2
head -c 128 real.npy | grep -q "'descr': '[<>]c8', 'fortran_order': False, 'shape': (4,)" ||
    fail "the header is not that of four complex64"
run 0 u1.npy double.npy --precision f64
values double.npy f8 10 0 -2 2 -2 0 -2 -2
npy big.npy '>i2' False '4,' '\000\001\000\002\000\003\000\004'
run 0 big.npy from_big.npy
cmp real.npy from_big.npy || fail "byte order changes the result"
npy little.npy '<i2' False '4,' '\001\000\002\000\003\000\004\000'
run 0 little.npy from_little.npy
cmp real.npy from_little.npy || fail "byte order changes the result"
run 0 real.npy back.npy --inverse
values back.npy f4 1 0 2 0 3 0 4 0

# Reals to reals, and back; the file holds reals.
run 0 u1.npy cosines.npy --kind dct2
values cosines.npy f4 20 -6.3086441 0 -0.4483415
head -c 128 cosines.npy | grep -q "'descr': '[<>]f4', 'fortran_order': False, 'shape': (4,)" ||
    fail "the header is not that of four float32"
run 0 cosines.npy back.npy --kind dct2 --inverse
values back.npy f4 1 2 3 4
run 0 u1.npy hartley.npy --kind dht --orthonormal
values hartley.npy f4 5 -2 -1 0
refuse 2 'is complex; --kind takes real data' real.npy --kind dht

# Each transformed axis by a kind of its own.
npy six.npy '|u1' False '2, 3' '\001\002\003\004\005\006'
run 0 six.npy columns.npy --kind dct2 --axes 0
run 0 columns.npy apart.npy --kind dst1 --axes 1
run 0 six.npy at_once.npy --kind dct2+dst1
near apart.npy at_once.npy
run 0 at_once.npy back.npy --kind dct2+dst1 --inverse
values back.npy f4 1 2 3 4 5 6
refuse 2 '2 kinds for 1 transformed axes' six.npy --kind dct2+dst1 --axes 0
refuse 2 'one for each axis' six.npy --kind dct2+r2c

# Numbers of 8 and 16 bits are read as they lie in the file, whatever the kind takes, and written.
for kind in c2c r2c dct2; do
    npy single.npy '<f4' False '4,' \
        '\000\000\200\077\000\000\000\100\000\000\100\100\000\000\200\100'
    run 0 single.npy from_single.npy --kind $kind
    npy f2.npy '<f2' False '4,' '\000\074\000\100\000\102\000\104'
    npy f2_big.npy '>f2' False '4,' '\074\000\100\000\102\000\104\000'
    for file in u1 big little f2 f2_big; do
        run 0 $file.npy from_other.npy --kind $kind
        grep -q '^input  .*npy, 4 of [fiu]' out || fail "$file.npy is converted before"
        near from_single.npy from_other.npy
    done
done
npy i1.npy '|i1' False '2, 2' '\377\002\003\004'
run 0 i1.npy from_i1.npy
values from_i1.npy f4 8 0 -4 0 -6 0 -2 0
run 0 u1.npy from_double.npy --precision f64 --out-storage f32
cmp real.npy from_double.npy || fail "doubles are not rounded to singles"
run 0 u1.npy cosines.npy --kind dct2 --out-storage f16
head -c 128 cosines.npy | grep -q "'descr': '[<>]f2', 'fortran_order': False, 'shape': (4,)" ||
    fail "the header is not that of four float16"
run 0 cosines.npy back.npy --kind dct2 --inverse --out-storage u8
values back.npy u1 1 2 3 4
head -c 128 back.npy | grep -q "'descr': '|u1', 'fortran_order': False, 'shape': (4,)" ||
    fail "the header is not that of four bytes"
run 0 u1.npy cosines.npy --kind dct2 --out-storage i16 --round-trip
values cosines.npy d2 20 -6 0 0
refuse 2 'no such complex numbers' u1.npy result.npy --out-storage f16
refuse 2 'expected f16, f32' u1.npy result.npy --out-storage bf16

# Zeros instead of what is out of range, and nothing but what is wanted.
npy halved.npy '|u1' False '4,' '\001\002\000\000'
npy middle.npy '|u1' False '4,' '\001\000\000\004'
run 0 halved.npy expected.npy
run 0 u1.npy ranged.npy --in-range 0:1/2
cmp expected.npy ranged.npy || fail "a range of the input is not one"
run 0 middle.npy expected.npy
run 0 u1.npy ranged.npy --in-range 3:2
cmp expected.npy ranged.npy || fail "a range does not go on at 0"
run 0 u1.npy ranged.npy --out-range 0=1:2
values ranged.npy f4 -2 2 -2 0
run 0 u1.npy ranged.npy --out-range 3:2
values ranged.npy f4 -2 -2 10 0
run 0 u1.npy ranged.npy --out-range 0:1/2 --kind dct2 --out-storage i16
values ranged.npy d2 20 -6
refuse 2 'there is no axis 1' u1.npy result.npy --in-range 1=0:2
for range in '' : 1 1: :1 1:1/0 2:3/2 =1:1 0=0=1:1 -1:1 1:1,; do
    refuse 2 'in-range .*: expected \[AXIS=\]FIRST:COUNT' u1.npy result.npy --in-range "$range"
done
refuse 2 'out-range .*: expected' u1.npy result.npy --out-range x
refuse 1 'in_count\[0\] is 5' u1.npy result.npy --in-range 0:5
refuse 2 'ranges leave out' u1.npy --in-range 0:2 --round-trip

# Half the spectrum of reals, and back.
run 0 u1.npy half.npy --half --round-trip
values half.npy f4 10 0 -2 2 -2 0
head -c 128 half.npy | grep -q "'descr': '[<>]c8', 'fortran_order': False, 'shape': (3,)" ||
    fail "the header is not that of three complex64"
run 0 half.npy back.npy --half --inverse
values back.npy f4 1 2 3 4
npy five.npy '|u1' False '1, 5' '\001\002\003\004\006'
run 0 five.npy half.npy --kind r2c --picture half.png
run 0 half.npy back.npy --kind c2r --inverse --length 5
values back.npy f4 1 2 3 4 6
run 0 five.npy --json
sed 's/.*"strongest"://; s/"round_trip.*//' out >whole
run 0 five.npy --half --json
sed 's/.*"strongest"://; s/"round_trip.*//' out | cmp - whole ||
    fail "half a spectrum has other peaks"
refuse 2 'of 4 or 5 reals' half.npy --half --inverse --length 6
refuse 2 'expected c2c, r2c, c2r' u1.npy --kind r2r
refuse 2 'not with dht' u1.npy --kind dht --half
refuse 2 'expected a number of reals' u1.npy --half --length 4
refuse 2 'is complex; --kind takes real data' real.npy --half
refuse 2 'picture draws spectra' u1.npy --kind dst1 --picture p.png

# Fortran order is the same array in another order: rows 1 2 3 and 4 5 6.
npy c.npy '|u1' False '2, 3' '\001\002\003\004\005\006'
npy fortran.npy '|u1' True '2, 3' '\001\004\002\005\003\006'
run 0 c.npy c_out.npy
run 0 fortran.npy fortran_out.npy
cmp c_out.npy fortran_out.npy || fail "Fortran order changes the result"
values c_out.npy f4 21 0 -3 1.7320508 -3 -1.7320508 -9 0 0 0 0 0
run 0 c.npy columns.npy --axes 0
values columns.npy f4 5 0 7 0 9 0 -3 0 -3 0 -3 0
run 0 c.npy rows.npy --axes -1
values rows.npy f4 6 0 -1.5 0.8660254 -1.5 -0.8660254 15 0 -1.5 0.8660254 -1.5 -0.8660254

# Every kind of file that is read, with its picture where there is one.
for file in "$corpus"/npy/f8_fortran "$corpus"/npy/f2_version2 "$corpus"/npy/i8_version3 \
    "$corpus"/png/rgb16 "$corpus"/png/palette4 "$corpus"/png/grey_alpha8 \
    "$corpus"/sound/wav_float_stereo "$corpus"/sound/flac "$corpus"/sound/ogg_vorbis; do
    run 0 "$file" --round-trip
    grep -q '^round trip .*e-\(0[789]\|1[0-9]\)' out || grep -q '^round trip 0' out ||
        fail "$file does not come back"
done
for file in "$corpus"/npy/f2_version2 "$corpus"/png/rgb16 "$corpus"/sound/flac; do
    run 0 "$file" --picture picture.png
    head -c 4 picture.png | grep -q PNG || fail "the picture of $file is no PNG"
done
run 0 "$corpus"/png/rgb8
grep -q 'colours combined to luminance' out || fail "it is not said what becomes of colours"
run 0 "$corpus"/sound/wav_float_stereo --json
[ "$(wc -l <out)" -eq 1 ] || fail "--json prints more than one line"
grep -q '"sizes":\[20\].*"strongest":\[.*"unit":"Hz"' out || fail "--json lacks something"

# A sine of 3 cycles in 16 samples is found where it is.
npy sine.npy '|i1' False '16,' '\000\134\106\313\234\313\106\134\000\244\272\065\144\065\272\244'
run 0 sine.npy
grep -q '^strongest  *0.1875 cycles/sample *0.0 dB *bin 3$' out || fail "the sine is not found"

# A window, and expressions of the caller's: the window's own spectrum, and magnitudes.
npy ones.npy '|u1' False '8,' '\001\001\001\001\001\001\001\001'
run 0 ones.npy result.npy --window hann --store 'abs(x)'
values result.npy f4 4 0 2 0 0 0 0 0 0 0 0 0 0 0 2 0
run 0 sine.npy result.npy --load 'x * exp(-i * 2 * pi * k / n)'
grep -q '^strongest .* bin 2$' out || fail "the sine is not shifted"
refuse 1 'load hook, line 1, column 5: expected a number' sine.npy result.npy --load 'x * '
refuse 2 'expected hann' sine.npy result.npy --window square
refuse 2 'expected one of them' sine.npy result.npy --window hann --load x
refuse 2 'finds what was read' sine.npy result.npy --window hann --round-trip

# Files that lie or are cut short.
for file in npy/claims_2_to_60 npy/cut_short npy/empty npy/scalar png/claims_a_million \
    png/cut_short sound/cut_short sound/rf64_claims_2_to_60; do
    refuse 1 "^weft transform: $corpus/$file: " "$corpus/$file" result.npy --picture result.png
done
npy negative.npy '<f8' False '-3,' '\000'
refuse 1 'no size' negative.npy result.npy
npy nine.npy '|u1' False '1,1,1,1,1,1,1,1,1' '\000'
refuse 1 'more than 8 axes' nine.npy result.npy
npy text.npy '<U1' False '1,' '\000\000\000\000'
refuse 1 "type '<U1'" text.npy result.npy
echo nonsense >nonsense
refuse 1 'not a .npy, .png, .wav, .flac or .ogg file' nonsense result.npy
refuse 1 'No such file' missing.npy result.npy
refuse 1 'not a regular file' . result.npy

# Outputs that cannot be written, before and after the work; what was there before stays.
refuse 1 'cannot be written' u1.npy missing/result.npy
refuse 1 'is a folder' u1.npy .
refuse 1 '/dev/full' u1.npy /dev/full
cp real.npy kept.npy
refuse 1 'cut short' "$corpus/npy/cut_short" kept.npy
refuse 1 '/dev/full' u1.npy kept.npy --picture /dev/full
cmp real.npy kept.npy || fail "a failure touched the output"

# Wrong arguments.
refuse 2 'IN \[OUT.npy\]'
refuse 2 'IN \[OUT.npy\]' u1.npy a.npy b.npy
refuse 2 'accepted are --inverse' u1.npy --no-such-option
refuse 2 'f32 or f64' u1.npy result.npy --precision f16
refuse 2 'no file has a type' u1.npy result.npy --precision dd
refuse 2 'expected -1 to 0' u1.npy result.npy --axes 1
refuse 2 'named twice' c.npy result.npy --axes 1,-1
refuse 2 'commas between' u1.npy result.npy --axes 0x
refuse 2 '0 (one a processor)' u1.npy result.npy --threads -1
refuse 2 'one or two of the transformed axes' "$corpus/npy/f8_fortran" --picture result.png
refuse 2 'different names' u1.npy same --picture same
refuse 2 . u1.npy result.npy --device no-such-device
run 0 --help
grep -q -- '--round-trip' out || fail "--help does not explain the options"
