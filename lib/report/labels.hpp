// SPDX-License-Identifier: Apache-2.0
// The names of results in tables and sentences.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "base/text.hpp"
#include "model/plan.hpp"
#include "model/result.hpp"
#include "report/text_layout.hpp"

namespace kwb {

/// "matmul/tiled TILE=16"
std::string contestant_label(const KernelResult& result);

/// "TILE=16 PAD=1"
std::string params_text(const ParamChoice& params);

/// "correct", "wrong", "wrong, as expected", "correct, not as expected", coloured by whether the verdict is
/// the wanted one.
Cell verdict_cell(const KernelResult& result);

/// True if the results have more than one size.
bool has_several_sizes(const std::vector<KernelResult>& results);

/// True if the results come from more than one device; the host's own library does not count.
bool has_several_devices(const std::vector<KernelResult>& results);

/// A sentence that explains sizes shown as a single number; empty if there are none.
std::string explain_sizes(const std::vector<KernelResult>& results);

/// A sentence that names the seed of all results; empty if they have none, or several.
std::string explain_seed(const std::vector<KernelResult>& results);

/// A sentence if X-ray was left out of all results; otherwise empty.
std::string explain_xray(const std::vector<KernelResult>& results);

/// "X-ray: at M=17 N=17 K=17 all work-groups; at 512 64 of 1024 work-groups."
std::string describe(const XrayOutcome& outcome);

/// "C[16][0]", spelled as in the judge's sentences
std::string element_name(const WrongElement& wrong);

/// The expected and the actual value of an element, with at least nine digits, because
/// nine distinguish any two floats.
NumberTexts wrong_values(const WrongElement& wrong);

/// "C[16][0]: expected 12, got nan"
std::string describe_wrong(const WrongElement& wrong);

/// True if the kernel never wrote the wrong elements, so that the values read there are not results.
bool says_unwritten(const KernelResult& result);

// Short names of contestants, for charts and lists.

/// The properties that distinguish contestants.
struct LabelParts {
    std::string kernel;             ///< "matmul/tiled", a path, "cpu:blas"
    NamedList<std::string> params;  ///< with their values
    std::string local;              ///< work-group, "16x16"; empty or "auto": the driver chooses
    std::string device = {};        ///< DeviceInfo::id; empty: the host, or the same for all
};

/// The last part of each kernel's name, plus only as much as is needed to make it unique: the folder if two
/// kernels have the same name ("a/tiled"); for a kernel that occurs several times its work-group
/// ("tiled 8x8"), else the parameters that differ ("tiled TILE=32"), else both; a number for contestants that
/// are entirely equal ("tiled (2)"). On several devices, each is followed by its own ("tiled on pocl:0").
/// @return  unique printable texts, one for each of `parts`
std::vector<std::string> make_labels(const std::vector<LabelParts>& parts);

LabelParts label_parts(const KernelPlan& plan);
LabelParts label_parts(const KernelResult& result);

std::vector<std::string> make_labels(std::span<const KernelResult> results);

}  // namespace kwb
