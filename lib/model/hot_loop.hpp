// SPDX-License-Identifier: Apache-2.0
// Where a kernel spends most of its time, in the machine code of the device.
#pragma once

#include <cstdint>
#include <optional>

namespace kwb {

/// A loop with at least half of the samples.
struct HotLoop {
    double share = 0;         ///< of the samples in the kernel's code
    std::uint32_t lanes = 0;  ///< most floating-point numbers that one arithmetic instruction computes; 0:
                              ///< none does
    /// Instructions of any kind by floating-point operations; a fused multiply-add is two operations.
    /// nullopt: there are none, or the loop contains others.
    std::optional<double> instructions_per_operation = {};
};

}  // namespace kwb
