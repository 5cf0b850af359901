#!/bin/sh
# `weft kernel`.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"

run 0 kernel 1000x1009 --device cpu --precision f64
[ "$(grep -c '1000x1009, pass [0-9]* of [0-9]*' "$work/out")" -ge 2 ] || fail "a pass is missing"
grep -q ' -> .* rows of .* lanes' "$work/out" || fail "no codelet is named"
grep -q ': rader, lines of 1008' "$work/out" || fail "Rader's middle is missing"
run 0 kernel 8 16 --precision f64 --threads 2 --device cpu
grep -q '^/\* 16, pass 1 of 1 \*/$' "$work/out" || fail "the second size is missing"
run 0 kernel 1000x1009 --device null
[ "$(grep -c '^__kernel ' "$work/out")" -ge 2 ] || fail "a kernel of a GPU is missing"
grep -q 'blocks [0-9]*, threads [0-9]*, ' "$work/out" || fail "its launch is not told"

# A long line of reals, where a processor has one split as such in two, is parted and put to both
# ends of its spectrum by codelets.
for size in 524288 1048576 2097152 4194304; do
    run 0 plan "$size" --kind r2c --device cpu
    head -n 1 "$work/out" | grep -q "^real($size: split($size: block([^)]*), block([^)]*)))$" ||
        continue
    run 0 kernel "$size" --kind r2c --device cpu
    grep -q 'part columns, ' "$work/out" || fail "the columns' scatter is not named"
    grep -q 'scatter rows, lines of ' "$work/out" || fail "the rows' scatter is not named"
done
misuse 'c2c, r2c, c2r, dct1 to dct4' kernel 8 --kind nonsense

run 0 kernel 8 --precision dd --device cpu
grep -q '^__kernel ' "$work/out" || fail "what runs in double-double is not shown"

run 0 kernel --help
grep -q '^Usage: weft kernel' "$work/out" || fail "--help explains nothing"
misuse 1000x1000 kernel
misuse 'f32, f64, f16, bf16 or dd' kernel 8 --precision both
misuse '0 to 4096' kernel 8 --threads -1
misuse cpu kernel 8 --device nonsense
