#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh ROOT: check the #includes and the CMakeLists.txt of ROOT/lib and ROOT/app against layers.txt, and that
# no code parses a message written for users: findings are data (lib/model/finding.hpp).
# Prints "file:line: what" for each violation. Exit code 1: there are violations; 2: there is nothing to read.
set -eu
list=$(dirname "$0")/layers.txt
cd "$1"
sources=$(find lib app -type f \( -name '*.[ch]pp' -o -name '*.[ch]' -o -name '*.inl' -o -name CMakeLists.txt \) |
    LC_ALL=C sort)
[ -n "$sources" ] || { echo "no sources under $1" >&2; exit 2; }

# shellcheck disable=SC2086  # no file name in the repository contains a space
exec awk '
# The folder that a path belongs to, as layers.txt names it; "" for lib/ and app/ themselves.
function owner_of(path,    part) {
    if (split(path, part, "/") < 3) return ""
    return part[1] == "lib" ? part[2] : part[1] "/" part[2]
}
function complain(what) { print FILENAME ":" FNR ": " what; bad++ }

# The list.
FNR == NR {
    sub(/#.*/, "")
    if (NF == 0) next
    listed[$1] = 1
    for (i = 2; i <= NF; i++) {
        if (!($i in listed)) complain("layers.txt: " $1 " uses " $i ", which no line above it lists")
        may[$1, $i] = 1
    }
    if ($1 ~ /^</) restricted[substr($1, 2, length($1) - 2)] = $1
    next
}

FNR == 1 {
    me = owner_of(FILENAME)
    if (me != "" && !(me in listed)) complain("layers.txt does not list the folder " me)
    call = keyword = ""
}

# The folders that a target uses: kwb_library(<name> ... DEPENDS <folders>), and kwb_<folder> in any list of libraries.
FILENAME ~ /CMakeLists\.txt$/ {
    if (me == "") next
    exists[me] = 1
    sub(/#.*/, "")
    gsub(/[()]/, " & ")
    for (i = 1; i <= NF; i++) {
        if ($i == "(") call = $(i - 1)
        else if ($i == ")") call = keyword = ""
        else if ($i ~ /^[A-Z_]+$/) keyword = $i
        else if (call == "kwb_library" && keyword == "DEPENDS") uses($i)
        else if ($i ~ /^kwb_[a-z]+$/ && substr($i, 5) in listed) uses(substr($i, 5))
    }
    next
}
function uses(folder) {
    named[me, folder] = 1
    if (folder != me && !((me, folder) in may)) complain(me " may not link " folder)
}

/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    header = $0
    sub(/^[^"<]*/, "", header)
    quoted = substr(header, 1, 1) == "\""
    header = substr(header, 2)
    sub(/[">].*/, "", header)
    folder = index(header, "/") ? substr(header, 1, index(header, "/") - 1) : ""

    rule = header in restricted ? restricted[header] : (folder "/") in restricted ? restricted[folder "/"] : ""
    if (rule != "" && !((rule, me) in may)) complain(me " may not include <" header ">")

    if (folder == "" || folder == me || "app/" folder == me) next
    if (folder in listed) {
        if (!((me, folder) in may)) complain(me " may not include " folder " (\"" header "\")")
    } else if (quoted) complain("\"" header "\" is in no folder of layers.txt")
}

# Messages written for users, recognised by their usual names and by the functions that create them.
FILENAME !~ /CMakeLists\.txt$/ && $0 ~ ("(reason|sentence|obstacle|warning|advice|refusal|finding|what[(][)]|" \
    "(sentence_of|words_of|describe[a-z_]*|to_string)[(][^()]*[)])[)]?([.]|->)" \
    "(find|rfind|find_first_of|find_last_of|starts_with|ends_with|substr|replace|erase|contains|compare)[(]") {
    complain("a sentence for people is read; decide by its finding")
}

# In lib/, DEPENDS must name every existing folder that the list allows.
END {
    for (pair in may) {
        split(pair, part, SUBSEP)
        if (part[1] !~ /^app/ && part[1] in exists && part[2] in exists && !((part[1], part[2]) in named)) {
            print "lib/" part[1] "/CMakeLists.txt:1: DEPENDS lacks " part[2] ", which layers.txt allows"
            bad++
        }
    }
    exit bad > 0
}
' "$list" $sources
