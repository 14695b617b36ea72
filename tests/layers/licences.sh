#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# licences.sh ROOT: check that each source file states its licence on exactly one line, in the form of https://spdx.dev.
# Prints the files that do not, and then exits with 1. Only the kernels that Numba published have another licence than the
# project's. The line is the first that a file's format allows; in a kernel it is the last, so that the line numbers in
# messages and documents stay.
set -eu
cd "$1"
list_sources() {
    find app assets cmake kernels lessons lib packaging tests -type f \( -name '*.[ch]pp' -o -name '*.h' -o -name '*.cl' \
        -o -name '*.[ch]pp.in' -o -name '*.py' -o -name '*.sh' -o -name '*.awk' -o -name '*.cmake' \
        -o -name CMakeLists.txt \)
    # Programs without a suffix.
    find tests .ci -type f ! -name '*.*' -perm -u+x
    echo CMakeLists.txt
    echo workbench
}
list_sources | LC_ALL=C sort | while read -r file; do
    case $file in
        kernels/published/*_numba_*.cl) licence=BSD-2-Clause ;;
        *) licence=Apache-2.0 ;;
    esac
    stated=$(grep -c "SPDX-License-Identifier: $licence$" "$file" || true)
    [ "$stated" = 1 ] || echo "$file: add the line 'SPDX-License-Identifier: $licence' as a comment, once"
done | if grep .; then exit 1; fi
