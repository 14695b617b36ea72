// How results are named in tables and sentences.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "base/text.hpp"
#include "model/plan.hpp"
#include "model/result.hpp"
#include "report/grid.hpp"

namespace kwb {

/// "matmul/tiled TILE=16"
std::string contestant_label(const KernelResult& result);

/// "correct", "wrong", "wrong, as expected", "correct, not as expected", coloured by whether all is well.
Cell verdict_cell(const KernelResult& result);

/// True if the results are of more than one size.
bool has_several_sizes(const std::vector<KernelResult>& results);

/// True if the results come from more than one device; the host's own library does not count.
bool has_several_devices(const std::vector<KernelResult>& results);

/// What a size of a single number stands for; empty where every size names its extents.
std::string explain_sizes(const std::vector<KernelResult>& results);

/// "C[16][0]", as the judge's sentences spell it
std::string element_name(const WrongElement& wrong);

/// What was expected of an element and what came, with at least nine digits, which tell any two floats apart.
NumberTexts wrong_values(const WrongElement& wrong);

/// "C[16][0]: expected 12, got nan"
std::string describe_wrong(const WrongElement& wrong);

/// True if no wrong element was ever written: what was read there is no answer.
bool says_unwritten(const KernelResult& result);

// Short names of those compared, for charts and lists.

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
