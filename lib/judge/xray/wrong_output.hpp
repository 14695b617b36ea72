// SPDX-License-Identifier: Apache-2.0
// Compares the results of a kernel as X-ray runs it with the reference, and records how the first wrong
// element came about.
#pragma once

#include <optional>

#include "judge/reference/reference.hpp"
#include "judge/verify/output_check.hpp"
#include "judge/xray/xray_room.hpp"
#include "model/result.hpp"

namespace kwb {

struct ComparedOutput {
    OutputCheck check;
    const BufferSpec* buffer = nullptr;  ///< of the instance
};

/// Inputs and expected outputs of an observation; nullopt: there are none.
std::optional<PassData> expected_results(const XraySubject& subject, const Checkpoint& checkpoint);

/// The first output with a wrong element. Outputs whose correct values are not known are left out.
/// @param observed  with outputs
std::optional<ComparedOutput> find_wrong_output(const XraySubject& subject, const PassData& expected,
                                                const Observed& observed);

/// What was asked about a wrong result.
struct RecordedWrong {
    Observed observed;
    /// nullopt: all elements are right as X-ray runs the kernel, or one of the remarks explains why they are
    /// unknown.
    std::optional<WrongElement> wrong = {};
};

/// Records the work-group that stores the first wrong element last; where nobody stores it, the group of
/// `options.trace_group`.
RecordedWrong record_wrong(XrayRoom& room, const XraySubject& subject, const XrayOptions& options,
                           const Checkpoint& checkpoint);

}  // namespace kwb
