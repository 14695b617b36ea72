// SPDX-License-Identifier: Apache-2.0
#include "task/tuner.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "experiment/side_car.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace {

/// Unless the user gave a budget. Less than that of `kwb run`, because most configurations are far from the
/// best; the fastest are measured again.
constexpr double kConfigurationBudgetMs = 200;
constexpr double kConfigurationIntervalMs = 2000;

/// A place is given up after this many failed runs of its judge in a row: if there are other places, and if
/// there are none.
constexpr std::size_t kMostFailures = 2;
constexpr std::size_t kMostFailuresAlone = 5;

/// The seed of the random order, unless the user gave one.
constexpr std::uint64_t kUsualSeed = 1;

/// The time in Python's format.
std::string utc_now() {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%d %H:%M:%S}+00:00", fmt::gmtime(now));
}

KernelChoices choices_of(const KernelChoices& all, const ParamChoice& params) {
    KernelChoices choices = all;
    choices.params.clear();
    for (const auto& [name, value] : params) choices.params.push_back({name, to_string(value)});
    return choices;
}

/// A hash of all files that determine what runs.
std::string source_hash(const KernelFile& kernel) {
    std::string text;
    for (const auto& file : files_of(kernel)) {
        std::error_code missing;  // a side-car, usually
        if (std::filesystem::exists(file, missing)) text += sha256_hex(read_file(file, kMostContentBytes));
    }
    return sha256_hex(text);
}

}  // namespace

Tuner::Tuner(OpenedExperiment experiment, const Problem& problem, Sizes sizes,
             std::vector<DeviceInfo> devices, Space space, TunerOptions options)
    : experiment_(std::move(experiment)),
      problem_(problem),
      sizes_(std::move(sizes)),
      space_(std::move(space)),
      options_(std::move(options)),
      strategy_(make_strategy(options_.strategy.value_or(usual_strategy(options_.budget, space_.size())),
                              space_, experiment_.seed.value_or(kUsualSeed))),
      tuning_(*strategy_, options_.budget, space_.size(), devices.size()) {
    for (DeviceInfo& device : devices) places_.push_back({std::move(device)});
    for (Trial& trial : options_.known) tuning_.recall(std::move(trial));
    if (options_.cache && options_.resume) {
        cache_.emplace(*options_.cache, tuned_case(), space_, blank_result());
        for (const Trial& trial : cache_->recalled().trials) tuning_.recall(trial);
    } else if (options_.cache) {
        cache_.emplace(*options_.cache, tuned_case());
    }
    recalled_ = tuning_.tried();
}

TunedCase Tuner::tuned_case() const {
    const KernelFile& kernel = *experiment_.contestants.front();
    TunedCase about;
    about.device_name = places_.front().device.name;
    about.kernel_name = kernel.spec.launches.empty() ? kernel.spec.name : kernel.spec.launches.front().kernel;
    about.problem_size = options_.cached_size;
    if (about.problem_size.empty())
        for (const auto& [name, size] : sizes_) about.problem_size.push_back(size);
    about.params = space_.params();
    about.identity = {
        {"problem", problem_.name()},
        {"source", source_hash(kernel)},
        {"options", std::string(trim(options_.option_words + (experiment_.xray ? "" : " --no-xray")))},
        {"driver", places_.front().device.driver_version}};
    return about;
}

KernelResult Tuner::blank_result() const {
    const KernelFile& kernel = *experiment_.contestants.front();
    KernelResult blank;
    blank.kernel = kernel.spec.name;
    blank.file = kernel.spec.file;
    blank.source_sha256 = sha256_hex(kernel.spec.source_text);
    blank.problem = problem_.name();
    blank.size = sizes_;
    blank.device = places_.front().device.id;
    return blank;
}

double Tuner::elapsed_ms() const {
    return watch_ ? watch_->ms() : 0;
}

std::optional<Task::Request> Tuner::next(std::size_t place) {
    Place& at = places_[place];
    if (!at.error.empty()) return std::nullopt;
    if (!at.run) at.run = tuning_.next_run(elapsed_ms());
    if (!at.run) return std::nullopt;
    RunRequest request = request_for(*at.run, at.device);
    at.watch = {};
    if (!watch_) watch_.emplace();
    return request;
}

RunRequest Tuner::request_for(const TuneRun& of, const DeviceInfo& device) {
    OpenedExperiment run = experiment_;
    run.contestants.assign(of.configurations.size(), experiment_.contestants.front());
    for (const std::size_t i : of.configurations)
        run.own_choices.push_back(choices_of(experiment_.choices, space_.at(i)));
    RunRequest request = make_lenient_request(run, problem_, sizes_, device);
    experiment_.keeps_refused = true;  // from now on, a configuration that cannot be planned costs itself
    request.races = !run.rounds;
    if (!of.is_final && !run.rounds && !run.time_budget_ms) {
        request.time_budget_ms = kConfigurationBudgetMs;
        request.interval_budget_ms = kConfigurationIntervalMs;
    }
    return request;
}

Tuning::End Tuner::end_of_run(Place& place, const Snapshot& snapshot) const {
    if (snapshot.stopped) return Tuning::End::Stopped;
    place.failures_in_a_row = snapshot.error.empty() ? 0 : place.failures_in_a_row + 1;
    if (snapshot.error.empty()) return Tuning::End::Complete;
    const auto usable = std::ranges::count_if(places_, [](const Place& one) { return one.error.empty(); });
    if (place.failures_in_a_row < (usable > 1 ? kMostFailures : kMostFailuresAlone))
        return Tuning::End::JudgeFailed;
    place.error = snapshot.error;
    return Tuning::End::JudgeLost;
}

void Tuner::take(std::size_t place, const Snapshot& snapshot) {
    Place& at = places_[place];
    const TuneRun run = *std::exchange(at.run, std::nullopt);
    const double wall_ms = at.watch.ms();
    if (snapshot.error.empty()) at.environment = snapshot.environment;
    std::vector<KernelResult> results = snapshot.results;
    for (std::size_t i = 0; i < results.size(); ++i)  // what cannot be planned has none
        results[i].params = space_.at(run.configurations[i]);
    const Tuning::End end = end_of_run(at, snapshot);
    taken_ = tuning_.take(run, std::move(results), end, {utc_now(), wall_ms});
    // A run that was stopped has few rounds of what it measured: after --resume that is measured again.
    if (snapshot.stopped)
        std::erase_if(taken_, [](const Trial* trial) { return trial->cost_ms && !trial->result.ci95_ms; });
    if (cache_) cache_->keep(taken_);
}

std::string Tuner::error() const {
    const bool is_lost = std::ranges::none_of(places_, [](const Place& at) { return at.error.empty(); });
    return is_lost ? places_.back().error : "";
}

std::string Tuner::progress() const {
    const TunerProgress now = progress_now();
    std::string text =
        now.is_final ? "the fastest once more" : fmt::format("{} of {} tried", now.tried, now.planned);
    if (now.left_ms) text += fmt::format(", about {} left", rough_duration(*now.left_ms));
    if (const Trial* best = tuning_.best())
        text +=
            fmt::format(", best {} ({})", format_time_ms(*best->cost_ms), params_text(best->result.params));
    return text;
}

TunerProgress Tuner::progress_now() const {
    TunerProgress progress{tuning_.tried(),
                           std::min(space_.size(), options_.budget.configurations.value_or(space_.size())),
                           tuning_.is_final()};
    const std::size_t done = progress.tried - recalled_;
    if (progress.is_final || done == 0 || progress.tried >= progress.planned) return progress;
    const double elapsed = elapsed_ms();
    progress.left_ms = elapsed / double(done) * double(progress.planned - progress.tried);
    if (options_.budget.time_ms)
        progress.left_ms = std::clamp(*options_.budget.time_ms - elapsed, 0.0, *progress.left_ms);
    return progress;
}

}  // namespace kwb
