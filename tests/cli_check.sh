#!/bin/sh
# `weft check`: sizes that are right pass, and so do all ways of writing
# sizes; what is wrong is said.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"

run 0 check 1..16 60,17 8x9 4x3x5 100@7 --inverse
[ "$(grep -c ' ok$' "$work/out")" -eq 84 ] || fail "21 cases in 2 precisions both ways are not 84"
grep -q '^100@7 .*f64 .*inverse' "$work/out" || fail "the batch is not in the table"
grep -q '^84 checked, 0 above' "$work/out" || fail "there is no summary"

for kind in r2c c2r; do
    run 0 check 1..9 60 101 8x9 5x7@3 --inverse --kind $kind --device cpu
    grep -q '^52 checked, 0 above' "$work/out" || fail "$kind is not right"
done
for kind in dct1 dct2 dct3 dct4 dst1 dst2 dst3 dst4 dht; do
    run 0 check 2..9 60 101 1009 8x9 5x7@3 --inverse --kind $kind --device cpu
    grep -q '^52 checked, 0 above' "$work/out" || fail "$kind is not right"
done
# Factors that all results have add up over the axes if they are not exact.
run 0 check 5x2x9 2x2x2x2x2 --kind dht --device cpu
run 1 check 1 --kind dct1 --device cpu
grep -q 'starts at 2' "$work/err" || fail "dct1 of one element is not refused with its rule"
# A stage that is repeated in place: its axes in one cache, its columns in steps.
run 0 check 8x65536x40 --kind r2c --device cpu --precision f32
run 0 check 8x8192x40 --kind dct2 --inverse --device cpu --precision f32
run 0 check 8x8192x20 --kind dct4 --device cpu --precision f32
# Reals whose lines are split once and twice: pairs of columns that are neighbours, and that are a
# run apart; rows whose middle one has a tile of its own.
for kind in r2c c2r; do
    for limits in shared=2048,threads=32,registers=32 shared=16384,threads=256 \
        shared=6000,threads=48,simd=16,coalescing=64; do
        run 0 check 2000 4096 10000 32768 8192x3 --kind $kind --inverse --device null:$limits
        grep -q '^20 checked, 0 above' "$work/out" || fail "$kind is not right within $limits"
    done
done
misuse 'c2c, r2c, c2r, dct1 to dct4' check 8 --kind nonsense
misuse 'one for each axis' check 8x8 --kind dct1+c2c
misuse 'one for each axis' check 8x8x8 --kind dct1+dct2

run 0 check 1000 1009 --json --precision f64 --device cpu --threads 2
[ "$(wc -l <"$work/out")" -eq 2 ] || fail "two sizes are not two JSON lines"
keys='"dims":\[1000\],"batch":1,"precision":"f64","direction":"forward","class":"smooth"'
grep -q "^{$keys,\"error\":[0-9.e-]*,\"limit\":[0-9.e-]*,\"ok\":true}$" "$work/out" ||
    fail "a JSON line is not as documented"

# Another library's error beside weft's, where that library is and has the transform.
misuse 'fftw, mkl or kissfft' check 8 --vs cufft --device cpu
misuse 'goes without ranges' check 8 --vs fftw --in-range 0:4 --device cpu
if "$WEFT" check 8 --vs fftw --device cpu >/dev/null 2>&1; then
    run 0 check 60 1009 5x7@3 --vs fftw --kind r2c --inverse --device cpu
    [ "$(grep -c ' ok  *[0-9.]*e-[0-9]*$' "$work/out")" -eq 6 ] ||
        fail "FFTW's errors are not there"
    grep -q "^FFTW's error over weft's: .* of 6$" "$work/out" || fail "the errors are not summed up"
    run 0 check 60 6x7 --vs fftw --kind c2r --inverse --device cpu
    [ "$(grep -c ' inverse .* ok  *[0-9.]*e-[01][0-9]*$' "$work/out")" -eq 4 ] ||
        fail "FFTW's C2R is compared with what it is not"
    run 0 check 30x7 12x8@3 --vs fftw --kind dct1+dst3 --inverse --device cpu
    grep -q "^FFTW's error over weft's: .* of 4$" "$work/out" ||
        fail "FFTW has not each axis by its own kind"
    run 0 check 1000 --vs fftw --json --device cpu
    [ "$(grep -c '"rival":' "$work/out")" -eq 2 ] || fail "FFTW's errors are not in JSON lines"
fi

# Double-double by name only, since "both" are the types that processors have.
run 0 check 1..9 60 101 1009 5x7@3 --precision dd --inverse --device cpu
grep -q '^26 checked, 0 above' "$work/out" || fail "double-double is not right"
run 0 check 60 1000 --precision dd --kind dct2 --device cpu

# Halves are computed in single precision, and rounded once.
halves='1..40 128 1000 1009 4093 65536 17x19x23 5x7@3'
for precision in f16 bf16; do
    for device in cpu null; do
        for kind in c2c r2c c2r dct2; do
            [ $device = cpu ] || halves='1..9 60 101 1000 65536'
            run 0 check $halves --precision $precision --inverse --kind $kind --device $device
            ! grep -q ABOVE "$work/out" || fail "$kind of $precision is not right on $device"
        done
    done
done

# Ranges: zeros on both sides of the input, what is wanted of the output.
for kind in c2c r2c c2r dct4; do
    run 0 check 60 7x30@3 64x6x5 --kind $kind --inverse --device cpu \
        --in-range 0:1/2 --out-range -1=2:1/3
done
# Of lines in one pass and in several, on each instruction set that there is.
for isa in scalar sse2 avx2 avx512; do
    WEFT_ISA=$isa "$WEFT" plan 8 --device cpu > /dev/null 2>&1 || continue
    export WEFT_ISA=$isa
    for kind in c2c r2c c2r dct2 dct4 dht; do
        run 0 check 1024@3 10000 4x4096 16384 --kind $kind --inverse --device cpu \
            --in-range 0=3:1/2 --out-range 0=1:2/3
        run 0 check 16384@3 30000 --kind $kind --device cpu --out-range 0=5:1/2
    done
    unset WEFT_ISA
done
run 0 check 24 6x10 --in-range 0=5:2/3 --precision f16 --device null
run 1 check 8 --in-range 9:1 --device cpu
grep -q 'in_first\[0\] is 9' "$work/err" || fail "what is no range is not answered by a reason"

run 0 check --help
grep -q '^Usage: weft check' "$work/out" || fail "--help explains nothing"

misuse 1000x1000 check 0
misuse 1000x1000 check -- -5
misuse 1000x1000 check 12x
misuse 1000x1000 check 5..2
misuse 1000x1000 check 8@0
misuse 1000x1000 check 1x1x1x1x1x1x1x1x1
misuse 1000x1000 check 1048576x1048576x2
misuse FIRST:COUNT check 8 --out-range 1
misuse 'f32, f64, f16, bf16, dd or both' check 8 --precision f17
misuse '0 to 4096' check 8 --threads -1
misuse '--help' check --nonsense
misuse cpu check 8 --device nonsense

# More than any memory.
run 1 check 1099511627776
grep -q memory "$work/err" || fail "a size beyond all memory is not answered by a reason"
