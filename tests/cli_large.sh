#!/bin/sh
# `weft transform --memory`: what goes through little memory is what goes through much.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"
cd "$work"

# npy FILE SHAPE COUNT: pseudo-random bytes.
npy() {
    header="{'descr': '|u1', 'fortran_order': False, 'shape': ($2), }"
    length=$(printf '\\%03o' $((${#header} + 1)))
    printf '\223NUMPY\001\000'"$length"'\000%s\n' "$header" >"$1"
    printf "$(awk -v count="$3" 'BEGIN {
        for (i = 0; i < count; i++) { x = (x * 1103 + 12345) % 65536; printf "\\%03o", x / 256 }
    }')" >>"$1"
}

# same FILE FILE TYPE: the headers are equal, the numbers nearly.
same() {
    head -c 128 "$2" >header_b
    head -c 128 "$1" | cmp - header_b || fail "headers of $1 and $2 differ"
    for file in "$1" "$2"; do
        tail -c +129 "$file" | od -An -v -t "$3" | tr -s ' ' '\n' | sed '/^$/d' >"$file.text"
    done
    paste "$1.text" "$2.text" | awk '
        function far(a, b) { return a - b > 1e-2 || b - a > 1e-2 }
        NF != 2 || far($1, $2) { exit 1 }' || fail "$1 and $2 differ"
}

# through FILE MEMORY TYPE OPTION...: with that memory and without.
through() {
    file=$1
    memory=$2
    type=$3
    shift 3
    run 0 transform "$file" whole.npy "$@"
    run 0 transform "$file" bands.npy "$@" --memory "$memory"
    grep -q '^plan  *streamed' out || fail "it is not streamed"
    same whole.npy bands.npy "$type"
}

npy line.npy '4096,' 4096
npy image.npy '48, 50' 2400
npy prime.npy '1009,' 1009
through line.npy 12000 f4
through line.npy 30K f8 --precision f64
through line.npy 12000 f4 --half
through line.npy 12000 f4 --kind dct2
through line.npy 12000 f4 --kind dct2 --inverse
through prime.npy 4000 f4
through prime.npy 8000 f8 --kind dct2 --precision f64
through image.npy 9000 f4
through image.npy 9000 f4 --axes 0
through image.npy 9000 f4 --half
through image.npy 9000 f4 --kind dct2
through image.npy 1G f4
run 0 transform line.npy spectrum.npy
through spectrum.npy 12K f4 --inverse
run 0 transform line.npy half.npy --half
through half.npy 12K f4 --half --inverse
run 0 transform image.npy half.npy --half
through half.npy 9000 f4 --half --inverse
through half.npy 9000 u1 --half --inverse --out-storage u8
tail -c 2400 bands.npy >bytes
tail -c 2400 image.npy | cmp - bytes || fail "the picture does not come back"
through image.npy 9000 f4 --window hann
through line.npy 12000 f4 --load 'x * (k / n)' --store 'abs(x) + k'
# Of a range nothing else is written, whatever the bands hold and whatever lies between them.
through image.npy 9000 f4 --out-range 0=5:7
through image.npy 9000 f4 --in-range 3:10 --out-range 5:30,0=0:20
through image.npy 9000 f4 --in-range 0=3:10 --out-range 0=2:40,1=7:31
through image.npy 9000 f4 --half --out-range 0=40:8,1=20:6
through half.npy 9000 u1 --half --inverse --out-storage u8 --out-range 11:29
through image.npy 9000 f4 --kind dct2 --axes 1 --out-range 1=1:1
sed "s/'|u1'/'>i2'/; s/(48, 50)/(24, 50)/" image.npy >words.npy
through words.npy 9000 f8 --precision f64
through words.npy 9000 f8 --precision f64 --kind dst2 --axes 0
through words.npy 9000 f8 --half --precision f64
run 0 transform line.npy bands.npy --memory 12000 --device null --json
grep -q '"passes":2.*"strongest":\[\]' out || fail "--json does not tell of two sweeps"

# Nothing is left of what fails, and what was there stays.
cp whole.npy kept.npy
refuse() {
    expected=$1
    hint=$2
    shift 2
    : >after
    ls >before
    run "$expected" transform "$@"
    [ "$(wc -l <err)" -eq 1 ] || fail "weft transform $* does not say one line"
    grep -q -- "$hint" err || fail "weft transform $* does not say '$hint'"
    ls >after
    cmp -s before after || fail "weft transform $* leaves files behind"
    cmp whole.npy kept.npy || fail "weft transform $* touches its output"
}
head -c 3000 line.npy >short.npy
sed "s/'fortran_order': False/'fortran_order': True /" image.npy >fortran.npy
refuse 1 'cut short' short.npy kept.npy --memory 12000
refuse 1 'cannot be streamed' prime.npy kept.npy --memory 400
refuse 1 'too few' line.npy kept.npy --memory 10
refuse 1 'Fortran order' fortran.npy kept.npy --memory 12000
refuse 1 'not a .npy file' "$WEFT_SOURCE_DIR/tests/fuzz/corpus/png/grey8" kept.npy --memory 12000
refuse 1 'No such file' missing.npy kept.npy --memory 12000
refuse 1 'no regular file' line.npy /dev/full --memory 12000
refuse 1 'out_count' image.npy kept.npy --memory 9000 --out-range 0:1000000000
refuse 2 'OUT.npy' line.npy --memory 12000
refuse 2 'picture' line.npy kept.npy --memory 12000 --picture p.png
for memory in 0 -1 x 5X 5MB 99999999999T; do
    refuse 2 'expected bytes' line.npy kept.npy --memory "$memory"
done
(
    ulimit -f 24
    trap '' XFSZ
    refuse 1 'kept.npy: no room' line.npy kept.npy --memory 12000
)
