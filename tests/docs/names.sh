#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# names.sh ROOT TESTS: the tests, fault cases and files that the documents of ROOT name are there, and CONTRIBUTING has a row
# for each folder of lib. TESTS has what `ctest -N` prints. Prints "file:line: what" for each name of nothing.
# Exit code 1: there are some; 2: there is nothing to read.
set -eu
cd "$1"
documents=$(find README.md CONTRIBUTING.md docs -name '*.md' | LC_ALL=C sort)
[ -n "$documents" ] && grep -q 'Test *#' "$2" || { echo "no documents in $1, or no tests in $2" >&2; exit 2; }
missing=0

# each PATTERN: "file:line:name" of each name in the documents. File names have no blanks.
each() {
    # shellcheck disable=SC2086
    grep -onHE "$1" $documents || true
}
# complain FILE:LINE:NAME
complain() {
    echo "${1%:*}: there is no ${1##*:}"
    missing=$((missing + 1))
}

for found in $(each '\b[a-z0-9_]+_test(\.cpp)?\b'); do
    name=${found##*:}
    [ -n "$(find tests -name "${name%.cpp}.cpp")" ] || complain "$found"
done
for found in $(set -f; each '\b(bounds|cheat|crash|escape|hang|refused)_[a-z0-9_]+\*?'); do
    name=${found##*:}
    case $name in *\*) case_line="^//// ${name%?}" ;; *) case_line="^//// $name(:|$)" ;; esac
    grep -qrE "$case_line" tests/faults/cases || complain "$found"
done
for found in $(each '[`|, ](cli|collection|device|faults|gui|layers|process|unit)_[a-z0-9_]+[`|, ]' | tr -d '`|, '); do
    grep -q ": ${found##*:}\$" "$2" || complain "$found"
done
# Not those in a build folder or at an address.
for found in $(each '(^|[^A-Za-z0-9_./-])(app|assets|cmake|docs|lessons|lib|packaging|schema|tests)/[A-Za-z0-9_./-]*[A-Za-z0-9_]' |
    sed 's/:[^:a-z]\([^:]*\)$/:\1/'); do
    name=${found##*:}
    [ -e "$name" ] || [ -e "$name.cpp" ] || complain "$found"
done
for folder in lib/*/ app/*/ tests/*/; do
    folder=${folder%/}
    # `tests` has one row, with the names of its folders.
    case $folder in tests/*) wanted=${folder#tests/} ;; *) wanted=$folder ;; esac
    grep '^| `' CONTRIBUTING.md | grep -qF "\`$wanted\`" || complain "CONTRIBUTING.md:1:row of $folder"
done
exit $((missing > 0))
