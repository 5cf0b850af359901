#!/bin/sh
# Checks what a formatter leaves open: no tabs, no blanks at the end of a line, at most 100
# columns, at most 500 lines in a C file, and no comment that names an experiment
# which docs/experiments lacks.
# usage: tools/check_style.sh [SOURCE_DIR]      exit status 1 if anything breaks a rule
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

broken=0
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
    if (path ~ /\.[ch]$/ && number > most_lines)
        complain(number " lines, more than " most_lines)
}

END { exit broken }' || broken=1

# Names of experiments that comments tell, which may go on in the next line.
named=$(find src cli cmake -type f -exec cat {} + | tr '\n' ' ' | sed 's/ *[*#]  */ /g' |
    grep -o '[Ee]xperiments\{0,1\} "[^"]*"\(\(,\| and\|, and\) "[^"]*"\)*' |
    grep -o '"[^"]*"' | sort -u)
written=$(cat docs/experiments/*.md | grep -o '^#* *Experiments\{0,1\} .*' | grep -o '"[^"]*"')
missing=$(echo "$named" | grep -v -x -F "$written")
[ -z "$missing" ] || { echo "docs/experiments: no experiments" $missing; broken=1; }
exit "$broken"
