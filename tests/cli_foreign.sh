#!/bin/sh
# The instruction set of another processor: the library is built for AArch64, and what NEON makes of
# transforms in an emulator is compared with the reference here. Once, by the plain build of gcc.
set -eu
skip() {
    echo "skipped: $*"
    exit 77
}

compiler=aarch64-linux-gnu-gcc
[ -z "${WEFT_SANITIZE:-}" ] || skip "an emulator and a sanitizer do not go together"
case $CC in *clang*) skip "the plain build of gcc does it" ;; esac
command -v "$compiler" >/dev/null || skip "$compiler is not here: gcc-aarch64-linux-gnu"
command -v qemu-aarch64 >/dev/null || skip "qemu-aarch64 is not here: qemu-user"

build=$WEFT_BINARY_DIR/aarch64
quietly() {
    "$@" >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
}

cd "$WEFT_SOURCE_DIR"
quietly cmake -S . -B "$build" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DWEFT_COMMAND=OFF \
    -DWEFT_HOST_CODELETS="$WEFT_BINARY_DIR/codelets" -DWEFT_CODELET_FLAGS=-O1
quietly cmake --build "$build" -j "$(nproc)" --target weft_internal
objects=$build/CMakeFiles/weft_upper.dir/src/device/cpu
for file in core sum matrix mirror factors resample; do # sums of products are fused
    "${compiler%gcc}objdump" -d "$objects/${file}_basic.c.o" | grep -q fmla
done
support=tests/support
quietly "$compiler" -std=gnu11 -O2 -static -I. -Iinclude -Isrc -Itests tests/foreign/check_cpu.c \
    $support/devices.c $support/exact.c $support/guarded.c $support/random.c $support/trial*.c \
    reference/*.c "$build/libweft_internal.a" -lm -lpthread -o "$build/check_cpu"
quietly $CC -std=gnu11 -O2 -I. -Iinclude -Isrc -Itests tests/foreign/check_cpu.c \
    "$WEFT_BINARY_DIR/libtest_support.a" "$WEFT_BINARY_DIR/libreference.a" \
    "$WEFT_BINARY_DIR/libweft_internal.a" -lm -ldl -lpthread -o "$build/compare_cpu"
WEFT_CACHE_DIR= quietly qemu-aarch64 "$build/check_cpu" compute "$build.results"
quietly "$build/compare_cpu" compare "$build.results"
rm "$build.results"
cat "$build.log"
grep -q '^cpu (neon): 0 of' "$build.log"
