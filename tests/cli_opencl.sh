#!/bin/sh
# The command on OpenCL devices: they are listed, checked, transformed on, and shown; and a machine
# without OpenCL says so in one line.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"

misuse 'OpenCL: switched off' check 8 --device opencl:0
run 0 devices
! grep -q opencl "$work/out" || fail "OpenCL is listed where it is switched off"

unset WEFT_OPENCL
export WEFT_CACHE_DIR="$work/kernels" POCL_CACHE_DIR="$work/pocl"
mkdir "$POCL_CACHE_DIR"
export ASAN_OPTIONS="detect_leaks=0:use_sigaltstack=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
run 0 devices
grep -q '^opencl:0 ' "$work/out" || { echo "no OpenCL device here"; exit 77; }

misuse 'OpenCL: there is no device 99' check 8 --device opencl:99
misuse 'no number of a device' check 8 --device opencl:first

run 0 check 8 --device opencl:0 --inverse --precision f32
grep -q '^2 checked, 0 above' "$work/out" || fail "there is no summary"

run 0 check 7 60 1009 65536 --device opencl:0 --precision f16
run 0 check 60 --device opencl:0 --precision bf16 --kind r2c
! grep -q ABOVE "$work/out" || fail "halves are not right"

run 0 kernel 8 --device opencl:0
grep -q '^__kernel ' "$work/out" || fail "the source is not OpenCL C"

cp "$WEFT_SOURCE_DIR/tests/fuzz/corpus/npy/c16_rank2" "$work/in.npy"
run 0 transform "$work/in.npy" --device cpu "$work/cpu.npy" --precision f32
run 0 transform "$work/in.npy" --device opencl:0 "$work/opencl.npy" --precision f32 --round-trip
[ "$(wc -c <"$work/cpu.npy")" -eq "$(wc -c <"$work/opencl.npy")" ] || fail "the arrays differ"
echo "passed"
