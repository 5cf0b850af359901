#!/bin/sh
# `weft plan` and `weft devices`.
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

misuse() {
    hint=$1
    shift
    run 2 "$@"
    [ ! -s "$work/out" ] || fail "weft $* prints something"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "weft $* says more than one line"
    grep -q -- "$hint" "$work/err" || fail "weft $* does not say what is accepted"
}

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
misuse 'f32 or f64' plan 8 --precision both
misuse 'batch accepts' plan 8 --batch -2
misuse 'estimate or measure' plan 8 --plan-effort patient
misuse cpu plan 8 --device nonsense

run 0 devices
grep -q '^cpu ' "$work/out" || fail "the CPU is not listed"
run 0 devices --json
grep -q '^{"name":"cpu","description":".*","precisions":\["f32","f64"\],"memory_bytes":[0-9]*}$' \
    "$work/out" || fail "the CPU's JSON line is not as documented"
run 0 devices --help
grep -q '^Usage: weft devices' "$work/out" || fail "--help explains nothing"
misuse options devices surplus
