// SPDX-License-Identifier: Apache-2.0
#include "grade/submission_requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "catalog/kernel_folders.hpp"
#include "experiment/gpus.hpp"
#include "experiment/own_kernel.hpp"
#include "experiment/own_words.hpp"
#include "experiment/xray_request.hpp"
#include "grade/gpu_facts.hpp"
#include "model/device_fit.hpp"
#include "model/finding_words.hpp"
#include "source/read.hpp"

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
/// @param key  of the rubric, for the message
KernelFile open_named(const Rubric& rubric, const char* key, const std::string& name) {
    const fs::path path = fs::path(rubric.file).parent_path() / name;
    std::error_code missing;
    try {
        return fs::exists(path, missing) ? open_kernel_file(path, name)
                                         : open_catalogue(rubric.kernel_folders).open(name);
    } catch (const BadInput& error) {
        throw BadInput(fmt::format("{}: {} = \"{}\": {}", rubric.file, key, name, error.what()));
    }
}

KernelFile open_reference(const Rubric& rubric, const Criterion& criterion, const std::string& reference) {
    return open_named(rubric, criterion.reference_key(), reference);
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

/// With its parameters at their defaults.
SourceText source_text_of(const Rubric& rubric, KernelFile kernel, const DeviceInfo& device) {
    OpenedExperiment experiment = experiment_of(rubric);
    experiment.keeps_refused = true;
    experiment.contestants = {std::move(kernel)};
    const RunRequest request =
        make_request(experiment, problem_of_rubric(rubric), sizes_of(rubric, rubric.sizes().front()), device);
    return kwb::source_text_of(*request.contestants.front().kernel);
}

}  // namespace

void require_usable(const Rubric& rubric) {
    problem_of_rubric(rubric);
    for (const std::string& size : rubric.sizes()) sizes_of(rubric, size);
    for (const Criterion& criterion : rubric.criteria) {
        if (!criterion.references.empty()) sizes_of(rubric, criterion.at);
        for (const std::string& name : criterion.references) open_reference(rubric, criterion, name);
    }
    gpus_of(rubric);
    for (const std::string& name : rubric.given) open_named(rubric, "given", name);
}

void require_fit(const Rubric& rubric, const DeviceInfo& device) {
    std::vector<std::string> sizes = rubric.sizes();
    for (const Criterion& criterion : rubric.criteria)
        if (!criterion.references.empty() && criterion.on.empty()) sizes.push_back(criterion.at);
    for (const std::string& size : sizes) {
        std::vector<BufferNeed> needs;
        for (const BufferSpec& buffer : problem_of_rubric(rubric).at(sizes_of(rubric, size)).buffers)
            needs.push_back({buffer.name, multiply_bytes(buffer.elements(), buffer.type.bytes()), 0});
        if (const auto misfit = find_memory_fault(needs, device))
            throw BadInput(fmt::format("{}: size \"{}\": {}", rubric.file, size, sentence_of(*misfit)));
    }
}

std::string reference_texts(const Rubric& rubric) {
    std::string texts;
    for (const Criterion& criterion : rubric.criteria)
        for (const std::string& name : criterion.references) {
            const KernelFile kernel = open_reference(rubric, criterion, name);
            texts += '\0' + kernel.spec.source_text;
            for (const auto& [include, text] : kernel.includes) texts += '\0' + text;
        }
    return texts;
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
    const auto add_xray = [&](const std::string& size, std::uint32_t sub_group) {
        if (std::ranges::any_of(made.xrays, [&](const SizedXray& before) {
                return before.size == size && before.sub_group == sub_group;
            }))
            return;
        XrayOptions what;
        what.keep_counts = true;
        what.sub_group = sub_group;
        RunRequest at = request_at(size);
        if (const auto& plan = at.contestants.front().kernel; !plan->refusal) {
            XrayRequest request = make_xray_request(at, *plan, what);
            made.xrays.push_back({size, sub_group, std::move(at), std::move(request)});
        }
    };
    for (const Criterion& criterion : rubric.criteria) {
        if (!criterion.when) continue;
        add_xray(criterion.at, XrayOptions{}.sub_group);
        for (const auto& [name, gpu] : gpus_of(rubric, *criterion.when))
            if (is_observable(gpu.sub_group)) add_xray(criterion.at, gpu.sub_group);
    }
    return made;
}

std::optional<SourceText> source_of(const Rubric& rubric, const Submission& submission,
                                    const DeviceInfo& device) try {
    return source_text_of(rubric, open_submission(rubric, submission), device);
} catch (const BadInput&) {  // the checks have told
    return std::nullopt;
}

std::vector<SourceText> given_sources(const Rubric& rubric, const DeviceInfo& device) {
    std::vector<SourceText> sources;
    for (const std::string& name : rubric.given)
        sources.push_back(source_text_of(rubric, open_named(rubric, "given", name), device));
    return sources;
}

RunRequest speed_request(const Rubric& rubric, const Criterion& criterion, const Submission& submission,
                         const DeviceInfo& device, double budget_ms) {
    OpenedExperiment experiment = experiment_of(rubric);
    experiment.contestants = {open_submission(rubric, submission)};
    for (const std::string& name : criterion.references)
        experiment.contestants.emplace_back(open_reference(rubric, criterion, name));
    experiment.time_budget_ms = budget_ms;
    experiment.xray = false;  // the checks have observed it
    experiment.keeps_refused = true;
    RunRequest request =
        make_request(experiment, problem_of_rubric(rubric), sizes_of(rubric, criterion.at), device);
    request.baseline = 1;
    for (std::size_t i = 1; i < request.contestants.size(); ++i) {
        KernelPlan& reference = *request.contestants[i].kernel;
        reference.trust = trust_of(reference.file, shipped_kernels());
    }
    request.interval_budget_ms = kMostIntervalFactor * budget_ms;
    return request;
}

RunRequest reference_request(const Rubric& rubric, const Criterion& criterion, const std::string& reference,
                             const DeviceInfo& device) {
    OpenedExperiment experiment;
    experiment.check_only = true;
    experiment.timeout_ms = rubric.timeout_ms;
    experiment.contestants = {open_reference(rubric, criterion, reference)};
    try {
        return make_request(experiment, problem_of_rubric(rubric), sizes_of(rubric, criterion.at), device);
    } catch (const BadInput& error) {
        throw BadInput(fmt::format("{}: {} = \"{}\": {}", rubric.file, criterion.reference_key(), reference,
                                   error.what()));
    }
}

}  // namespace kwb
