// SPDX-License-Identifier: Apache-2.0
// The number of resident work-groups per compute unit of a GPU, and what limits it.
#pragma once

#include <cstdint>
#include <optional>

#include "model/gpu_profile.hpp"

namespace kwb {

/// A kernel's needs of a compute unit.
struct KernelNeeds {
    std::uint64_t group_items = 1;
    std::optional<std::uint32_t> registers = {};  ///< of a work-item; nullopt: not known
    std::uint64_t local_bytes = 0;                ///< of a work-group
};

/// Sources of the rules: CUDA's occupancy calculator for NVIDIA, LLVM's AMDGPU usage guide for AMD.
Occupancy occupancy_of(const GpuProfile& gpu, const KernelNeeds& needs);

/// The work-group nearest in size that gives a higher occupancy, if registers of a work-item and local
/// memory of a work-group stay the same.
std::optional<Occupancy> better_group(const GpuProfile& gpu, const KernelNeeds& needs);

}  // namespace kwb
