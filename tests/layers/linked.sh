#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# linked.sh BIN: of the programs in BIN, only kwb-runner may link OpenCL, only kwb-judge a BLAS, and only kwb-gui the
# libraries of the window and its history, and no others. kwb-gui may be missing: there are builds without it.
set -eu
failures=0

# refuse LIBRARY PROGRAM...
refuse() {
    library=$1
    shift
    for program in "$@"; do
        needed=$(readelf --dynamic "$bin/$program")
        if printf '%s\n' "$needed" | grep "(NEEDED).*\[$library"; then
            echo "$program must not link $library"
            failures=$((failures + 1))
        fi
    done
}

# allow_only PATTERN PROGRAM: PATTERN is an extended regular expression of all libraries that it may link.
allow_only() {
    needed=$(readelf --dynamic "$bin/$2" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    if [ -z "$needed" ]; then
        echo "$2: no libraries found: does it exist?"
        failures=$((failures + 1))
    fi
    for library in $(printf '%s\n' "$needed" | grep -vE "^($1)[.-]"); do
        echo "$2 must not link $library"
        failures=$((failures + 1))
    done
}

bin=$1
window=
if [ -e "$bin/kwb-gui" ]; then window=kwb-gui; fi
refuse libOpenCL kwb kwb-judge $window
refuse libopenblas kwb kwb-runner $window
for library in libglfw libOpenGL libGL libimgui; do
    refuse $library kwb kwb-judge kwb-runner
done
refuse libpng16 kwb-judge kwb-runner
language='libstdc\+\+|libm|libgcc_s|libc|libatomic|libpthread|libresolv|ld-linux|lib[a-z]*san'  # libresolv: for clang++'s sanitizers
if [ -n "$window" ]; then
    allow_only "$language|libfmt|libtomlplusplus|libmd|libimgui|libpng16|libstb|libglfw|libOpenGL|libGLX|libGL|libxcb" kwb-gui
fi
exit $((failures > 0))
