#!/bin/sh
# The public headers stand alone: as C11 and as C++17 they compile without a warning.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/header.c" <<'END'
#include <weft/configure.h>

weft_params header_defaults(void);

weft_params header_defaults(void)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    return params;
}
END

# Compiles it: $1 is the language, the rest is the compiler.
compile() {
    language=$1
    shift
    "$@" -std="$language" -pedantic-errors -Wall -Wextra -Werror -I"$WEFT_SOURCE_DIR/include" \
        -fsyntax-only "$work/header.c" || { echo "FAILED: the header as $language" >&2; exit 1; }
}

compile c11 "$CC"

# Any C++ compiler will do; a C compiler may lack the other half.
for compiler in "${CXX:-c++}" g++ clang++ "$CC"; do
    if echo 'int main() {}' | "$compiler" -x c++ -fsyntax-only - 2>/dev/null; then
        compile c++17 "$compiler" -x c++
        exit 0
    fi
done
echo "no C++ compiler: tried as C11 alone"
