// SPDX-License-Identifier: Apache-2.0
#include "grade/autograder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

// $AUTOGRADER is for trying it outside of Gradescope.
constexpr const char* kSetup = R"(#!/bin/sh
# Installs Kernel Workbench and PoCL, which makes the CPU an OpenCL device, while Gradescope builds its image.
set -eu
cd "${AUTOGRADER:-/autograder}/source"
if ! ls kwb*.deb >/dev/null 2>&1; then
    echo "No kwb*.deb: add the package that './workbench package' builds to the autograder" >&2
    exit 1
fi
apt-get update
apt-get install -y ./kwb*.deb pocl-opencl-icd
kwb doctor
)";

constexpr const char* kRun = R"(#!/bin/sh
# Grades the submission. Without results.json, Gradescope reports that the autograder failed, not 0 points.
set -eu
home=${AUTOGRADER:-/autograder}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$home/results" "$work/in"
cp -R "$home/submission" "$work/in/submission"
XDG_DATA_HOME=$work/data kwb grade "$work/in" --rubric "$home/source/rubric.toml" \
    --gradescope "$home/results/results.json"
)";

}  // namespace

NamedList<std::string> autograder_files(const Rubric& rubric) {
    NamedList<std::string> files = {
        {"setup.sh", kSetup}, {"run_autograder", kRun}, {"rubric.toml", read_file(rubric.file)}};
    const fs::path folder = fs::path(rubric.file).parent_path();
    const auto add = [&](const char* key, const std::string& name) {
        const fs::path file = fs::path(name).lexically_normal();
        std::error_code missing;
        if (name.empty() || !fs::exists(folder / file, missing)) return;
        if (file.is_absolute() || *file.begin() == "..")
            throw BadInput(
                fmt::format("{}: {} = \"{}\": move this file into the rubric's folder, so that "
                            "the autograder can have it",
                            rubric.file, key, name));
        if (std::ranges::find(files, file.string(), &Named<std::string>::name) == files.end())
            files.push_back({file.string(), read_file(folder / file)});
    };
    for (const Criterion& criterion : rubric.criteria)
        for (const std::string& name : criterion.references) add(criterion.reference_key(), name);
    for (const std::string& name : rubric.given) add("given", name);
    return files;
}

}  // namespace kwb
