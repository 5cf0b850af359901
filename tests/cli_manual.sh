#!/bin/sh
# The manual page has a section for every subcommand, and in it exactly the options of its --help.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"
manual=$WEFT_SOURCE_DIR/docs/weft.1

# The long options that begin a line of the standard input, after their short forms.
options() {
    sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}--\([a-z-]*\).*/\2/p' | grep -v '^help$' | sort
}

run 0 --help
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$work/out")
[ -n "$commands" ] || fail "no subcommand is listed"
for command in $commands; do
    run 0 "$command" --help
    options <"$work/out" >"$work/helped"
    # Without the requests and escapes of roff; what follows .TP begins a line.
    awk -v section=".SS weft $command" '
        /^\.S[SH]/ { inside = $0 == section; next }
        inside && tagged { print }
        { tagged = $0 == ".TP" }' "$manual" |
        sed -e 's/^\.[BIR]* *//' -e 's/\\f[A-Z]//g' -e 's/\\-/-/g' -e 's/\\ / /g' -e 's/"//g' \
            -e 's/ , / /' -e 's/^\(-[a-zA-Z]\)[, ]* /\1, /' |
        options >"$work/told"
    diff "$work/helped" "$work/told" >"$work/out" || fail "docs/weft.1 and weft $command --help"
    [ -s "$work/told" ] || fail "weft $command has no options"
done
