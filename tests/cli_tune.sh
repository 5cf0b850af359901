#!/bin/sh
# `weft tune`.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"
export WEFT_CACHE_DIR="$work/cache"

run 0 tune 64 8x8@3 --device cpu --precision both
[ "$(grep -c '^64 .* f[36][24] ' "$work/out")" -eq 2 ] || fail "a precision is missing"
grep -q '^8x8@3 ' "$work/out" || fail "the second size is missing"
grep -q '^geometric mean of the ratios [0-9.]*$' "$work/out" || fail "no mean"
[ ! -s "$work/err" ] || fail "complains"
grep -q '^c2c f64 interleaved 64:1:1 threads 1 -> block(64: ' "$WEFT_CACHE_DIR"/wisdom/cpu-*.txt ||
    fail "nothing was kept"

run 0 tune 16 --device cpu --json
grep -q '^{"kind":"c2c","dims":\[16\],"batch":1,"precision":"f32","candidates":[0-9]*,'\
'"estimate_seconds":.*,"tuned_seconds":.*,"kept":true}$' "$work/out" ||
    fail "the JSON line is not as documented"
run 0 tune 8 --device null:shared=4096,threads=64
run 0 tune 30 --device cpu --kind dct2
grep -q '^dct2 f32 .* 30:1:1 ' "$WEFT_CACHE_DIR"/wisdom/cpu-*.txt || fail "a DCT was not kept"
misuse 'c2c, r2c, c2r, dct1 to dct4' tune 8 --kind nonsense

# What is in the file is what is done, even if it is not what the model would choose.
run 0 tune --export "$work/wisdom" --device cpu
[ "$(grep -c '^c2c' "$work/wisdom")" -eq 5 ] || fail "not everything was exported"
sed 's/^\(c2c f32 interleaved 64:1:1 threads 1 -> \).*/\1block(64: 2.2.2.2.2.2)/' "$work/wisdom" \
    >"$work/slow"
run 0 tune --import "$work/slow" --device cpu
run 0 plan 64 --device cpu
grep -q '2.2.2.2.2.2' "$work/out" || fail "imported wisdom is not followed"
WEFT_CACHE_DIR='' run 0 plan 64 --device cpu
grep -q '2.2.2.2.2.2' "$work/out" && fail "wisdom is followed where nothing is to be kept"

sed 's/^device .*/device of another kind/' "$work/wisdom" >"$work/foreign"
run 0 tune --import "$work/foreign" --device cpu
grep -q 'is ignored' "$work/err" || fail "foreign wisdom is not told of"
sed 's/64: .*)/64: 2)/' "$work/wisdom" >"$work/damaged"
run 1 tune --import "$work/damaged" --device cpu
grep -q 'damaged:[0-9]*: ' "$work/err" || fail "the damaged line is not named"
run 1 tune --import "$work/missing" --device cpu
run 1 tune --export "$work/wisdom/below/a/file" --device cpu

# A link stays one, and what it leads to is written; a pipe is written into.
ln -s "$work/target" "$work/link"
: >"$work/target"
run 0 tune --export "$work/link" --device cpu
[ -h "$work/link" ] || fail "a link was replaced"
grep -q '^weft wisdom ' "$work/target" || fail "what a link leads to was not written"
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/piped" &
run 0 tune --export "$work/pipe" --device cpu
wait
[ -p "$work/pipe" ] || fail "a pipe was replaced"
grep -q '^weft wisdom ' "$work/piped" || fail "nothing goes to a pipe"

WEFT_CACHE_DIR='' run 0 tune 8 --device cpu
grep -q 'warning' "$work/err" || fail "that nothing is kept is not told"
WEFT_CACHE_DIR='' run 0 tune 8 --device cpu --export "$work/wisdom"
[ ! -s "$work/err" ] || fail "complains though it exports"

run 0 tune --help
grep -q '^Usage: weft tune' "$work/out" || fail "--help explains nothing"
misuse 1000x1000 tune x
run 0 tune 60 --precision dd --device cpu
grep -q '^60 .* dd ' "$work/out" || fail "double-double is not tuned"
run 0 tune 64 --precision f16 --device cpu
grep -q '^64 .* f16 ' "$work/out" || fail 'halves are not tuned'
misuse 'f32, f64, f16, bf16, dd or both' tune 8 --precision half
misuse cpu tune 8 --device nonsense
