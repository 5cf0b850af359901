#!/bin/sh
# `weft plan` and `weft devices`.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"

run 0 plan 1000x1009 --batch 8 --device cpu
grep -q 1009 "$work/out" || fail "the plan does not show its sizes"
cp "$work/out" "$work/first"
run 0 plan 1000x1009@8 --device cpu
cmp -s "$work/out" "$work/first" || fail "--batch 8 and @8 differ"
run 0 plan 60 1000 --precision f64 --threads 2
[ -s "$work/out" ] || fail "two sizes print nothing"

run 0 plan --help
grep -q '^Usage: weft plan' "$work/out" || fail "--help explains nothing"
misuse 1000x1000 plan
misuse 1000x1000 plan 1O24
run 0 plan 60 --precision bf16 --device cpu
grep -q 'single precision, input of bf16, output of bf16' "$work/out" || fail 'storages are missing'
misuse 'f32, f64, f16, bf16 or dd' plan 8 --precision both
misuse 'batch accepts' plan 8 --batch -2
misuse 'estimate or measure' plan 8 --plan-effort patient
misuse 'natural or transposed' plan 8 --order backwards
misuse cpu plan 8 --device nonsense
run 0 plan 6000 --order transposed --device null:shared=8192,threads=64
grep -q '^transposed(6000: ' "$work/out" || fail 'no other order is in the tree'
grep -q 'in the inverse direction' "$work/out" || fail 'the way back is missing'

run 0 plan 64x64 --in-range 0:1/2 --out-range 0:10 --device cpu
grep -q 'takes 32 of 64, keeps 10 of 64' "$work/out" || fail 'what is out of range is not left out'
misuse FIRST:COUNT plan 64 --in-range 1
misuse 'no axis -3' plan 64x64 --in-range -3=0:1 --device cpu

run 0 devices
grep -q '^cpu ' "$work/out" || fail "the CPU is not listed"
run 0 devices --json
precisions='"precisions":\["f32","f64","f16","bf16","dd"\]'
grep -q '^{"name":"cpu","description":".*",'"$precisions"',"memory_bytes":[0-9]*}$' "$work/out" ||
    fail "the CPU's JSON line is not as documented"
run 0 devices --help
grep -q '^Usage: weft devices' "$work/out" || fail "--help explains nothing"
misuse options devices surplus

run 0 plan 1000x1000 --kind c2r --device null
grep -q '^axes(.*real(1000: ' "$work/out" || fail "a real axis is not in the tree"
grep -q 'folded' "$work/out" || fail "half a spectrum is not folded by a pass"

run 0 plan 32768 --kind r2c --device null:shared=2048,threads=32,registers=32
grep -q '^real(32768: split(32768: .*, split(' "$work/out" ||
    fail "rows of half as many reals are not split once more"
