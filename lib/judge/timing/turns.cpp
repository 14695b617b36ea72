#include "judge/timing/turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/secret.hpp"
#include "model/turn.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// Verification may take this share of a turn's time …
constexpr double kVerificationShare = 0.25;
/// … but at least this share of the turns is verified.
constexpr double kLeastVerified = 0.25;

/// What the judge needs to verify one run.
struct VerifiedRun {
    std::uint64_t seed = 0;  ///< of its inputs
    Contents inputs;
    Allocations allocations;
};

/// One turn of a kernel on a device. Its methods return the failure of the kernel's process, if any.
class DeviceTurn {
public:
    /// @param request  of its runs, without inputs and downloads
    /// @param all      every allocation that a run may change
    DeviceTurn(const ContestantState& contestant, ExecuteRequest request, std::vector<Transfer> all,
               std::function<Contents(std::uint64_t seed)> make_inputs)
        : contestant_(contestant),
          bench_(*contestant.bench),
          request_(std::move(request)),
          all_(std::move(all)),
          make_inputs_(std::move(make_inputs)) {}

    std::optional<Failure> perform(const TurnRule& rule, bool verifies) {
        std::optional<Failure> failure;
        const double warm_ms = warm_up(rule, [&] {
            if (!failure) failure = run(false);
            if (failure) return rule.long_ms;
            const TimedRun& last = times_.runs.back();
            return has_device_time(last.run_ms) ? last.run_ms : last.wall_ms;
        });
        if (failure) return failure;
        recorded_ = count_recorded(rule, warm_ms, make_inputs_ms_);
        const std::uint64_t verified = verifies ? draw_secret() % recorded_ : recorded_;
        for (std::uint64_t i = 0; i < recorded_; ++i) {
            if ((failure = run(true))) return failure;
            if (i == verified && (failure = read_back())) return failure;
        }
        return std::nullopt;
    }

    const TurnTimes& times() const { return times_; }
    std::size_t recorded() const { return recorded_; }
    std::optional<VerifiedRun>& verified_run() { return verified_; }

    /// For each launch the median over the recorded runs.
    std::vector<double> launch_medians() {
        std::vector<double> medians;
        for (std::vector<double>& times_ms : launch_ms_) medians.push_back(stats::median(times_ms));
        return medians;
    }

private:
    std::optional<Failure> run(bool is_recorded) {
        std::vector<Transfer> inputs;
        if (is_recorded || times_.runs.empty()) {
            const Stopwatch watch;
            seed_ = draw_seed();
            inputs_ = make_inputs_(seed_);
            inputs = bench_.stage_inputs(inputs_);
            make_inputs_ms_ = watch.ms();
        }
        const std::uint64_t prepared_bytes = prepared(inputs);
        std::uint64_t bytes = 0;
        Stopwatch watch;
        Answer<ExecutedReply> answer;
        if (times_.runs.empty()) {
            bytes = prepared_bytes;
            request_.inputs = std::move(inputs);
            answer = bench_.execute(*contestant_.plan, request_);
        } else {
            times_.untimed_bytes += prepared_bytes;
            auto ready = bench_.prepare_run(std::move(inputs));
            if (auto* failure = std::get_if<Failure>(&ready)) return std::move(*failure);
            watch = Stopwatch();
            answer = bench_.launch();
        }
        const double wall_ms = watch.ms();
        if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
        const auto& reply = std::get<ExecutedReply>(answer);
        if (reply.launch_ms.size() != contestant_.launches.size())
            return Failure{Verdict::KernelCrashed, kImpossibleTimes, {}};
        times_.runs.push_back({reply.run_ms, wall_ms, bytes});
        launch_ms_.resize(reply.launch_ms.size());
        if (is_recorded)
            for (std::size_t i = 0; i < launch_ms_.size(); ++i) launch_ms_[i].push_back(reply.launch_ms[i]);
        return std::nullopt;
    }

    std::optional<Failure> read_back() {
        auto answer = bench_.download(all_);
        if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
        verified_ = VerifiedRun{seed_, std::move(inputs_), fetch_all(bench_, all_)};
        for (const Transfer& transfer : all_)
            times_.untimed_bytes += bench_.layout().slots[transfer.buffer].whole_bytes();
        return std::nullopt;
    }

    /// Bytes that are copied and filled before a run.
    std::uint64_t prepared(const std::vector<Transfer>& inputs) const {
        const auto& slots = bench_.layout().slots;
        std::uint64_t bytes = 0;
        for (const Transfer& transfer : inputs) bytes += slots[transfer.buffer].bytes();
        for (const BufferOperation& operation : request_.before_run) bytes += slots[operation.buffer].bytes();
        if (times_.runs.empty())
            for (const BufferOperation& operation : request_.before_first)
                bytes += slots[operation.buffer].bytes();
        return bytes;
    }

    const ContestantState& contestant_;
    DeviceBench& bench_;
    ExecuteRequest request_;
    std::vector<Transfer> all_;
    std::function<Contents(std::uint64_t)> make_inputs_;
    TurnTimes times_;
    std::vector<std::vector<double>> launch_ms_;  ///< per launch, of the recorded runs
    std::size_t recorded_ = 0;
    std::uint64_t seed_ = 0;
    Contents inputs_;  ///< of the last run
    double make_inputs_ms_ = 0;
    std::optional<VerifiedRun> verified_;
};

}  // namespace

Turns::Turns(const ProblemInstance& instance, const ReferenceSolver& solver, Verification& verification,
             Checkpoint checkpoint, std::size_t contestants)
    : instance_(instance),
      solver_(solver),
      verification_(verification),
      checkpoint_(std::move(checkpoint)),
      costs_(contestants) {}

void Turns::take(ContestantState& contestant, const PassData& data) {
    if (contestant.plan == nullptr) return take_on_host(contestant, data);
    take_on_device(contestant, turn_rule_after(contestant.last_run_ms),
                   wants_to_verify(costs_[contestant.index]), true);
}

void Turns::finish(ContestantState& contestant) {
    if (!contestant.in_race || costs_[contestant.index].is_last_verified) return;
    TurnRule once;
    once.discard_ms = once.record_ms = 0;
    once.discard_runs = 0;
    once.record_runs = 1;
    take_on_device(contestant, once, true, false);
}

/// The kernel cannot know the decision: it is made in this process.
bool Turns::wants_to_verify(const Cost& cost) const {
    if (cost.verification_ms <= kVerificationShare * cost.turn_ms || cost.turn_ms == 0) return true;
    const double share = std::max(kLeastVerified, kVerificationShare * cost.turn_ms / cost.verification_ms);
    return share_at(draw_secret(), 0) < share;
}

void Turns::take_on_device(ContestantState& contestant, const TurnRule& rule, bool verifies, bool is_sample) {
    DeviceBench& bench = *contestant.bench;
    Cost& cost = costs_[contestant.index];
    bench.settle();
    // A new runner compiles in its first launch, and the device clock does not measure that.
    const bool warm = bench.is_prepared(*contestant.plan);
    if (const auto failure = bench.prepare(*contestant.plan)) return contestant.fail(*failure);
    bench.pause_others();
    ExecuteRequest request = verification_.make_request(contestant, Pass::Real, true);
    std::vector<Transfer> all = std::exchange(request.download, {});
    DeviceTurn turn(contestant, std::move(request), std::move(all), [&](std::uint64_t seed) {
        return solver_.make_inputs(instance_, Pass::Real, seed, checkpoint_);
    });
    const auto cpu_before_ms = bench.cpu_ms();
    const Stopwatch watch;
    const auto failure = turn.perform(rule, verifies);
    const auto cpu_after_ms = bench.cpu_ms();
    contestant.output.append(bench.take_output());
    if (failure) return verification_.judge_failure(contestant, *failure);
    cost.turn_ms = watch.ms();
    cost.is_last_verified = verifies;

    const std::optional<TurnReading> reading = read_turn(turn.times().runs, turn.recorded());
    if (!reading) {
        contestant.fail(Verdict::KernelCrashed, kImpossibleTimes);
        return bench.distrust_runner();
    }
    if (!contestant.clocks) contestant.clocks = reading->disagreement;
    if (reading->is_by_judge) {
        contestant.has_clock = false;
    } else if (warm) {
        contestant.turn_times.push_back(turn.times());
        if (cpu_before_ms && cpu_after_ms && bench.device().kind == DeviceKind::Cpu)
            contestant.turn_times.back().cpu_ms = *cpu_after_ms - *cpu_before_ms;
    }
    if (auto& run = turn.verified_run()) {
        const Stopwatch verification;
        PassData data{std::move(run->inputs), {}};
        solver_.solve(instance_, Pass::Real, data, Effort::Least, checkpoint_);
        verification_.judge_run(contestant, Pass::Real, data, run->allocations);
        if (!contestant.in_race && contestant.result.verdict == Verdict::Wrong)
            contestant.result.reason =
                fmt::format("right at first, but wrong in a timed run (inputs of seed {}): {}", run->seed,
                            contestant.result.reason);
        cost.verification_ms = verification.ms();
    }
    if (!contestant.in_race || !is_sample) return;
    contestant.last_turn_ms = reading->all_runs_ms;
    contestant.last_run_ms = reading->sample_ms;
    contestant.result.samples_ms.push_back(contestant.last_run_ms);
    contestant.launch_ms.push_back(turn.launch_medians());
    contestant.runs += static_cast<std::uint32_t>(turn.recorded());
}

void Turns::take_on_host(ContestantState& contestant, const PassData& data) {
    std::vector<std::vector<std::byte>> outputs = verification_.make_host_outputs(Pass::Real);
    const auto run = [&] {
        const Stopwatch watch;
        solver_.run_host_library(instance_, data, outputs);
        return watch.ms();
    };
    const TurnRule rule = turn_rule_after(contestant.last_run_ms);
    const Stopwatch turn;
    const unsigned recorded = count_recorded(rule, warm_up(rule, run));
    std::vector<double> samples_ms;
    for (unsigned i = 0; i < recorded; ++i) samples_ms.push_back(run());
    contestant.last_turn_ms = turn.ms();
    contestant.last_run_ms = stats::median(samples_ms);
    contestant.result.samples_ms.push_back(contestant.last_run_ms);
    contestant.runs += recorded;
}

}  // namespace kwb
