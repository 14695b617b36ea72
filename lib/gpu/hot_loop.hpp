// SPDX-License-Identifier: Apache-2.0
// The innermost loop of a kernel in x86-64 machine code: how wide its vectors are, and how many instructions
// it needs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/hot_loop.hpp"
#include "model/machine_code.hpp"

namespace kwb {

/// The smallest loop with at least half of the samples. Loops are found by their jumps backward.
/// @param code     as read_pocl_assembly() returns it
/// @param samples  addresses of instructions at which the kernel was
/// @return  nullopt: too few samples are in the code, or fewer than half of them in a loop
std::optional<HotLoop> find_hot_loop(const MachineCode& code, const std::vector<std::uint64_t>& samples);

}  // namespace kwb
