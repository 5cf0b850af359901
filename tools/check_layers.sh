#!/bin/sh
# Checks that includes only point downward, and never in a circle. The table below is the
# statement of the layers: a folder, and those that it may include besides itself.
# Everything may include the public header weft/weft.h and the system's headers.
# usage: tools/check_layers.sh [SOURCE_DIR]      exit status 1 if any include breaks a rule
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

layers='
src/base
src/math    src/base
src/ir      src/math src/base
src/spec    src/math src/base
src/plan    src/spec src/math src/base
src/hook    src/spec src/ir src/math src/base
src/kernel  src/hook src/spec src/ir src/math src/base
src/print   src/ir src/base
src/store   src/base
src/device  src/store src/print src/kernel src/hook src/spec src/ir src/math src/base
src/run     src/device src/store src/plan src/print src/kernel src/hook src/spec src/ir src/math \
            src/base
src/tune    src/run src/device src/store src/plan src/print src/kernel src/hook src/spec src/ir \
            src/math src/base
src/stream  src/run src/device src/store src/plan src/print src/kernel src/hook src/spec src/ir \
            src/math src/base
src/api     src/stream src/tune src/run src/device src/store src/plan src/print \
            src/kernel src/hook src/spec src/ir src/math src/base
tools       src/print src/kernel src/hook src/spec src/ir src/math src/base
include/weft
reference
cli         reference
bench       reference
examples
compat
'

find src include tools reference cli bench examples compat -type f -name '*.[ch]' 2>/dev/null |
sort | awk -v layers="$layers" '
function folder_of(path,    words) {
    split(path, words, "/")
    return words[1] == "src" || words[1] == "include" ? words[1] "/" words[2] : words[1]
}

function complain(where, what) {
    print where ": " what
    broken = 1
}

# The file that an include in quotes or of the public header means, or "" for none of ours.
function resolve(from, name,    beside) {
    if (("include/" name) in ours) return "include/" name
    if (("src/" name) in ours) return "src/" name
    if (name in ours) return name
    beside = from
    sub(/[^\/]*$/, "", beside)
    return (beside name) in ours ? beside name : ""
}

# A backend is one folder: none may lean on another, but for gpu, which is what several share.
function crosses_backends(from, to,    a, b) {
    return split(from, a, "/") == 4 && split(to, b, "/") == 4 && a[2] == "device" &&
           b[2] == "device" && a[3] != b[3] && b[3] != "gpu"
}

function check_include(from, where, name, quoted,    to, here, there) {
    to = resolve(from, name)
    if (to == "") {
        if (quoted) complain(where, "\"" name "\" is no file of this project")
        return
    }
    if (from ~ /^src\// && to ~ /^src\// && to != "src/" name)
        complain(where, "\"" name "\" is not written from src/")
    here = folder_of(from)
    there = folder_of(to)
    if (here != there && there != "include/weft" && !((here, there) in allowed))
        complain(where, here " must not include " there " (" name ")")
    if (crosses_backends(from, to)) complain(where, "a backend includes another (" name ")")
    edge[from, ++edges[from]] = to
}

function read_includes(path,    line, number, name) {
    while ((getline line < path) > 0) {
        number++
        if (line !~ /^[ \t]*#[ \t]*include[ \t]*["<]/) continue
        name = line
        sub(/^[^"<]*["<]/, "", name)
        sub(/[">].*$/, "", name)
        check_include(path, path ":" number, name, line ~ /include[ \t]*"/)
    }
    close(path)
}

# state: 1 while its includes are being followed, 2 once they have been.
function follow(path, trail,    i) {
    if (state[path] == 2) return
    trail = trail (trail == "" ? "" : " -> ") path
    if (state[path] == 1) {
        complain(path, "includes itself: " trail)
        return
    }
    state[path] = 1
    for (i = 1; i <= edges[path]; i++) follow(edge[path, i], trail)
    state[path] = 2
}

BEGIN {
    gsub(/\\\n/, "", layers)
    count = split(layers, rows, "\n")
    for (i = 1; i <= count; i++) {
        words = split(rows[i], row, " ")
        if (words) known[row[1]] = 1
        for (j = 2; j <= words; j++) allowed[row[1], row[j]] = 1
    }
}

{ ours[$0] = 1; files[++file_count] = $0 }

END {
    for (i = 1; i <= file_count; i++) {
        if (!(folder_of(files[i]) in known))
            complain(files[i], "its folder has no row in the table of layers")
        read_includes(files[i])
    }
    for (i = 1; i <= file_count; i++) follow(files[i], "")
    if (file_count == 0) complain(".", "no source files found")
    exit broken
}'
