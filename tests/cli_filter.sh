#!/bin/sh
# `weft filter`: bands of a picture's frequencies.
. "$WEFT_SOURCE_DIR/tests/support/command.sh"
corpus=$WEFT_SOURCE_DIR/tests/fuzz/corpus/png
cd "$work"

# What all frequencies add up to is the picture, whose spectrum is that of the result then.
run 0 filter "$corpus/rgb16" all.png --band 0:
grep -q '^kept  *100 %' out || fail "not all of the power is kept"
run 0 filter all.png again.png --band : --spectrum both.png
cmp all.png again.png || fail "a filter that keeps everything changes something"
head -c 4 both.png | grep -q PNG || fail "the spectrum is no PNG"

# Without frequency 0 the mean is grey; of a band that holds nothing else, nothing is left.
run 0 filter all.png fine.png --band 0.3:0.5 --falloff 0.05
grep -q 'falloff 0.05' out || fail "the falloff is not told"
run 0 filter all.png none.png --band 9:9 --falloff 0
grep -q '^kept  *0 %' out || fail "something is kept of nothing"
run 0 transform none.png --json
grep -q '"constant":12[78]' out || fail "what is left of nothing is not grey"
run 0 transform fine.png --json
grep -q '"constant":12[5-9]\|"constant":13[0-1]' out || fail "the mean is not grey"

# Every device filters alike.
run 0 filter "$corpus/interlaced" low.png --band :0.1 --device null
run 0 filter "$corpus/interlaced" low_on_cpu.png --band :0.1 --device cpu
cmp low.png low_on_cpu.png || fail "devices differ"

# What is wrong is told, and nothing is written.
refuse() {
    misuse "$@"
    [ ! -e result.png ] || fail "weft $* leaves a file behind"
}
refuse 'LOW:HIGH' filter all.png result.png
for band in 0.1 0.2:0.1 a:b -1:2 0.1:0.2: 0.1:x nan:1; do
    refuse 'LOW:HIGH' filter all.png result.png --band "$band"
done
refuse 'falloff' filter all.png result.png --band 0:1 --falloff -1
refuse 'IN.png OUT.png' filter all.png --band 0:1
refuse 'different names' filter all.png result.png --band 0:1 --spectrum result.png
refuse 'is no picture' filter "$WEFT_SOURCE_DIR/tests/fuzz/corpus/sound/flac" result.png --band 0:1
run 1 filter missing.png result.png --band 0:1
run 1 filter "$corpus/cut_short" result.png --band 0:1
[ ! -e result.png ] || fail "a failure leaves a file behind"
run 1 filter all.png again.png --band 0:1 --spectrum /dev/full
cmp all.png again.png || fail "a failure touched the output"
