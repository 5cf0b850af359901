#!/bin/sh
# The checker of the layers finds what it is there to find, and nothing in a tree that is in order.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check=$WEFT_SOURCE_DIR/tools/check_layers.sh

# Makes a tree in order: arguments are pairs of a file and what it includes.
tree() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/include/weft"
    : >"$work/tree/include/weft/weft.h"
    while [ $# -gt 0 ]; do
        mkdir -p "$work/tree/$(dirname "$1")"
        printf '%s\n' "$2" >>"$work/tree/$1"
        shift 2
    done
}

accepts() {
    sh "$check" "$work/tree" >"$work/out" || { echo "FAILED: $1"; cat "$work/out"; exit 1; }
}

# The reason given has to hold the second argument.
refuses() {
    ! sh "$check" "$work/tree" >"$work/out" || { echo "FAILED: accepted $1"; exit 1; }
    grep -q -- "$2" "$work/out" && return
    echo "FAILED: $1 is refused for another reason"
    cat "$work/out"
    exit 1
}

tree src/base/text.h '#include <stddef.h>' src/math/roots.c '#include "base/text.h"' \
    cli/main.c '#include <weft/weft.h>' reference/exact.h '' \
    cli/check.c '#include "reference/exact.h"'
accepts "includes that point downward"

tree src/math/roots.h '' src/base/text.c '#include "math/roots.h"'
refuses "an include that points upward" "must not include src/math"

tree src/base/text.h '' cli/main.c '#include "src/base/text.h"'
refuses "a command that looks inside the library" "cli must not include src/base"

tree src/base/text.h '' reference/exact.c '#  include "base/text.h"'
refuses "a reference that is not independent" "reference must not include"

tree src/base/a.h '#include "base/b.h"' src/base/b.h '#include "base/c.h"' \
    src/base/c.h '#include "base/a.h"'
refuses "a circle" "includes itself"

tree src/device/cpu/a.h '' src/device/null/b.c '#include "device/cpu/a.h"'
refuses "a backend that leans on another" "a backend includes another"

tree src/device/gpu/a.h '' src/device/opencl/b.c '#include "device/gpu/a.h"'
accepts "a backend that leans on what several share"

tree src/base/a.h '' src/base/b.c '#include "a.h"'
refuses "an include that is not written from src/" "not written from src/"

tree src/base/b.c '#include "base/gone.h"'
refuses "an include of nothing" "is no file of this project"

tree src/novel/b.c ''
refuses "a folder without a layer" "no row in the table"
echo "passed"
