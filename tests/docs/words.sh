#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# words.sh ROOT: check that the documents of ROOT avoid the habits below, each of which a plainer word replaces.
# Code is not checked: fenced blocks, text between backticks, and quotations (lines that begin with ">").
# Prints "file:line: 'words'; better: ...". Exit code 1: there are some; 2: there is nothing to read.
set -eu
cd "$1"
documents=$(find README.md CONTRIBUTING.md CHANGELOG.md docs kernels schema lessons -name '*.md' ! -name '*.zh.md' \
    ! -name LICENCES.md | LC_ALL=C sort)
[ -n "$documents" ] || { echo "no documents in $1" >&2; exit 2; }

# shellcheck disable=SC2086  # no file name in the repository contains a space
exec awk '
BEGIN {
    better["says|said|say"] = "states, shows, names, declares"
    better["tells|told|tell"] = "states, reports, shows, distinguishes"
    better["nobody|everybody|somebody|whoever"] = "the actor: a student, another program, no work-item"
    better["so many"] = "the number"
    better["of (its|their|his|her) own"] = "its own X, a separate X"
    better["outside of"] = "outside"
    better["(go|goes|going) on"] = "continues"
    better["(is|are|be) not there"] = "is missing, does not exist"
    better["stray"] = "out-of-bounds"
    better["rungs?|ladders?"] = "step, series"
}
FNR == 1 { fenced = 0 }
/^ *```/ { fenced = !fenced; next }
fenced || /^ *>/ || /^    / { next }
{
    line = $0
    gsub(/`[^`]*`/, " ", line)
    gsub(/\]\([^() ]*\)/, "]", line)  # targets of links
    line = tolower(line)
    gsub(/[^a-z]+/, " ", line)
    line = " " line " "
    for (habit in better)
        if (match(line, " (" habit ") ")) {
            print FILENAME ":" FNR ": \047" substr(line, RSTART + 1, RLENGTH - 2) "\047; better: " better[habit]
            bad++
        }
}
END { exit bad > 0 }
' $documents
