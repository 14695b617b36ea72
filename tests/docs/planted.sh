#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# planted.sh: plant names of nothing in a small tree; names.sh must report each with file and line, and nothing else.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/docs" "$root/lib/base" "$root/app/cli" "$root/tests/faults/cases"
touch "$root/tests/faults/one_test.cpp"
echo '//// cheat_zeros: Answers zero' >"$root/tests/faults/cases/cheat.cl"
echo '  Test  #1: cli_text' >"$root/tests.txt"
failures=0

# expect WHAT OUTPUT: names.sh prints OUTPUT.
expect() {
    found=$("$here/names.sh" "$root" "$root/tests.txt") || true
    if [ "$found" = "$2" ]; then
        echo "as expected: $1"
    else
        echo "$1: expected '$2', got: $found"
        failures=$((failures + 1))
    fi
}

# plant TEXT NAME: with TEXT in a document, NAME is reported.
plant() {
    echo "$1" >"$root/docs/page.md"
    expect "$1" "docs/page.md:1: there is no $2"
}

printf '%s\n' '| `lib/base` |' '| `app/cli` |' '| `tests` | `faults` |' >"$root/CONTRIBUTING.md"
echo '`one_test.cpp`, `one_test`, `cheat_zeros`, `cheat_*`, `cli_text`, tests/faults/cases' >"$root/README.md"
expect 'names of what is there' ''
plant 'see `two_test.cpp`' two_test.cpp
plant '| habit | late_test |' late_test
plant '`cheat_ones`' cheat_ones
plant 'all of `cheat_z_*`' 'cheat_z_*'
plant '| `cli_drivers` |' cli_drivers
plant '| a | cli_drivers, cli_text |' cli_drivers
plant 'run tests/faults/run first' tests/faults/run
plant 'see [that](docs/other.md)' docs/other.md
rm "$root/docs/page.md"
mkdir "$root/lib/model"
expect 'a folder without a row' 'CONTRIBUTING.md:1: there is no row of lib/model'
exit $((failures > 0))
