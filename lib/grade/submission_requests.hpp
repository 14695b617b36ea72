// SPDX-License-Identifier: Apache-2.0
// The judge's requests for a submission that a rubric grades.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/opened_experiment.hpp"
#include "grade/rubric.hpp"
#include "grade/submissions.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "source/syntax.hpp"

namespace kwb {

struct SizedXray {
    std::string size;  ///< as typed in the rubric
    std::uint32_t sub_group = 0;
    RunRequest run;  ///< of a check there
    XrayRequest request;
};

struct SubmissionRequests {
    std::vector<RunRequest> checks;  ///< at each of Rubric::sizes()
    std::vector<SizedXray> xrays;    ///< at each size of a criterion with a condition
};

/// All sizes of a rubric.
/// @throws BadInput  with the rubric's file: it names an unknown problem, a size that the problem does not
///                   have, or a reference that cannot be opened
void require_usable(const Rubric& rubric);

/// @throws BadInput  with the rubric's file: the buffers of the problem do not fit the device at one of its
///                   sizes, for which no student should lose points
void require_fit(const Rubric& rubric, const DeviceInfo& device);

/// All texts on which an observation depends beside the submission and the rubric's own: references, with
/// what they include.
std::string reference_texts(const Rubric& rubric);

/// A submission is untrusted: what its file declares about the problem, its costs and expectations is
/// ignored.
/// @throws BadInput  it cannot be run
SubmissionRequests submission_requests(const Rubric& rubric, const Submission& submission,
                                       const DeviceInfo& device);

/// The source as the compiler gets it; nullopt: the submission cannot be run.
std::optional<SourceText> source_of(const Rubric& rubric, const Submission& submission,
                                    const DeviceInfo& device);

/// Those of Rubric::given. @throws BadInput  one cannot be planned on this device
std::vector<SourceText> given_sources(const Rubric& rubric, const DeviceInfo& device);

/// A comparison of the submission, in every round, with the references of a criterion, of which the first is
/// the baseline.
/// @param budget_ms  for each kernel
/// @throws BadInput  as submission_requests()
RunRequest speed_request(const Rubric& rubric, const Criterion& criterion, const Submission& submission,
                         const DeviceInfo& device, double budget_ms);

/// A check of one of a criterion's references at the size of its comparison.
/// @throws BadInput  it cannot be run there
RunRequest reference_request(const Rubric& rubric, const Criterion& criterion, const std::string& reference,
                             const DeviceInfo& device);

}  // namespace kwb
