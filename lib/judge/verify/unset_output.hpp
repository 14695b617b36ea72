// SPDX-License-Identifier: Apache-2.0
// Finds out whether a wrong output depends on what it held before the run, by running the kernel again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "judge/contestant_state.hpp"
#include "model/element.hpp"

namespace kwb {

/// Runs of one kernel with the same inputs.
struct OutputReruns {
    /// The output after a run before which it was filled with this pattern; nullopt: the run failed.
    std::function<std::optional<std::vector<std::byte>>(const std::vector<std::uint8_t>&)> from;
    std::vector<std::uint8_t> poison;  ///< the pattern of the run that was judged; one scalar
    std::function<bool(std::span<const std::byte>)> is_right = [](std::span<const std::byte>) {
        return false;
    };
    Checkpoint checkpoint = kNoCheckpoint;
};

/// Runs of a contestant on its bench.
/// @param request  of a checked run
/// @return  nullopt: what the output holds before a run is set, by its input or by [init]
std::optional<OutputReruns> reruns_of(ContestantState& contestant, const Slot& slot, ExecuteRequest request);

/// Garbage that survives a run can mean two things: no work-item wrote the element, or one added to it. A
/// NaN remains one under arithmetic, with its payload or without, as the device likes, so only runs from
/// other contents tell.
/// @param first  the wrong output of a run from the poison
/// @return  0: from zeros it is right, and from garbage wrong again, in the same way. Above 0: the number of
///          scalars that hold garbage after both runs from garbage, but a new value after the run from zeros.
///          nullopt: no dependence was seen
std::optional<std::uint64_t> count_dependent(const OutputReruns& reruns, Scalar scalar,
                                             std::span<const std::byte> first);

/// For a contestant whose verdict is Wrong because of this output: makes a dependence its reason.
/// @param request  of the run that was judged
/// @param first    the output after it
void explain_unset_output(ContestantState& contestant, const Slot& slot, ExecuteRequest request,
                          std::span<const std::byte> first,
                          const std::function<bool(std::span<const std::byte>)>& is_right);

}  // namespace kwb
