#!/bin/sh
# The command on Vulkan devices: they are listed, and every subcommand works on them; a machine
# without Vulkan says so in one line; and the example filters.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"

misuse 'Vulkan: switched off' check 8 --device vulkan:0
run 0 devices
! grep -q vulkan "$work/out" || fail "Vulkan is listed where it is switched off"

unset WEFT_VULKAN
export WEFT_CACHE_DIR="$work/kernels"
export ASAN_OPTIONS="detect_leaks=0:use_sigaltstack=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
run 0 devices
grep -q '^vulkan:0 ' "$work/out" || { echo "no Vulkan device here"; exit 77; }

misuse 'Vulkan: there is no device 99' check 8 --device vulkan:99
misuse 'no number of a device' check 8 --device vulkan:first

run 0 check 8 --device vulkan:0 --inverse --precision f32
grep -q '^2 checked, 0 above' "$work/out" || fail "there is no summary"

run 0 plan 1000x1009 --device vulkan:0
grep -q '^pass ' "$work/out" || fail "there is no plan"

run 0 kernel 8 --device vulkan:0
grep -q '^OpEntryPoint GLCompute %1 "weft_' "$work/out" || fail "the kernel is not shown as SPIR-V"

run 0 tune 16 --device vulkan:0
run 0 bench 16 --megabytes 1 --device vulkan:0
run 0 bench 16 --megabytes 1 --device vulkan:0,rpi5 --precision f32
WEFT_VKFFT_VULKAN=/nowhere/adapter.so
export WEFT_VKFFT_VULKAN
run 1 bench 16 --megabytes 1 --device vulkan:0 --vs vkfft
grep -q 'WEFT_VKFFT_VULKAN names' "$work/err" || fail "a missing adapter is not told"
misuse 'cannot work' bench 16 --device vulkan:0 --vs cufft

cp "$WEFT_SOURCE_DIR/tests/fuzz/corpus/npy/c16_rank2" "$work/in.npy"
run 0 transform "$work/in.npy" --device cpu "$work/cpu.npy" --precision f32
run 0 transform "$work/in.npy" --device vulkan:0 "$work/vulkan.npy" --precision f32 --round-trip
[ "$(wc -c <"$work/cpu.npy")" -eq "$(wc -c <"$work/vulkan.npy")" ] || fail "the arrays differ"

# The example keeps the stripes, and not the shade from left to right: in a row of the picture after
# the filter both quarters at the ends are half grey on average.
"$WEFT_BINARY_DIR/examples/vulkan_band_pass" "$work/band.pgm" >"$work/out" 2>"$work/err" ||
    fail "the example fails"
grep -q '1024 x 1024' "$work/out" || fail "the example says nothing"
tail -c $((2048 * 512 - 1024)) "$work/band.pgm" | head -c 1024 | od -An -v -tu1 -w1 | awk '
    NR <= 256 { left += $1 }
    NR > 768 { right += $1 }
    END { exit !(NR == 1024 && left > 256 * 118 && left < 256 * 138 &&
                 right > 256 * 118 && right < 256 * 138) }
' || fail "the filter of the example lets the shade pass"
echo "passed"
