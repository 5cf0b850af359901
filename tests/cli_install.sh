#!/bin/sh
# What is installed serves a stranger: programs are built with pkg-config and with find_package,
# against the shared and the static library, and the libraries show nothing but the public names.
set -eu
[ -z "${WEFT_SANITIZE:-}" ] || { echo "skipped: a sanitized library needs the sanitizer"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/usr

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

cmake --install "$WEFT_BINARY_DIR" --prefix "$prefix" >"$work/install.log"
library=$(find "$prefix" -name libweft.so)
[ -n "$library" ] || fail "no libweft.so was installed"
libdir=$(dirname "$library")

# The shared library shows the versioned weft_ functions and needs libc and libm alone.
readelf -d "$library" | grep -q 'SONAME.*\[libweft\.so\.0\]' ||
    fail "the soname is not libweft.so.0"
foreign=$(nm -D --defined-only "$library" |
    awk '$2 != "A" && $3 !~ /^weft_.*@@WEFT_0/ { print $3 }')
[ -z "$foreign" ] || fail "libweft.so shows names that are not public: $foreign"
needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
    grep -v -e '^libc\.so' -e '^libm\.so' -e '^ld-linux' || true)
[ -z "$needed" ] || fail "libweft.so needs more than libc and libm: $needed"

# So does the static one.
foreign=$(nm -g --defined-only "$libdir/libweft.a" | awk 'NF == 3 && $3 !~ /^weft_/ { print $3 }')
[ -z "$foreign" ] || fail "libweft.a shows names that are not public: $foreign"

# Every function of the header is there.
header=$prefix/include/weft/weft.h
for name in $(sed -n 's/^WEFT_API [^(]*[ *]\(weft_[a-z_]*\)(.*/\1/p' "$header"); do
    nm -D --defined-only "$library" | grep -q " $name@@" || fail "libweft.so has no $name"
done

cat >"$work/program.c" <<'END'
#include <weft/weft.h>

#include <stdio.h>

int main(void)
{
    float x[8] = {1, 0, 0, 0, 0, 0, 0, 0}, y[8] = {0};
    weft_device *device = NULL;
    weft_buffer *in = NULL, *out = NULL;
    weft_plan *plan = NULL;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = 4;
    if (weft_device_open("cpu", &device) || weft_buffer_wrap(device, x, sizeof x, &in) ||
        weft_buffer_wrap(device, y, sizeof y, &out) || weft_plan_create(device, &params, &plan) ||
        weft_execute(plan, WEFT_FORWARD, in, out)) {
        fprintf(stderr, "%s\n", weft_last_error());
        return 1;
    }
    printf("%s %g %g\n", weft_version(), y[0], y[6]);
    weft_plan_destroy(&plan);
    weft_buffer_destroy(&out);
    weft_buffer_destroy(&in);
    weft_device_close(&device);
    return 0;
}
END
version=$(sed -n 's/^#define WEFT_VERSION_[A-Z]* //p' "$header" | paste -sd. -)
expected="$version 1 1"

# With pkg-config, from where it was installed and from where it was moved to.
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion weft)" = "$version" ] || fail "weft.pc tells another version"
$CC -o "$work/shared" "$work/program.c" $(pkg-config --cflags --libs weft)
[ "$(LD_LIBRARY_PATH=$libdir "$work/shared")" = "$expected" ] || fail "the shared program"
$CC -o "$work/static" "$work/program.c" $(pkg-config --cflags weft) "$libdir/libweft.a" -lm -pthread
[ "$("$work/static")" = "$expected" ] || fail "the static program"

# With CMake.
mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(stranger C)
find_package(weft 0.1 REQUIRED)
add_executable(shared ../program.c)
target_link_libraries(shared PRIVATE weft::weft)
add_executable(static ../program.c)
target_link_libraries(static PRIVATE weft::weft_static)
END
cmake -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$CC" >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/project/build" >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
for kind in shared static; do
    [ "$("$work/project/build/$kind")" = "$expected" ] || fail "the $kind program built by CMake"
done

# The command and its manual page came along, and the command runs from there.
"$prefix/bin/weft" --version | grep -q "$version" || fail "the installed command"
[ -f "$prefix/share/man/man1/weft.1" ] || fail "no manual page was installed"

# DESTDIR stages the same tree elsewhere, and it still finds itself there.
mv "$prefix" "$work/moved"
PKG_CONFIG_PATH=$work/moved${libdir#"$prefix"}/pkgconfig
pkg-config --cflags weft | grep -q "moved" || fail "a moved weft.pc points to the old place"
DESTDIR=$work/stage cmake --install "$WEFT_BINARY_DIR" --prefix /usr >"$work/install.log"
[ -f "$work/stage/usr/include/weft/weft.h" ] || fail "DESTDIR was ignored"
echo "passed"
