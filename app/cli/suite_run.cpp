// SPDX-License-Identifier: Apache-2.0
#include "suite_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "ci/slowdown.hpp"
#include "experiment/default_sizes.hpp"
#include "experiment/own_words.hpp"
#include "experiment/variants.hpp"
#include "model/finding_words.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;
namespace {

constexpr double kDefaultSlowerShare = 0.1;
/// Each for both kernels; the next one only if those before do not decide, see Slowdown.
constexpr double kCompareMs[] = {1000, 4000, 16'000, 32'000};

bool is_same_text(const KernelFile& one, const KernelFile& other) {
    const auto same = [](const auto& a, const auto& b) { return a.name == b.name && a.value == b.value; };
    return one.spec.source_text == other.spec.source_text &&
           std::ranges::equal(one.includes, other.includes, same) &&
           read_file(one.declared_in) == read_file(other.declared_in);
}

/// "wrong at size 512, where it is timed"
std::string where_timed(const KernelResult& result) {
    return fmt::format("{} at size {}, where it is timed", to_string(result.verdict), to_string(result.size));
}

}  // namespace

OpenedExperiment open_kernel(const CiCase& about, const CiSuite& suite, const std::string& kernel,
                             const SuiteRunOptions& options, const Folders& folders) {
    ExperimentOptions chosen;
    chosen.kernels = {kernel};
    chosen.experiment.check_only = true;
    chosen.experiment.timeout_ms = about.timeout_ms;
    chosen.experiment.seed = options.seed;
    std::vector<std::optional<KernelFile>> files = open_kernels({kernel}, folders);
    const auto read = [&](const char* option, const std::optional<std::string>& text) {
        if (text) read_own_option(option, *text, chosen.own);
    };
    if (about.problem)
        chosen.own.problem =
            names_problem_file(*about.problem) ? (suite.folder() / *about.problem).string() : *about.problem;
    chosen.own.build_options = about.build_options;
    read("--entry", about.entry);
    read("--args", about.args);
    read("--global", about.global);
    read("--local", about.local);
    if (about.local && chosen.own.has_plain_local())  // also for files that declare a work-group
        choose_local(chosen.experiment.choices, join(chosen.own.local, "x"));
    for (const auto& [name, values] : about.params)
        chosen.experiment.choices.params.push_back({name, join(values, ",")});
    Notes notes;
    OpenedExperiment experiment = complete_experiment(chosen, std::move(files), OutputOptions(), notes);
    about.has_all_params ? expand_all_params(experiment) : expand_param_lists(experiment);
    return experiment;
}

const std::vector<DeviceInfo>* SuiteRun::find_devices(CiOutcome& outcome) {
    const auto known = devices_.find(outcome.device);
    if (known != devices_.end()) return &known->second;
    const auto wanted = outcome.device.empty() ? std::nullopt : std::optional(outcome.device);
    if (wanted && !has_device(conversation_.list_devices(wanted), *wanted)) {
        outcome.reason =
            fmt::format("there is no device \"{}\" here; 'kwb devices' lists those there are", *wanted);
        return nullptr;
    }
    return &(devices_[outcome.device] = conversation_.choose_devices(wanted, true));
}

Collected SuiteRun::perform(std::vector<Job> jobs, const std::string& headline) {
    std::vector<Jobs::Place> places;
    for (std::size_t i = 0; i < places_->size(); ++i)
        places.push_back({conversation_.place(i).name, (*places_)[i]});
    Jobs task(std::move(jobs), std::move(places), headline);
    conversation_.perform(task);
    if (conversation_.interrupted()) throw Interrupted{};
    Collected all = task.collect(false);
    all.require_results();
    return all;
}

std::vector<Job> SuiteRun::checks_of(const SuiteTest& test, const Problem& problem,
                                     const DeviceInfo& device) const {
    std::vector<Job> jobs;
    if (test.about->sizes.empty())
        for (RunRequest& request : make_awkward_requests(test.experiment, problem, device).requests)
            jobs.push_back({std::move(request)});
    for (const std::string& size : test.about->sizes)
        jobs.push_back({make_request(test.experiment, problem, parse_sizes(problem, size), device)});
    return jobs;
}

void SuiteRun::judge_checks(SuiteTest& test) {
    CiOutcome& outcome = test.outcome;
    const std::optional<Verdict> wanted = test.about->expect;
    std::vector<const KernelResult*> faults;
    bool is_seen = false;
    for (KernelResult& result : outcome.results) {
        if (wanted && result.verdict == *wanted) {
            is_seen = true;
            result.expected = Expectation{{*wanted}, ""};  // so it is no fault of this kernel
        }
        if (!result.as_expected()) faults.push_back(&result);
    }
    if (!faults.empty())
        outcome.reason = fmt::format("{} at {} of {}", to_string(faults.front()->verdict), faults.size(),
                                     counted(outcome.results.size(), "size"));
    else if (wanted && !is_seen)
        outcome.reason = fmt::format("should be {} at some size, but is not", to_string(*wanted));
    outcome.state = outcome.reason.empty() ? CiState::Passed : CiState::Failed;
}

RunRequest SuiteRun::timed_request(const SuiteTest& test, const OpenedExperiment& experiment,
                                   const Problem& problem) const {
    OpenedExperiment timed = experiment;
    timed.check_only = false;
    timed.xray = false;  // the check has observed it
    const DeviceInfo& device = places_->front();
    const auto& time_at = test.about->time_at;
    RunRequest request =
        make_request(timed, problem,
                     time_at ? parse_sizes(problem, *time_at) : default_sizes_on(problem, &device), device);
    request.interval_budget_ms = kDefaultIntervalBudgetMs;
    return request;
}

/// The kernel and its earlier text, to be timed in turns.
/// @return  nullopt: there is nothing to time, as outcome.reason says
std::optional<RunRequest> SuiteRun::request_with_earlier(SuiteTest& test, const Problem& problem) const {
    const fs::path folder = *options_.against;
    const fs::path earlier = folder / fs::path(test.kernel).lexically_relative(suite_.folder());
    std::error_code missing;
    if (!fs::path(test.kernel).is_absolute() || !fs::exists(earlier, missing)) {
        test.outcome.reason = "not compared: it is new";
        return std::nullopt;
    }
    CiCase about = *test.about;
    about.params.clear();  // those of this test follow
    about.has_all_params = false;
    OpenedExperiment both = test.experiment;
    const OpenedExperiment before =
        open_kernel(about, CiSuite{folder / kSuiteFile, {}}, earlier.string(), options_, folders_);
    if (is_same_text(*both.contestants.front(), *before.contestants.front())) {
        test.outcome.reason = "not compared: its text is unchanged";
        return std::nullopt;
    }
    both.contestants.push_back(before.contestants.front());
    both.own_choices.push_back(both.own_choices.front());
    RunRequest request = timed_request(test, both, problem);
    request.baseline = 1;
    return request;
}

/// Measures once. @return  the result of each contestant
std::vector<KernelResult> SuiteRun::measure(SuiteTest& test, const RunRequest& request,
                                            const std::string& headline) {
    const Collected all = perform({{request, 0}}, headline);
    std::vector<KernelResult> results = all.results();
    test.outcome.timed = results.front();
    test.outcome.where = all.environments.front();
    return results;
}

void SuiteRun::time_alone(SuiteTest& test, const Problem& problem, const std::string& headline) {
    RunRequest request = timed_request(test, test.experiment, problem);
    request.time_budget_ms = kCompareMs[0];
    const KernelResult result = measure(test, request, headline).front();
    if (is_good(result.verdict)) return;
    test.outcome.state = CiState::Failed;
    test.outcome.reason = where_timed(result);
    test.outcome.results.push_back(result);
}

void SuiteRun::compare(SuiteTest& test, RunRequest request, const std::string& headline) {
    CiOutcome& outcome = test.outcome;
    Slowdown slowdown(1 + options_.slower_than.value_or(kDefaultSlowerShare));
    for (const double budget_ms : kCompareMs) {
        request.time_budget_ms = budget_ms;
        const std::vector<KernelResult> results = measure(test, request, headline);
        for (const std::size_t i : {0u, 1u})
            if (!is_good(results[i].verdict)) {
                outcome.state = i == 0 ? CiState::Failed : CiState::Passed;
                outcome.reason =
                    (i == 0 ? "" : "not compared: its earlier text is ") + where_timed(results[i]);
                if (i == 0) outcome.results.push_back(results[i]);
                return;
            }
        const Slowdown::Answer answer = slowdown.add(results[0].samples_ms, results[1].samples_ms);
        if (const auto& ratio = slowdown.ratio(); ratio && ratio->interval)
            outcome.time_ratio = Speedup{results[1].kernel, ratio->ratio, ratio->interval};
        if (answer == Slowdown::Answer::NotSlower) return;
        if (answer == Slowdown::Answer::NotYet) continue;
        outcome.state = CiState::Failed;
        outcome.reason = "slower than before";
        return;
    }
    outcome.state = CiState::CannotTell;
    outcome.reason = "the times are too noisy to decide whether it became slower";
}

void SuiteRun::run(SuiteTest& test, const std::string& headline) {
    CiOutcome& outcome = test.outcome;
    if (test.experiment.contestants.empty()) {
        outcome.state = CiState::Failed;
        return;
    }
    places_ = find_devices(outcome);
    if (places_ == nullptr) return;
    const Stopwatch watch;
    try {
        const Problem& problem = common_problem(test.experiment.contestants, test.about->problem);
        outcome.results = perform(checks_of(test, problem, places_->front()), headline).results();
        judge_checks(test);
        if (outcome.state == CiState::Passed && options_.against)
            if (auto request = request_with_earlier(test, problem))
                compare(test, std::move(*request), headline);
        if (outcome.state == CiState::Passed && options_.record && !outcome.timed)
            time_alone(test, problem, headline);
    } catch (const BadInput& error) {
        const bool is_checked = outcome.state == CiState::Passed;  // the earlier text is at fault
        if (!is_checked) outcome.state = CiState::Failed;
        outcome.reason = fmt::format("{}{}", is_checked ? "not compared: " : "", error.what());
    }
    outcome.seconds = watch.ms() / 1000;
}

}  // namespace kwb::cli
