// SPDX-License-Identifier: Apache-2.0
#include "judge/whatif/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/text.hpp"
#include "judge/build/binding.hpp"
#include "judge/build/compile_ahead.hpp"
#include "judge/build/device_code.hpp"
#include "judge/processes/machine.hpp"
#include "judge/reference/inputs.hpp"
#include "judge/timing/plausible_times.hpp"
#include "model/device_fit.hpp"
#include "model/turn.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// Rounds go on to the fewest that an interval needs for up to this many interval budgets: somebody has
/// asked.
constexpr double kMostOvertime = 3;

/// An effect whose interval extends at most this far to either side, or this part of the effect, needs no
/// more rounds.
constexpr double kNarrowHalf = 0.02;
constexpr double kNarrowPart = 0.1;

/// The processes of the experiments may take this part of the free memory: 1 / 2.
constexpr std::uint64_t kMostMemory = 2;

/// They show in which loop the time goes.
constexpr std::size_t kEnoughSamples = 40;
constexpr double kMostSamplingMs = 300;

/// A longer run needs no warm-up: the kernel as it is and the changed one start equally cold.
constexpr double kSettledMs = 20;

/// After these rounds an experiment ends if one of them saved less than kLeastSaving and their bound is below
/// kMostBound, and one with empty kernels if their bound is below kLeastStart. If each of them saved
/// kWorthDividing, details are tried. All are shares of the time.
constexpr std::size_t kTrialRounds = 3;
constexpr double kLeastSaving = 0.02;
constexpr double kMostBound = 0.1;
constexpr double kLeastStart = 0.001;
constexpr double kWorthDividing = 0.1;

/// More rounds hardly narrow an interval whose share is told in whole per cent.
constexpr std::uint32_t kMostRounds = 30;

/// @param speedup  the time as it is, by that of the changed kernel
double share_of(WhatIf what, double speedup) {
    return is_share_left(what) ? 1 / speedup : 1 - 1 / speedup;
}

/// @param as_it_is_ms  of the rounds of the changed kernel
Effect measured(Effect effect, std::span<const double> as_it_is_ms, const std::vector<double>& changed_ms) {
    if (!effect.obstacle.empty() || as_it_is_ms.empty() || changed_ms.empty()) return effect;
    effect.as_it_is_ms = stats::median(as_it_is_ms);
    effect.changed_ms = stats::median(changed_ms);
    const auto ratio = stats::compare_paired(as_it_is_ms, changed_ms);
    if (!ratio) return effect;
    effect.rounds = static_cast<std::uint32_t>(ratio->rounds);
    effect.share = share_of(effect.what, ratio->ratio);
    if (ratio->interval) {
        effect.interval = Interval{share_of(effect.what, ratio->interval->low),
                                   share_of(effect.what, ratio->interval->high)};
        if (is_share_left(effect.what)) std::swap(effect.interval->low, effect.interval->high);
    }
    return effect;
}

/// The times as they are in the rounds in which the other one took part.
std::span<const double> in_rounds_of(const auto& subject, const std::vector<double>& as_it_is_ms) {
    const std::size_t first = std::min<std::size_t>(subject.first_round, as_it_is_ms.size());
    return std::span(as_it_is_ms)
        .subspan(first, std::min(subject.samples_ms.size(), as_it_is_ms.size() - first));
}

/// The inputs with the integers of one of them in ascending order.
PassData with_sorted(const PassData& data, const BufferSpec& buffer) {
    PassData sorted{data.inputs, {}};
    for (auto& input : sorted.inputs)
        if (input.name == buffer.name)
            with_scalar_type(buffer.type.scalar, [&]<class T>(T) {
                if constexpr (std::is_integral_v<T>) std::ranges::sort(numbers_in<T>(input.value));
            });
    return sorted;
}

}  // namespace

Experiments::Experiments(const RunRequest& request, const ProblemInstance& instance,
                         const Verification& verification, const PassData& data, Report report)
    : request_(request),
      instance_(instance),
      verification_(verification),
      data_(data),
      report_(std::move(report)) {}

void Experiments::start(Subject& subject, const ContestantState& contestant) const {
    subject.bench = contestant.bench->make_sibling({});
    DeviceBench& bench = *subject.bench;
    std::vector<const KernelPlan*> plans(contestant.index + 1, nullptr);
    plans.back() = &subject.plan;
    Layout layout = make_layout(instance_, plans, bench.device(), {Placement::Kind::LeftAligned});
    for (Slot& slot : layout.slots)
        if (slot.role == Slot::Role::Input && std::ranges::count(subject.repeated, slot.name) > 0)
            slot.repeated_bytes = subject.repeated_bytes;
    bench.use_layout(std::move(layout));
    const bool is_sorted = subject.effect.what == WhatIf::Sorted;
    if (is_sorted)
        subject.inputs = with_sorted(
            data_, *std::ranges::find(instance_.buffers, subject.effect.buffer, &BufferSpec::name));
    bench.use_inputs(is_sorted ? subject.inputs : data_);
}

std::string Experiments::prepare(Subject& subject, const ContestantState& contestant) const {
    DeviceBench& bench = *subject.bench;
    const Answer<BuiltReply> built = bench.build(subject.plan);
    if (const auto* failure = std::get_if<Failure>(&built)) return failure->reason;
    const auto& reply = std::get<BuiltReply>(built);
    if (!reply.accepted) return "the changed source does not compile";
    ContestantState& state = subject.state;
    state.index = contestant.index;
    state.last_run_ms = contestant.last_run_ms;
    state.plan = &subject.plan;
    state.bench = &bench;
    auto launches = bind_launches(subject.plan, contestant.index, reply.functions, instance_, bench.layout());
    if (const auto* failure = std::get_if<Failure>(&launches)) return failure->reason;
    state.launches = std::get<std::vector<Launch>>(std::move(launches));
    auto init = bind_init(subject.plan, contestant.index, bench.layout());
    if (const auto* failure = std::get_if<Failure>(&init)) return failure->reason;
    state.init = std::get<std::vector<BufferOperation>>(std::move(init));
    subject.request = verification_.make_request(state, Pass::Real, false);
    subject.request.download.clear();
    ExecuteRequest first_run = subject.request;
    if (state.last_run_ms > kSettledMs) first_run.launches = shortest(state.launches);  // what is compiled
    const Answer<ExecutedReply> first = bench.execute(subject.plan, first_run);
    if (const auto* failure = std::get_if<Failure>(&first)) return failure->reason;
    subject.last_ms = state.last_run_ms;
    return "";
}

std::string Experiments::take_turn(Subject& subject) const {
    DeviceBench& bench = *subject.bench;
    std::string obstacle;
    const auto run = [&] {
        if (!obstacle.empty()) return 0.0;
        const Stopwatch watch;
        const Answer<ExecutedReply> answer = bench.execute(subject.plan, subject.request);
        const double wall_ms = watch.ms();
        if (const auto* failure = std::get_if<Failure>(&answer)) {
            obstacle = failure->reason;
            return 0.0;
        }
        const double run_ms = std::get<ExecutedReply>(answer).run_ms;
        return has_device_time(run_ms) ? run_ms : wall_ms;
    };
    bench.settle();
    bench.pause_others();
    TurnRule rule = turn_rule_after(subject.last_ms, true);
    const bool is_empty = subject.effect.what == WhatIf::EmptyKernel;
    if (subject.last_ms > kSettledMs)
        rule = {.discard_ms = 0, .discard_runs = 0, .record_ms = 0, .record_runs = 1};
    else if (is_empty)
        rule.discard_ms = rule.record_ms = 0;  // an empty kernel fills no caches
    if (is_empty && subject.state.last_run_ms > kSettledMs) rule.discard_runs = rule.record_runs = 3;
    const unsigned recorded = count_recorded(rule, warm_up(rule, run));
    std::vector<double> runs_ms;
    for (unsigned i = 0; i < recorded && obstacle.empty(); ++i) runs_ms.push_back(run());
    bench.take_output();  // of a kernel that prints: it was shown before
    if (!obstacle.empty()) return obstacle;
    subject.last_ms = stats::median(runs_ms);
    subject.samples_ms.push_back(subject.last_ms);
    return "";
}

bool Experiments::has_all_rounds(const Subject& subject, const Subject& as_it_is) const {
    const std::size_t rounds = subject.samples_ms.size();
    if (subject.effect.at_most) return true;
    if (rounds >= request_.rounds.value_or(kMostRounds)) return true;
    if (request_.rounds || !stats::is_stop_round(rounds)) return false;
    const Effect effect =
        measured(subject.effect, in_rounds_of(subject, as_it_is.samples_ms), subject.samples_ms);
    return effect.interval && effect.interval->high - effect.interval->low <=
                                  2 * std::max(kNarrowHalf, kNarrowPart * std::abs(*effect.share));
}

void Experiments::begin(Subject& subject, const ContestantState& contestant) const {
    report_(contestant, subject.first_round);
    if (!subject.effect.obstacle.empty()) return;
    try {
        if (!subject.bench) start(subject, contestant);
        subject.effect.obstacle = prepare(subject, contestant);
    } catch (const EnvironmentError& error) {  // no runner starts
        subject.effect.obstacle = error.what();
    }
}

void Experiments::end_idle(std::vector<Subject>& subjects) {
    const std::vector<double>& as_it_is_ms = subjects.front().samples_ms;
    for (Subject& subject : std::span(subjects).subspan(1)) {
        const WhatIf what = subject.effect.what;
        if (what == WhatIf::Together || what == WhatIf::Sorted || subject.samples_ms.size() < kTrialRounds)
            continue;
        std::array<double, kTrialRounds> shares;
        for (std::size_t i = 0; i < kTrialRounds; ++i)
            shares[i] = share_of(what, as_it_is_ms[i] / subject.samples_ms[i]);
        const double least = std::ranges::min(shares);
        const double bound = std::max(0.0, stats::mean_bound(shares));
        const bool is_empty = what == WhatIf::EmptyKernel;
        if (is_empty ? bound < kLeastStart : least < kLeastSaving && bound < kMostBound)
            subject.effect.at_most = bound;
        if (!is_empty) subject.least_saving = least;
    }
}

void Experiments::begin_details(std::vector<Subject>& subjects, const ContestantState& contestant) const {
    const std::span changed = std::span(subjects).subspan(1);
    for (Subject& detail : changed) {
        if (!detail.is_detail) continue;
        detail.is_dropped = std::ranges::none_of(changed, [&](const Subject& other) {
            return other.least_saving >= kWorthDividing &&
                   (detail.effect.what == WhatIf::Together || other.effect.what == detail.effect.what);
        });
        if (detail.is_dropped) continue;
        detail.first_round = kTrialRounds;
        begin(detail, contestant);
    }
}

void Experiments::time(std::vector<Subject>& subjects, const ContestantState& contestant) const {
    std::mt19937_64 order(derive_seed(request_.seed.value(), "order of experiments"));
    // As in Rounds: an exact number of rounds without a budget takes as long as it takes.
    const double budget_ms = request_.time_budget_ms.value_or(
        request_.rounds ? std::numeric_limits<double>::infinity() : kDefaultTimeBudgetMs);
    const double most_ms = std::max(budget_ms, kMostOvertime * request_.interval_budget_ms.value_or(0));
    const Stopwatch watch;
    Subject& as_it_is = subjects.front();
    const std::span changed = std::span(subjects).subspan(1);
    for (std::uint32_t round = 0;; ++round) {
        std::vector<Subject*> turns;
        bool have_intervals = true;
        for (Subject& subject : changed)
            if (subject.bench && subject.effect.obstacle.empty() && !has_all_rounds(subject, as_it_is)) {
                turns.push_back(&subject);
                have_intervals &= subject.samples_ms.size() >= stats::kLeastIntervalSamples;
            }
        if (turns.empty() || watch.ms() > (have_intervals ? budget_ms : most_ms)) return;
        turns.push_back(&as_it_is);
        std::ranges::shuffle(turns, order);
        for (Subject* subject : turns) {
            report_(contestant, round);
            subject->effect.obstacle = take_turn(*subject);
        }
        if (!as_it_is.effect.obstacle.empty()) return;
        if (round + 1 == kTrialRounds && !request_.rounds) {
            end_idle(subjects);
            begin_details(subjects, contestant);
        }
    }
}

std::string Experiments::find_obstacle(const ContestantState& contestant, std::size_t processes) {
    if (contestant.plan->trust == Trust::Foreign)
        return "an untrusted kernel could forge the times of its process";
    // Each process has the buffers, and as much memory that it shares with this one.
    const Layout& layout = contestant.bench->layout();
    std::uint64_t bytes = layout.arena_bytes;
    for (const Slot& slot : layout.slots) bytes = add_bytes(bytes, slot.whole_bytes());
    const DeviceInfo& device = contestant.bench->device();
    std::uint64_t free_bytes = available_memory_bytes();
    if (device.kind != DeviceKind::Cpu && device.global_mem_bytes > 0)
        free_bytes = std::min(free_bytes, device.global_mem_bytes);
    if (bytes <= free_bytes / kMostMemory / processes) return "";
    return fmt::format("{} processes with its buffers take {} each, of {} of free memory", processes,
                       format_bytes(bytes), format_bytes(free_bytes));
}

std::vector<CodePlace> Experiments::sample(Subject& subject) {
    std::vector<CodePlace> samples;
    if (!is_pocl_cpu(subject.bench->device())) return samples;
    subject.bench->settle();
    subject.bench->pause_others();
    ExecuteRequest request = subject.request;
    request.is_sampled = true;
    const Stopwatch watch;
    do {
        const Answer<ExecutedReply> answer = subject.bench->execute(subject.plan, request);
        const auto* reply = std::get_if<ExecutedReply>(&answer);
        if (reply == nullptr) break;
        samples.insert(samples.end(), reply->samples.begin(), reply->samples.end());
    } while (samples.size() < kEnoughSamples && watch.ms() < kMostSamplingMs);
    subject.bench->take_output();
    return samples;
}

void Experiments::perform(ContestantState& contestant) {
    std::vector<Subject> subjects;
    for (PlannedExperiment& planned :
         plan_experiments(*contestant.plan, contestant.launches, contestant.bench->layout(), instance_,
                          contestant.bench->device().kind))
        subjects.push_back({std::move(planned)});
    const std::string obstacle = find_obstacle(contestant, subjects.size());
    for (Subject& subject : subjects) {
        if (!obstacle.empty()) subject.effect.obstacle = obstacle;
        if (subject.effect.what == WhatIf::EmptyKernel) subject.bench = subjects.front().bench;
        if (!subject.is_detail || request_.rounds) begin(subject, contestant);
    }
    const Subject& as_it_is = subjects.front();
    if (as_it_is.effect.obstacle.empty()) time(subjects, contestant);
    std::vector<Effect> effects;
    for (Subject& subject : std::span(subjects).subspan(1)) {
        if (subject.effect.obstacle.empty()) subject.effect.obstacle = as_it_is.effect.obstacle;
        if (subject.is_dropped) continue;
        effects.push_back(measured(std::move(subject.effect), in_rounds_of(subject, as_it_is.samples_ms),
                                   subject.samples_ms));
    }
    contestant.result.effects = std::move(effects);
    if (as_it_is.effect.obstacle.empty())
        contestant.result.hot_loop = hot_loop_of(as_it_is.state.launches, sample(subjects.front()));
}

}  // namespace kwb
