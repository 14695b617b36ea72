// SPDX-License-Identifier: Apache-2.0
// A kernel's text whose subscripts of some buffers stay near the beginning, for devices whose memory cannot
// be mapped repeatedly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "judge/whatif/changed_kernel.hpp"

namespace kwb {

/// A parameter of a kernel function, bound to one of the buffers in question.
struct BoundParameter {
    std::string kernel;
    std::size_t index = 0;  ///< of the parameter
    std::string buffer;
};

/// Fewer bytes of a buffer are hardly a load.
inline constexpr std::uint64_t kLeastNearBytes = 256;

/// Changes each `A[e]` to `A[(e) & m]`. Neighbouring work-items still access neighbouring elements; the
/// addresses differ from the kernel's, and one operation is added to each access.
/// @param program     of the plan's source
/// @param parameters  of buffers that the kernel only reads
/// @param bytes       that stay in use of each buffer: a power of two, at least kLeastNearBytes
/// @return  an obstacle if a parameter is used in any other way, or inside a macro
ChangedKernel keep_subscripts_near(const KernelPlan& plan, const source::Program& program,
                                   const std::vector<BoundParameter>& parameters, std::uint64_t bytes);

}  // namespace kwb
