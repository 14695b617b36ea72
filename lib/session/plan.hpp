// The one way from what a person chose to what a judge is asked, for both faces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/finding.hpp"
#include "model/plan.hpp"
#include "model/request.hpp"
#include "problems/problem.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// What is to be planned.
struct PlanInput {
    /// One of those compared, as chosen.
    struct Entry {
        std::string name;                       ///< of the kernel, or kHostBlasName
        const KernelFile* file = nullptr;       ///< null: cpu:blas, or `bad_input` says why there is none
        PlanChoices choices = {};               ///< with parameters that the kernel has
        std::optional<Finding> bad_input = {};  ///< it cannot be read, or what was typed means nothing
        /// The kernel functions of its source, as far as that has been read; only then the bytes of __local
        /// arguments are known before it is built.
        std::optional<std::vector<SourceKernel>> functions = {};
        bool unsaved = false;  ///< its text is a person's own, whoever wrote the file
    };
    std::vector<Entry> entries;
    /// Problem, sizes, seed, budgets and limits as chosen; planning adds device, contestants and `declared`.
    RunRequest request;
    const Problem* problem = nullptr;     ///< null: none has the name that `request` says
    const DeviceInfo* device = nullptr;   ///< null: none is known, and no request can be made
    std::uint64_t free_memory_bytes = 0;  ///< of the machine where results are checked; 0: not known
    bool foreign = false;                 ///< all kernels are a stranger's
};

/// What would run, and all that is known about it before it does.
struct Plan {
    struct Entry {
        std::optional<Finding> bad_input;  ///< it cannot be asked for like this
        std::optional<Finding> misfit;     ///< it can, but it will not run here
        std::vector<Finding> warnings;     ///< e.g. would not fit a typical GPU
    };
    std::vector<Entry> entries;           ///< as in PlanInput
    std::vector<Contestant> contestants;  ///< the same, evaluated; without launches where there is bad input
    std::optional<Finding> bad_input;     ///< sizes or declarations that nothing can be asked with
    std::optional<Finding> misfit;        ///< of all together: memory
    std::optional<ProblemInstance> instance;  ///< none: `bad_input` says why
    std::uint64_t device_bytes = 0;           ///< of all buffers
    /// There unless `bad_input` is, or no device. An entry with bad input is in it with a refusal, and gets
    /// its verdict like one that does not fit.
    std::optional<RunRequest> request;
};

/// Never throws because of what a person chose or wrote: that is what findings are for.
Plan plan_run(PlanInput input);

/// Whose kernel it is, and everything about it evaluated.
/// @param choices  with parameters that the kernel has
/// @throws BadInput  as resolve(); or the file does not say how it is launched
KernelPlan make_plan(const KernelFile& kernel, const ProblemInstance& problem, const DeviceInfo& device,
                     const PlanChoices& choices, bool foreign = false);

/// Read a work-group as people type it, "16x16", "256" or "auto", into `choices`.
/// @throws Refused
void choose_local(PlanChoices& choices, const std::string& text);

}  // namespace kwb
