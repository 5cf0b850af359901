# What the tests of subcommands share; they source it. The command's last output is in $work/out and
# $work/err.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    cat "$work/out" "$work/err" >&2
    exit 1
}

# Runs the command: the first argument is the exit status it must have.
run() {
    expected=$1
    shift
    status=0
    "$WEFT" "$@" >"$work/out" 2>"$work/err" || status=$?
    [ "$status" -eq "$expected" ] || fail "weft $* exits $status, not $expected"
}

# What is misused is answered by nothing but one line that holds the first argument.
misuse() {
    hint=$1
    shift
    run 2 "$@"
    [ ! -s "$work/out" ] || fail "weft $* prints something"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "weft $* says more than one line"
    grep -q -- "$hint" "$work/err" || fail "weft $* does not say what is accepted"
}
