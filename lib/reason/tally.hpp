// SPDX-License-Identifier: Apache-2.0
// X-ray's counts of a kernel, summed over all launches of a run: what counted reasons compare.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/result.hpp"
#include "model/xray.hpp"

namespace kwb {

/// Smaller factors are no difference that a learner should look at.
inline constexpr double kLeastCountedFactor = 1.25;

struct Tally {
    // Global and constant memory, without atomic operations.
    double requested_bytes = 0;
    double accesses = 0;  ///< of work-items
    double sector_bytes = 0;
    double wasted_bytes = 0;  ///< of sectors, beyond what each access requests
    double local_bytes = 0;   ///< that work-items load from local memory and store there
    double bank_cycles = 0, ideal_bank_cycles = 0;
    double global_atomics = 0, local_atomics = 0;  ///< of work-items
    double sub_group_atomics = 0;                  ///< at places where the addresses are known
    double same_address_atomics = 0;  ///< of these sub-groups' work-items, at the most accessed address
    double barriers = 0;
    double blocks = 0, sub_group_blocks = 0, block_lanes = 0;  ///< as in XrayBlocks; 0: unknown
    std::optional<double> launches = {};                       ///< with repetitions
    /// Work-groups, unless the driver chooses their size.
    struct Groups {
        double most = 0;   ///< of a launch
        double items = 0;  ///< of a work-group, on average
        double lanes = 0;  ///< of the sub-groups that such a work-group takes, on average
    };
    std::optional<Groups> groups = {};
    bool is_sampled = false;  ///< counted in some work-groups, and scaled to whole launches

    struct Places {
        std::vector<XrayPlace> accesses, scattered, local, conflicting, atomic, local_atomic, divergent,
            executed;
    } places = {};  ///< the most important ones, at most two of each
};

/// @param result  with XrayOutcome::counts
Tally tally_of(const KernelResult& result);

}  // namespace kwb
