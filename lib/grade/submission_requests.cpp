// SPDX-License-Identifier: Apache-2.0
#include "grade/submission_requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "catalog/kernel_folders.hpp"
#include "experiment/own_kernel.hpp"
#include "experiment/own_words.hpp"
#include "experiment/xray_request.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

constexpr double kMostIntervalFactor = 4;

/// @throws BadInput  with the rubric's file
const Problem& problem_of_rubric(const Rubric& rubric) {
    try {
        return get_problem(rubric.problem);
    } catch (const BadInput& error) {
        throw BadInput(rubric.file + ": " + error.what());
    }
}

Sizes sizes_of(const Rubric& rubric, const std::string& size) {
    try {
        return parse_sizes(problem_of_rubric(rubric), size);
    } catch (const BadInput& error) {
        throw BadInput(fmt::format("{}: size \"{}\": {}", rubric.file, size, error.what()));
    }
}

/// A kernel's name, or a path from the folder of the rubric.
KernelFile open_reference(const Rubric& rubric, const std::string& reference) {
    const fs::path path = fs::path(rubric.file).parent_path() / reference;
    std::error_code missing;
    try {
        return fs::exists(path, missing) ? open_kernel_file(path, reference)
                                         : open_catalogue({}).open(reference);
    } catch (const BadInput& error) {
        throw BadInput(fmt::format("{}: faster_than = \"{}\": {}", rubric.file, reference, error.what()));
    }
}

KernelFile open_submission(const Rubric& rubric, const Submission& submission) {
    KernelFile kernel =
        open_kernel_file(submission.kernel, submission.kernel.filename().string(), submission.texts);
    KernelSpec& spec = kernel.spec;
    spec.problem = rubric.problem;
    spec.declares = nullptr;
    kernel.own_problem = nullptr;
    spec.expect.clear();
    spec.flops.reset();
    spec.moves.reset();
    if (spec.launches.empty()) {
        OwnOptions own;
        const auto read = [&](const char* option, const std::optional<std::string>& text) {
            if (text) read_own_option(option, *text, own);
        };
        read("--entry", rubric.entry);
        read("--args", rubric.args);
        read("--global", rubric.global);
        read("--local", rubric.local);
        Notes notes;
        kernel = complete_kernel(std::move(kernel), own, notes);
    }
    return kernel;
}

OpenedExperiment experiment_of(const Rubric& rubric) {
    OpenedExperiment experiment;
    experiment.timeout_ms = rubric.timeout_ms;
    experiment.foreign = true;
    return experiment;
}

}  // namespace

void require_usable(const Rubric& rubric) {
    problem_of_rubric(rubric);
    for (const std::string& size : rubric.sizes()) sizes_of(rubric, size);
    for (const Criterion& criterion : rubric.criteria) {
        if (criterion.kind != Criterion::Kind::Speed) continue;
        sizes_of(rubric, criterion.at);
        open_reference(rubric, criterion.reference);
    }
}

SubmissionRequests submission_requests(const Rubric& rubric, const Submission& submission,
                                       const DeviceInfo& device) {
    SubmissionRequests made;
    OpenedExperiment experiment = experiment_of(rubric);
    experiment.check_only = true;
    experiment.contestants = {open_submission(rubric, submission)};
    const auto request_at = [&](const std::string& size) {
        RunRequest request =
            make_request(experiment, problem_of_rubric(rubric), sizes_of(rubric, size), device);
        request.submission = submission.entry;
        return request;
    };
    for (const std::string& size : rubric.sizes()) made.checks.push_back(request_at(size));
    XrayOptions what;
    what.keep_counts = true;
    for (const Criterion& criterion : rubric.criteria) {
        if (!criterion.when ||
            std::ranges::find(made.xrays, criterion.at, &SizedXray::size) != made.xrays.end())
            continue;
        const RunRequest at = request_at(criterion.at);
        if (const auto& plan = at.contestants.front().kernel; !plan->refusal)
            made.xrays.push_back({criterion.at, make_xray_request(at, *plan, what)});
    }
    return made;
}

RunRequest speed_request(const Rubric& rubric, const Criterion& criterion, const Submission& submission,
                         const DeviceInfo& device, double budget_ms) {
    OpenedExperiment experiment = experiment_of(rubric);
    experiment.contestants = {open_submission(rubric, submission),
                              open_reference(rubric, criterion.reference)};
    experiment.time_budget_ms = budget_ms;
    experiment.xray = false;  // the checks have observed it
    experiment.keeps_refused = true;
    RunRequest request =
        make_request(experiment, problem_of_rubric(rubric), sizes_of(rubric, criterion.at), device);
    request.baseline = 1;
    KernelPlan& reference = *request.contestants[1].kernel;
    reference.trust = trust_of(reference.file, shipped_kernels());
    request.interval_budget_ms = kMostIntervalFactor * budget_ms;
    return request;
}

RunRequest reference_request(const Rubric& rubric, const Criterion& criterion, const DeviceInfo& device) {
    OpenedExperiment experiment;
    experiment.check_only = true;
    experiment.timeout_ms = rubric.timeout_ms;
    experiment.contestants = {open_reference(rubric, criterion.reference)};
    try {
        return make_request(experiment, problem_of_rubric(rubric), sizes_of(rubric, criterion.at), device);
    } catch (const BadInput& error) {
        throw BadInput(
            fmt::format("{}: faster_than = \"{}\": {}", rubric.file, criterion.reference, error.what()));
    }
}

}  // namespace kwb
