// SPDX-License-Identifier: Apache-2.0
// What kwb-xray is asked to observe: a kernel at one size, with its launches bound and its buffers filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ipc/runner_messages.hpp"
#include "judge/reference/reference.hpp"
#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/problem.hpp"

namespace kwb {

/// X-ray's inputs are always made from this seed, so that what it observed can be kept. Nothing depends on
/// their being secret: its answer alone makes no kernel `correct`.
inline constexpr std::uint64_t kXraySeed = 0x78726179;

/// Larger buffers are not observed at that size.
inline constexpr std::uint64_t kMostXrayBytes = std::uint64_t{256} << 20;

struct XrayJob {
    ObserveRequest request;      ///< offsets count from 0; `folder` is left empty
    double timeout_ms = 30'000;  ///< for the compiler, and for the run beyond XrayOptions::most_ms
    std::uint64_t arena_bytes = 0;
    /// Offset in the arena, and what to put there; see add_contents().
    std::vector<std::pair<std::uint64_t, std::vector<std::byte>>> contents;
};

/// A kernel at one size. All references must outlive the calls below.
struct XraySubject {
    const KernelPlan& plan;
    const ProblemInstance& instance;
    const ReferenceSolver& solver;
    const DeviceInfo& device;
};

/// Binds the launches as the source declares its functions.
/// @param functions  of the source
/// @param download   return the outputs
/// @return  a sentence if it cannot be observed
std::variant<XrayJob, std::string> make_xray_job(const XraySubject& subject,
                                                 const std::vector<FunctionInfo>& functions,
                                                 const XrayOptions& options, bool download);

/// The inputs, which make_xray_job() leaves out because a kept answer does not need them.
void add_contents(XrayJob& job, const XraySubject& subject, const Contents& inputs);

/// Everything that an answer depends on, as a name: the request, the seed of its inputs, the compiler and
/// this version.
std::string key_of_answer(const ObserveRequest& request);

/// Likewise, of what a plan's source shows by itself.
std::string key_of_source(const KernelPlan& plan, const std::string& compiler);

/// The pass whose inputs X-ray uses.
inline Pass xray_pass(const ReferenceSolver& solver) {
    return solver.has_exact_pass() ? Pass::Exact : Pass::Real;
}

/// Work-groups for a launch that leaves them to the driver: divisors, at most 64 work-items together.
std::vector<std::uint64_t> choose_xray_local(const std::vector<std::uint64_t>& global);

}  // namespace kwb
