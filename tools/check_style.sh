#!/bin/sh
# Checks what a formatter leaves open: no tabs, no blanks at the end of a line, at most 100
# columns, and at most 500 lines in a C file outside tests/.
# usage: tools/check_style.sh [SOURCE_DIR]      exit status 1 if anything breaks a rule
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

find src include tools reference cli bench examples compat tests cmake .ci CMakeLists.txt \
    -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.cmake' -o -name CMakeLists.txt \) \
    2>/dev/null | sort | awk '
BEGIN { most_columns = 100; most_lines = 500 }

function complain(what) {
    print path ":" number ": " what
    broken = 1
}

{
    path = $0
    number = 0
    while ((getline line < path) > 0) {
        number++
        if (line ~ /\t/) complain("a tab")
        if (line ~ /[ \t\r]$/) complain("blanks at the end of the line")
        gsub(/[\200-\277]/, "", line) # columns, not bytes: continuation bytes of UTF-8
        if (length(line) > most_columns)
            complain(length(line) " columns, more than " most_columns)
    }
    close(path)
    if (path ~ /\.[ch]$/ && path !~ /^tests\// && number > most_lines)
        complain(number " lines, more than " most_lines)
}

END { exit broken }'
