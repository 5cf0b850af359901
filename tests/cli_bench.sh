#!/bin/sh
# `weft bench`: every case is one JSON line with all its keys, and the mean comes last.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"

number='-\{0,1\}[0-9][0-9.e+-]*'

# All lines but the last are cases, of these rivals: a pattern of a list.
expect_lines() {
    count=$1
    rivals=$2
    keys='^{"kind":"c2c","dims":\[[0-9,]*\],"batch":[0-9]*,"precision":"f[0-9]*","device":"cpu",'
    keys=$keys'"threads":[0-9]*,"seconds":'$number',"fraction_of_bound":'$number
    keys=$keys',"first_plan_seconds":'$number',"disk_plan_seconds":null,"plan_seconds":'$number
    keys=$keys',"scratch_bytes":'$number',"rivals":\['$rivals'\]}$'
    [ "$(grep -c "$keys" "$work/out")" -eq "$count" ] || fail "not $count lines with all keys"
    [ "$(wc -l <"$work/out")" -eq $((count + 1)) ] || fail "not $((count + 1)) lines"
}

expect_mean() {
    tail -n 1 "$work/out" | grep -q '^{"geometric_mean":{'"$1"'}}$' ||
        fail "the mean does not come last"
}

fftw='{"name":"fftw","seconds":'$number',"ratio":'$number',"plan_seconds":'$number
fftw=$fftw',"work_bytes":null}'

run 0 bench --vs none --device cpu --json 16 8x6 12@5
expect_lines 6 ''
expect_mean ''

run 0 bench --vs none --device cpu --json --megabytes 1 --precision f32 1000 100@3
grep -q '"dims":\[1000\],"batch":131,' "$work/out" || fail "a batch does not fill a megabyte"
grep -q '"dims":\[100\],"batch":3,' "$work/out" || fail "a batch that was asked for is not kept"

run 0 bench --vs none --device null --json --megabytes 0 --precision f32 6
grep -q '"dims":\[6\]' "$work/out" || fail "the null device cannot be timed"

run 0 bench --vs none --device cpu --plot "$work/plot.svg" 8,16,32,60
grep -q '^60 .*f64' "$work/out" || fail "a case is not in the table"
head -n 1 "$work/plot.svg" | grep -q '^<svg ' || fail "the plot is no SVG"
tail -n 1 "$work/plot.svg" | grep -q '^</svg>' || fail "the plot does not end"
[ "$(grep -c '<circle' "$work/plot.svg")" -eq 8 ] || fail "the plot does not show all cases"

run 1 bench --vs none 8 --precision f32 --plot "$work/nowhere/plot.svg"
grep -q 'nowhere' "$work/err" || fail "an unwritable plot is not named"

run 0 bench --help
grep -q '^Usage: weft bench' "$work/out" || fail "--help explains nothing"

misuse 'vkfft or none' bench 8 --vs nonsense
misuse 'vkfft or none' bench 8 --device cpu --vs fftw,nonsense
misuse 'cannot work' bench 8 --device cpu --vs cufft
misuse 1000x1000 bench 8y8
misuse 'f32, f64 or both' bench 8 --precision f16 --vs none
misuse 'estimate or measure' bench 8 --plan-effort none --vs none
misuse '0 to 4096' bench 8 --threads 5000 --vs none
misuse cpu bench 8 --vs none --device nonsense

# Against FFTW if it is here; if it is not, one line says so.
status=0
"$WEFT" bench --vs fftw --device cpu --json 16 60 17 4x9@3 >"$work/out" 2>"$work/err" || status=$?
if [ "$status" -ne 0 ]; then
    grep -q '^weft bench: FFTW is not installed' "$work/err" || fail "bench against FFTW fails"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "more than one line about FFTW"
    exit 0
fi
expect_lines 8 "$fftw"
expect_mean '"fftw":'"$number"
run 0 bench --vs fftw --device cpu --json --in-place --precision f64 --threads 2 64 100
expect_lines 2 "$fftw"
