#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# planted.sh ROOT: plant violations in a copy of ROOT, one at a time; check.sh must report each with file and line.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failures=0

# plant FILE LINE TEXT EXPECTED: insert TEXT as line LINE of FILE; check.sh must print "FILE:LINE: EXPECTED".
plant() {
    rm -rf "${copy:?}/lib" "$copy/app"
    cp -R "$root/lib" "$root/app" "$copy"
    { head -n $(($2 - 1)) "$root/$1" && printf '%s\n' "$3" && tail -n "+$2" "$root/$1"; } >"$copy/$1"
    if found=$("$here/check.sh" "$copy"); then
        echo "not noticed: $1:$2: $3"
    elif [ "$found" != "$1:$2: $4" ]; then
        echo "planted $1:$2: $3, expected '$4', got: $found"
    else
        echo "noticed: $found"
        return
    fi
    failures=$((failures + 1))
}

root=$1
plant lib/base/text.hpp 3 '#include "model/result.hpp"' 'base may not include model ("model/result.hpp")'
plant lib/base/text.cpp 2 '  #  include <ipc/channel.hpp>  // why' 'base may not include ipc ("ipc/channel.hpp")'
plant app/cli/main.cpp 1 '#include "xray/engine.hpp"' 'app/cli may not include xray ("xray/engine.hpp")'
plant app/judge/main.cpp 1 '#include "ocl/device.hpp"' 'app/judge may not include ocl ("ocl/device.hpp")'
plant app/judge/main.cpp 1 '#include <CL/opencl.hpp>' 'app/judge may not include <CL/opencl.hpp>'
plant app/runner/main.cpp 1 '#include <cblas.h>' 'app/runner may not include <cblas.h>'
plant lib/base/text.cpp 2 '#include "../model/result.hpp"' '"../model/result.hpp" is in no folder of layers.txt'
plant lib/stats/CMakeLists.txt 1 'target_link_libraries(kwb_stats PUBLIC kwb_model)' 'stats may not link model'
read='a sentence for people is read; decide by its finding'
plant lib/report/labels.cpp 20 '    if (result.reason.find("got nothing") != std::string::npos) return {};' "$read"
plant lib/desk/document.cpp 20 'if (sentence_of(found, Face::Window).starts_with("the size")) return;' "$read"
plant app/cli/main.cpp 20 'if (std::string(error.what()).contains("--local")) return 2;' "$read"

# A missing dependency has no line, so check.sh names the first line of the file.
rm -rf "${copy:?}/lib"
cp -R "$root/lib" "$copy"
sed 's/DEPENDS base model$/DEPENDS base/' "$root/lib/ocl/CMakeLists.txt" >"$copy/lib/ocl/CMakeLists.txt"
cp -R "$root/app" "$copy"
found=$("$here/check.sh" "$copy") || true
case $found in
    'lib/ocl/CMakeLists.txt:1: DEPENDS lacks model, which layers.txt allows') echo "noticed: $found" ;;
    *) echo "a missing dependency of ocl: got: $found"; failures=$((failures + 1)) ;;
esac
exit $((failures > 0))
