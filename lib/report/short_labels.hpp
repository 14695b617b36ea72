// Short names of those compared, for charts and lists.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/plan.hpp"
#include "model/result.hpp"

namespace kwb {

/// What tells one contestant from the others.
struct LabelParts {
    std::string kernel;             ///< "matmul/tiled", a path, "cpu:blas"
    NamedList<std::string> params;  ///< with their values
    std::string local;              ///< work-group, "16x16"; empty or "auto": the driver chooses
};

/// The last part of each kernel's name, and of what follows only as much as is needed to tell them apart:
/// the folder where two kernels have one name ("a/tiled"); for a kernel that stands there several times its
/// work-group ("tiled 8x8"), else the parameters that differ ("tiled TILE=32"), else both; for what is quite
/// the same a number ("tiled (2)").
/// @return  unique texts that can be shown, one for each of `parts`
std::vector<std::string> make_labels(const std::vector<LabelParts>& parts);

LabelParts label_parts(const KernelPlan& plan);
LabelParts label_parts(const KernelResult& result);

std::vector<std::string> make_labels(std::span<const KernelResult> results);

}  // namespace kwb
