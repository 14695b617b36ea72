// From what a person chose to what a judge is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/request.hpp"
#include "problems/problem.hpp"
#include "session/plan.hpp"

namespace kwb {

/// What a terminal asks for: the same choices for all kernels.
struct Experiment {
    std::vector<std::optional<KernelFile>> contestants;  ///< at least one; none: cpu:blas
    PlanChoices choices;                  ///< for all of them; a parameter is for those kernels that have it
    std::optional<std::string> baseline;  ///< a contestant's name; the first one if missing
    std::uint64_t seed = 1;
    std::optional<std::uint32_t> rounds;
    std::optional<double> time_budget_ms;
    double timeout_ms = 30000;
    bool check_only = false;
    bool unreadable_pages = false;  ///< look for stray accesses before timing too; a check always does
    bool foreign = false;           ///< all kernels are a stranger's
    bool keep_outputs = false;      ///< what kernels write is wanted
};

/// Whether a device answers to this: its id, kind, or a part of its name or platform.
bool has_device(const DeviceList& list, const std::string& wanted);

/// The device that a person names: by id ("pocl:0"), kind ("gpu") or a part of its name.
/// @param wanted  none: the first GPU, else accelerator, else CPU
/// @throws BadInput          nothing fits, or more than one
/// @throws EnvironmentError  there is no device of the kind or of the driver, or none at all; says what to do
const DeviceInfo& choose_device(const DeviceList& list, const std::optional<std::string>& wanted);

/// The problem that all contestants solve; one of a person's own lives as long as a contestant's file.
/// @param asked  what the person said, for cpu:blas alone, which solves several; missing: matmul
/// @throws BadInput  none, or different ones
const Problem& common_problem(const std::vector<std::optional<KernelFile>>& contestants,
                              const std::optional<std::string>& asked = {});

/// @throws BadInput  see resolve() in catalog/resolve.hpp; a parameter or baseline that nobody has
RunRequest make_request(const Experiment& experiment, const Problem& problem, const Sizes& sizes,
                        const DeviceInfo& device);

/// The edge that matters to a kernel's awkward sizes: the longest extent of its work-groups at default
/// choices.
std::int64_t tile_edge(const KernelPlan& plan);

}  // namespace kwb
