#!/bin/sh
# `weft bench`: every case is one JSON line with all its keys, and the mean comes last.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"

number='-\{0,1\}[0-9][0-9.e+-]*'

# All lines but the last are cases, of these rivals: a pattern of a list; and of a table, or null.
expect_lines() {
    count=$1
    rivals=$2
    keys='^{"kind":"[a-z0-9]*","dims":\[[0-9,]*\],"batch":[0-9]*,"precision":"f[0-9]*",'
    keys=$keys'"device":"cpu","threads":[0-9]*,"in_place":[a-z]*,"cold":[a-z]*,"seconds":'$number
    keys=$keys',"spread":'$number',"rate":'$number',"fraction_of_bound":'$number
    keys=$keys',"first_plan_seconds":'$number',"disk_plan_seconds":null,"plan_seconds":'$number
    keys=$keys',"scratch_bytes":'$number',"whole_seconds":'${4:-null}
    keys=$keys',"rivals":\['$rivals'\],"table":'"${3:-null}"'}$'
    [ "$(grep -c "$keys" "$work/out")" -eq "$count" ] || fail "not $count lines with all keys"
    [ "$(wc -l <"$work/out")" -eq $((count + 1)) ] || fail "not $((count + 1)) lines"
}

expect_mean() {
    tail -n 1 "$work/out" | grep -q '^{"geometric_mean":{'"$1"'}}$' ||
        fail "the mean does not come last"
}

# One rival by its name.
rival() {
    echo '{"name":"'"$1"'","seconds":'"$number"',"spread":'"$number"',"ratio":'"$number"','\
'"plan_seconds":'"$number"',"work_bytes":null}'
}

# Runs it against a library; false: it is not here, which one line says.
run_or_missing() {
    title=$1
    shift
    status=0
    "$WEFT" bench --device cpu "$@" >"$work/out" 2>"$work/err" || status=$?
    [ "$status" -ne 0 ] || return 0
    grep -q "^weft bench: $title is not installed" "$work/err" || fail "bench against $title fails"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "more than one line about $title"
    return 1
}

run 0 bench --vs none --device cpu --json 16 8x6 12@5
expect_lines 6 ''
expect_mean ''

run 0 bench --vs none --device cpu --json --cold --kind r2c,dct3 --in-place -p f32 5x7@3
expect_lines 2 ''
[ "$(grep -c '"kind":"r2c".*"in_place":true,"cold":true' "$work/out")" -eq 1 ] ||
    fail "not as it was asked for"

# Ranges are timed beside the whole, in place too.
run 0 bench --vs none --device cpu --json --kind c2c,r2c 12x16 --in-range 0:1/2 --out-range 0=2:5
expect_lines 4 '' null "$number"
run 0 bench --vs none --device cpu --kind c2r --in-place 6x5@2 --out-range 1=1:2
grep -q '| *whole *ratio' "$work/out" || fail "the table does not tell of the whole"
misuse FIRST:COUNT bench 8 --device cpu --in-range 5
run 1 bench 8 --device cpu --vs none --out-range 0:9
grep -q 'out_count\[0\] is 9' "$work/err" || fail "what is no range is not answered by a reason"

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

run 0 bench --vs none --device cpu --markdown "$work/table.md" --kind c2c,dht 8 6x5
grep -q '^| kind | precision | threads |$' "$work/table.md" || fail "there is no table of means"
[ "$(grep -c '^| 6x5 | [0-9]' "$work/table.md")" -eq 2 ] || fail "a case is not in a table"
awk -F'|' '/^\|/ { if (cells && NF != cells) exit 1; cells = NF; next } { cells = 0 }' \
    "$work/table.md" || fail "a row is longer than its heading"

run 1 bench --vs none 8 --precision f32 --plot "$work/nowhere/plot.svg"
grep -q 'nowhere' "$work/err" || fail "an unwritable plot is not named"
run 1 bench --vs none 8 --precision f32 --markdown "$work/nowhere/table.md"
grep -q 'nowhere' "$work/err" || fail "an unwritable table is not named"

run 0 bench --help
grep -q '^Usage: weft bench' "$work/out" || fail "--help explains nothing"

misuse 'vkfft or none' bench 8 --vs nonsense
misuse 'vkfft or none' bench 8 --device cpu --vs fftw,nonsense
misuse 'cannot work' bench 8 --device cpu --vs cufft
misuse 1000x1000 bench 8y8
run 0 bench --vs none --device cpu --megabytes 1 --precision dd 100
grep -q '^100.* dd ' "$work/out" || fail "double-double is not timed"
run 0 bench --vs none --device cpu --kind c2c,c2r --precision f16 --plot "$work/half.svg" 64 100
[ "$(grep -c ' f16 ' "$work/out")" -eq 4 ] || fail "halves are not timed"
run 0 bench --vs none --device null --kind r2c --precision bf16 --megabytes 0 12
misuse 'f32, f64, f16, bf16, dd or both' bench 8 --precision f17 --vs none
misuse 'estimate or measure' bench 8 --plan-effort none --vs none
misuse 'natural or transposed' bench 8 --order none
misuse 'accepts none' bench 8 --order transposed --vs fftw --device cpu
misuse '0 to 4096 or all' bench 8 --threads 5000 --vs none
misuse '0 to 4096 or all' bench 8 --threads some --vs none
misuse 'c2c, r2c, c2r' bench 8 --kind c2c,nonsense --vs none
misuse "of the CPU's caches" bench 8 --device opencl:0 --cold --vs none
run 2 bench --device cpu --vs none --table "$WEFT_SOURCE_DIR/tests/rates.tsv"
grep -q 'must name fftw' "$work/err" || fail "a table without FFTW is compared with"
misuse cpu bench 8 --vs none --device nonsense

# Two rivals in turns, each by its own library. What one of them cannot is left out.
WEFT_MKL=$WEFT_BINARY_DIR/tests/fake/libfake_mkl.so
export WEFT_MKL
if run_or_missing 'KISS FFT' --vs mkl,kissfft --json --kind c2r -p f32 24; then
    grep -q '"kind":"c2r","dims":\[24\].*"mkl","seconds":[0-9].*"kissfft","seconds":[0-9]' \
        "$work/out" || fail "one of two rivals is not timed"
    run 0 bench --device cpu --vs mkl,kissfft --json --kind r2c -p f32 15@3
    grep -q '"kind":"r2c","dims":\[15\].*"mkl","seconds":[0-9].*"kissfft","seconds":null' \
        "$work/out" || fail "KISS FFT has no reals of odd length"
    run 0 bench --device cpu --vs mkl,kissfft --json -p f32 6x10
    grep -q '"kind":"c2c","dims":\[6,10\].*"mkl","seconds":null.*"kissfft","seconds":[0-9]' \
        "$work/out" || fail "a rival that cannot is not left out"
    run 0 bench --device cpu --vs kissfft --json --kind r2c,c2r -p f32 --in-place 24@2
    expect_lines 2 "$(rival kissfft)"
    run 0 bench 8 --device cpu --vs kissfft --kind dct2 --json
    grep -q 'no transform of that' "$work/err" || fail "what is left out is not said"
    grep -q '"kissfft","seconds":null' "$work/out" || fail "KISS FFT has a cosine transform"
fi
run 0 bench --device cpu --vs mkl --json --kind r2c,c2r --in-place 16@3
expect_lines 4 "$(rival mkl)"
WEFT_MKL=$work/nowhere.so
run 1 bench 8 --device cpu --vs mkl
grep -q 'MKL is not installed.*pip install mkl' "$work/err" || fail "how to get MKL is not said"
[ "$(wc -l <"$work/err")" -eq 1 ] || fail "more than one line about MKL"

# Against FFTW if it is here; if it is not, one line says so.
run_or_missing FFTW --vs fftw --json 16 60 17 4x9@3 || exit 0
expect_lines 8 "$(rival fftw)"
expect_mean '"fftw":'"$number"
for kind in c2c r2c c2r dct1 dct2 dct3 dct4 dst1 dst2 dst3 dst4 dht; do
    run 0 bench --device cpu --json --kind $kind --precision f64 5x6@3
    expect_lines 1 "$(rival fftw)"
done
run 0 bench --device cpu --json --kind c2c,r2c,c2r,dct3 -p f64 9x10@2 \
    --in-range 0=7:5 --out-range 1:2/3
expect_lines 4 "$(rival fftw)" null "$number"
run 0 bench --device cpu --json --in-place --kind c2c,r2c,c2r,dct2 -p f64 --threads 2 9x10@2
expect_lines 4 "$(rival fftw)"

# The rows of a table that can be run; each other one is named.
run 0 bench --device cpu --table "$WEFT_SOURCE_DIR/tests/rates.tsv" --json
best='{"best":"[a-z_]*","ratio":'$number',"standing":'$number'}'
expect_lines 4 "$(rival fftw)" "$best"
expect_mean '"fftw":'"$number"',"table":'"$number"
grep -q '"kind":"c2c","dims":\[16\].*"best":"other","ratio":2.0,' "$work/out" ||
    fail "the best of the row is another one"
for line in 8 9 10 11 12; do
    grep -q "rates.tsv: line $line: " "$work/err" || fail "line $line is not named"
done
[ "$(wc -l <"$work/err")" -eq 5 ] || fail "more lines are named than those that cannot be run"
run 0 bench --device cpu --table "$WEFT_SOURCE_DIR/tests/rates.tsv" --json --kind r2c -p f32 16
expect_lines 1 "$(rival fftw)" "$best"
run 1 bench --device cpu --table "$WEFT_SOURCE_DIR/tests/rates.tsv" --kind dst4
grep -q 'no row is as it was asked for' "$work/err" || fail "a table without rows is measured"
printf 'kind\tprecision\n' >"$work/rates.tsv"
run 1 bench --device cpu --table "$work/rates.tsv"
grep -q 'line 1: expected columns kind,' "$work/err" || fail "what is missing is not said"
