#!/bin/sh
# The examples that need nothing but the library do what they say.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"

"$WEFT_BINARY_DIR/examples/twenty_lines" >"$work/out" 2>"$work/err" || fail "twenty_lines fails"
[ "$(awk '$2 > 7.999 && $2 < 8.001 { print $1 }' "$work/out")" = 6 ] ||
    fail "a wave of one frequency is not found"

"$WEFT_BINARY_DIR/examples/one_channel" >"$work/out" 2>"$work/err" || fail "one_channel fails"
[ "$(cat "$work/out")" = "red: stripes of 0.100
green: stripes of 0.000
blue: stripes of 0.100" ] || fail "not the one channel is filtered"
