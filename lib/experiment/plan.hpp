// SPDX-License-Identifier: Apache-2.0
// Plans a run: turns the user's choices into a request for the judge. Used by both user interfaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "catalog/kernel_file.hpp"
#include "model/device_info.hpp"
#include "model/finding.hpp"
#include "model/plan.hpp"
#include "model/request.hpp"
#include "problems/problem.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// The choices to plan from.
struct PlanInput {
    /// A contestant, as chosen.
    struct Entry {
        std::string name;                       ///< of the kernel, or kHostBlasName
        const KernelFile* file = nullptr;       ///< null: cpu:blas, or see `bad_input`
        KernelChoices choices = {};             ///< only parameters that the kernel has
        std::optional<Finding> bad_input = {};  ///< unreadable file or invalid input
        /// The kernel functions of its source, if it has been analysed. Without them the size of __local
        /// arguments in bytes is unknown until the kernel is built.
        std::optional<std::vector<SourceKernel>> functions = {};
        bool unsaved = false;                ///< edited by the user, so its trust is Own wherever the file is
        const DeviceInfo* device = nullptr;  ///< where it runs; null: PlanInput::device
    };
    std::vector<Entry> entries;
    /// Problem, sizes, seed, budgets and limits as chosen. plan_run() adds device, contestants and
    /// `declared`.
    RunRequest request;
    const Problem* problem = nullptr;     ///< null: look up the name in `request`
    const DeviceInfo* device = nullptr;   ///< null: unknown, so no request can be made
    std::uint64_t free_memory_bytes = 0;  ///< of the machine that checks the results; 0: unknown
    bool foreign = false;                 ///< all kernels come from an untrusted source
};

/// The planned run, and everything that is known about it in advance.
struct Plan {
    struct Entry {
        std::optional<Finding> bad_input;  ///< the choices are invalid
        std::optional<FilePlace> place;    ///< of `bad_input`, if it is in the user's files
        std::optional<Finding> misfit;     ///< the choices are valid, but the kernel will not run here
        std::vector<Finding> warnings;     ///< e.g. does not fit a typical GPU
    };
    std::vector<Entry> entries;           ///< as in PlanInput
    std::vector<Contestant> contestants;  ///< the same, evaluated; without launches for bad input
    std::optional<Finding> bad_input;     ///< invalid sizes or declarations: no request is possible
    /// A misfit of all contestants together on the device that most use, e.g. not enough memory.
    std::optional<Finding> misfit;
    std::optional<ProblemInstance> instance;  ///< none: see `bad_input`
    std::uint64_t device_bytes = 0;           ///< size of all buffers
    /// None if there is `bad_input` or no device. An entry with bad input is part of the request, with a
    /// refusal from which the judge makes its verdict: `skipped`, or `constraint` if it does not fit the
    /// device.
    std::optional<RunRequest> request;
};

/// Invalid choices and files are reported as findings, never as exceptions.
Plan plan_run(PlanInput input);

/// Evaluate all declarations of a kernel, and determine its trust.
/// @param choices  only parameters that the kernel has
/// @throws BadInput  as resolve(); or the file has no launch
KernelPlan make_kernel_plan(const KernelFile& kernel, const ProblemInstance& problem,
                            const DeviceInfo& device, const KernelChoices& choices, bool foreign = false);

/// The choices without the parameters that the kernel does not have.
KernelChoices choices_for(KernelChoices all, const KernelSpec& spec);

/// Parse a work-group as typed ("16x16", "256" or "auto") into `choices`.
/// @throws Refused  the text is malformed, or has more than three dimensions
void choose_local(KernelChoices& choices, const std::string& text);

}  // namespace kwb
