// SPDX-License-Identifier: Apache-2.0
// An experiment with its kernel files open, the device that it runs on, and the request for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"
#include "experiment/plan.hpp"
#include "model/device_info.hpp"
#include "model/plan.hpp"
#include "model/request.hpp"
#include "problems/problem.hpp"

namespace kwb {

/// What is planned: from a command line, whose choices apply to all kernels, a lesson, a rubric or a tuning.
struct OpenedExperiment {
    std::vector<std::optional<KernelFile>> contestants;  ///< at least one; nullopt stands for cpu:blas
    KernelChoices choices;                               ///< a parameter applies to the kernels that have it
    std::vector<KernelChoices>
        own_choices;                      ///< of each contestant, instead of `choices`; empty: none has any
    std::optional<std::string> baseline;  ///< a contestant's name; none: the first one
    std::optional<std::uint64_t> seed;    ///< none: the judge draws one
    std::optional<std::uint32_t> rounds;
    std::optional<double> time_budget_ms;
    double timeout_ms = 30000;
    bool check_only = false;
    bool unreadable_pages = false;  ///< detect out-of-bounds accesses in a run, too; a check always does
    bool foreign = false;           ///< all kernels come from an untrusted source
    bool unsaved = false;           ///< edited by the user, so their trust is Own wherever the files are
    bool what_if = false;           ///< also measure what-if experiments: see RunRequest::what_if
    bool keep_outputs = false;      ///< return the contents of the output buffers
    bool xray = true;               ///< check for undefined behaviour
    bool keeps_refused = false;     ///< a kernel that cannot be planned gets a verdict; false: it is an error
};

/// True if `wanted` matches a device: its id, driver, kind, or a part of its name or platform.
bool has_device(const DeviceList& list, const std::string& wanted);

/// Find the device that the user names: by id ("pocl:0"), driver ("pocl"), kind ("gpu") or a part of its name
/// or platform.
/// @param wanted  none: the first GPU, else accelerator, else CPU
/// @throws BadInput          no device matches, or more than one
/// @throws EnvironmentError no device of the kind or of the driver exists, or none at all; the message names
///                           a remedy
const DeviceInfo& choose_device(const DeviceList& list, const std::optional<std::string>& wanted);

/// The problem that a kernel solves.
/// @throws BadInput  its file names no problem or an unknown one
const Problem& problem_of(const KernelFile& kernel);

/// The problem that all contestants solve, except those that were refused. A problem declared by the user is
/// owned by the contestants' files.
/// @param asked  the problem named by the user, used if cpu:blas is the only contestant; none: matmul
/// @throws BadInput  a file names no problem or an unknown one, or the problems differ
const Problem& common_problem(const std::vector<std::optional<KernelFile>>& contestants,
                              const std::optional<std::string>& asked = {});

/// Look for a chosen parameter that none of the contestants has.
/// @return  a sentence about it if it may be one of a contestant that was refused; empty if there is none
/// @throws BadInput  there is one, and no contestant was refused
std::string find_unknown_param(const OpenedExperiment& experiment);

/// @throws Refused  see resolve() in catalog/resolve.hpp; the baseline is not among the contestants
RunRequest make_request(const OpenedExperiment& experiment, const Problem& problem, const Sizes& sizes,
                        const DeviceInfo& device);

/// make_request(); but if one of several kernels can be planned, the others are refused without ending the
/// experiment, in this request and in later ones: it sets `keeps_refused`.
RunRequest make_lenient_request(OpenedExperiment& experiment, const Problem& problem, const Sizes& sizes,
                                const DeviceInfo& device);

/// The tile edge from which a kernel's awkward sizes are derived: the largest extent of its work-groups, at
/// most 256; 16 if the work-groups have one work-item or the driver chooses them.
std::int64_t tile_edge(const KernelPlan& plan);

struct AwkwardRequests {
    std::vector<RunRequest> requests;  ///< at least one
    std::size_t excluded = 0;  ///< awkward sizes at which [require], or the number of launches, fails,
                               ///< or that are not square where `only_size` is given
    std::size_t replaced = 0;  ///< those of them that a similar size stands for
    std::string only_size;     ///< see only_size_of()
};

/// A request for each awkward size of a problem, for `kwb check`. A size that the kernel excludes is replaced
/// by a similar one that it allows; if it allows none of them, the usual size is left. An untrusted kernel is
/// checked at each size.
/// @param experiment  with one contestant
/// @throws Refused  as make_request()
AwkwardRequests make_awkward_requests(const OpenedExperiment& experiment, const Problem& problem,
                                      const DeviceInfo& device);

}  // namespace kwb
