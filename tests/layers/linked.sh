#!/bin/sh
# linked.sh BIN: of the programs in BIN only kwb-runner may load OpenCL and only kwb-judge a BLAS.
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

bin=$1
refuse libOpenCL kwb kwb-judge
refuse libopenblas kwb kwb-runner
exit $((failures > 0))
