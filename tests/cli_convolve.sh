#!/bin/sh
# `weft convolve`: what the definition says, at the edges too.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"
cd "$work"

# npy FILE DESCR SHAPE DATA: DATA in the notation of printf.
npy() {
    header="{'descr': '$2', 'fortran_order': False, 'shape': ($3), }"
    length=$(printf '\\%03o' $((${#header} + 1)))
    printf '\223NUMPY\001\000'"$length"'\000%s\n' "$header" >"$1"
    printf "$4" >>"$1"
}

# gives VALUE... -- OPTION...: convolving in.npy with kernel.npy.
gives() {
    : >expected
    while [ "$1" != -- ]; do
        echo "$1" >>expected
        shift
    done
    shift
    run 0 convolve in.npy kernel.npy out.npy "$@"
    tail -c +129 out.npy | od -An -v -t f4 | tr -s ' ' '\n' | sed '/^$/d' >got
    paste got expected | awk '
        function far(a, b) { return a - b > 1e-4 || b - a > 1e-4 }
        NF != 2 || far($1, $2) { exit 1 }' || fail "got $(tr '\n' ' ' <got) with $*"
}

npy in.npy '|u1' '5,' '\001\002\003\004\005'
npy kernel.npy '|u1' '3,' '\001\002\000'
for device in cpu null; do
    gives 4 7 10 13 10 -- --device $device
    gives 2 5 8 11 14 -- --correlate --device $device
    gives 4 7 10 13 11 -- --wrap --device $device
    gives 7 5 8 11 14 -- --wrap --correlate --device $device
done
gives 1.333333 2.333333 3.333333 4.333333 3.333333 -- --normalize --precision f32
npy kernel.npy '|u1' '4,' '\001\000\000\000'
gives 2 3 4 5 0 --
gives 0 0 1 2 3 -- --correlate
npy kernel.npy '|u1' '9,' '\000\000\000\000\001\000\000\000\002'
gives 1 2 3 4 7 --
npy in.npy '|u1' '2, 3' '\001\002\003\004\005\006'
npy kernel.npy '|u1' '2, 1' '\001\001'
gives 1 2 3 5 7 9 --
run 0 transform in.npy complex.npy
cp complex.npy in.npy
npy kernel.npy '|u1' '1, 1' '\002'
gives 42 0 -6 3.4641016 -6 -3.4641016 -18 0 0 0 0 0 --

# Pictures: a kernel of one element leaves one as it is.
run 0 filter "$WEFT_SOURCE_DIR/tests/fuzz/corpus/png/rgb16" grey.png --band :
run 0 convolve grey.png kernel.npy same.png --normalize
cmp grey.png same.png || fail "a kernel of one element changes a picture"

refuse() {
    misuse "$@"
    [ ! -e result.npy ] && [ ! -e result.png ] || fail "weft $* leaves a file behind"
}
npy line.npy '|u1' '5,' '\001\002\003\004\005'
refuse 'IN KERNEL OUT' convolve line.npy kernel.npy
refuse 'expected as many' convolve line.npy kernel.npy result.npy
refuse 'expected OUT.npy' convolve line.npy line.npy result.png
refuse 'longer than IN' convolve kernel.npy in.npy result.npy --wrap
refuse 'f32 or f64' convolve line.npy line.npy result.npy --precision dd
run 1 convolve missing.npy line.npy result.npy
[ ! -e result.npy ] || fail "a failure leaves a file behind"
