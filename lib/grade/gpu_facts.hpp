// SPDX-License-Identifier: Apache-2.0
// Facts of a rubric that are computed for GPUs that nobody needs to have.
#pragma once

#include <cstdint>
#include <future>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "grade/grade.hpp"
#include "grade/rubric.hpp"
#include "grade/submission_requests.hpp"
#include "model/gpu_profile.hpp"
#include "model/machine_code.hpp"

namespace kwb {

/// A name of the rubric → the GPU.
using NamedGpus = NamedList<GpuProfile>;

/// The GPUs that a condition names. @throws BadInput  with the rubric's file: the workbench does not know one
NamedGpus gpus_of(const Rubric& rubric, const Expression& condition);

/// Those of all conditions, each once.
NamedGpus gpus_of(const Rubric& rubric);

/// Compiles for all of them, in threads.
std::future<std::vector<TargetReport>> begin_compiling(const NamedGpus& gpus, const SourceText& source);

/// @param asked     all of a submission
/// @param reports   the answer to each
/// @param compiled  of begin_compiling()
/// @return  one for each size
std::vector<SizedReport> sized_reports(const std::vector<SizedXray>& asked,
                                       const std::vector<std::shared_ptr<const XrayReport>>& reports,
                                       const NamedGpus& gpus, const std::vector<TargetReport>& compiled);

}  // namespace kwb
