// SPDX-License-Identifier: Apache-2.0
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
          is_warm_(bench_.is_prepared(*contestant.plan)),
          request_(std::move(request)),
          all_(std::move(all)),
          make_inputs_(std::move(make_inputs)) {}

    std::optional<Failure> perform(const TurnRule& rule, bool verifies) {
        std::optional<Failure> failure;
        double warm_ms = 0;
        warm_up(rule, [&] {
            const bool is_first = !has_run_;
            if (failure || (failure = run(true))) return rule.long_ms;
            warm_ms = has_device_time(last_.run_ms) ? last_.run_ms : last_.wall_ms;
            // Messages keep the processor busy, too; but the first request also contains uploads.
            return is_first ? warm_ms : last_.wall_ms;
        });
        if (failure) return failure;
        times_.untimed_bytes = 0;
        const bool counts_cpu = is_pocl_cpu(bench_.device()) && (has_run_ || is_warm_);
        const auto cpu_before_ms = counts_cpu ? bench_.cpu_ms() : std::nullopt;
        const std::size_t recorded = count_recorded(rule, warm_ms, make_inputs_ms_);
        const std::size_t verified = verifies ? draw_secret() % recorded : recorded;
        for (std::size_t i = 0; i < recorded; ++i) {
            if ((failure = run(false))) return failure;
            times_.runs.push_back(last_);
            // After each run: a kernel that sees which one is read could compute only then, or only until
            // then.
            if (i != verified && contestant_.plan->trust == Trust::Shipped) continue;
            if ((failure = read_back(i == verified))) return failure;
        }
        const auto cpu_after_ms = bench_.cpu_ms();
        if (cpu_before_ms && cpu_after_ms) times_.cpu_ms = *cpu_after_ms - *cpu_before_ms;
        return std::nullopt;
    }

    /// Of the recorded runs.
    const TurnTimes& times() const { return times_; }
    /// Device time of all runs, at most that of their requests.
    double all_runs_ms() const { return all_runs_ms_; }
    std::optional<VerifiedRun>& verified_run() { return verified_; }

    /// For each launch the median over the recorded runs.
    std::vector<double> launch_medians() {
        std::vector<double> medians;
        for (std::vector<double>& times_ms : launch_ms_) medians.push_back(stats::median(times_ms));
        return medians;
    }

private:
    /// The first run of a turn and each recorded one have new inputs.
    std::optional<Failure> run(bool is_warm_up) {
        const bool is_first = !std::exchange(has_run_, true);
        const bool is_new = is_first || !is_warm_up;
        if (is_new) {
            const Stopwatch watch;
            seed_ = draw_seed();
            inputs_ = make_inputs_(seed_);
            make_inputs_ms_ = watch.ms();
        }
        last_ = {};
        const std::uint64_t bytes = bytes_before_run(is_new, is_first);
        times_.untimed_bytes += bytes;
        Stopwatch watch;
        Answer<ExecutedReply> answer;
        if (is_first) {
            last_.untimed_bytes = bytes;
            last_.may_include_compilation = !is_warm_;
            answer = bench_.execute(*contestant_.plan, request_, &inputs_);
        } else {
            auto ready = bench_.prepare_run(is_new ? &inputs_ : nullptr);
            if (auto* failure = std::get_if<Failure>(&ready)) return std::move(*failure);
            watch = Stopwatch();
            answer = bench_.launch();
        }
        last_.wall_ms = watch.ms();
        if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
        const auto& reply = std::get<ExecutedReply>(answer);
        if (reply.launch_ms.size() != contestant_.launches.size())
            return Failure{Verdict::KernelCrashed, kImpossibleTimes, {}};
        last_.run_ms = reply.run_ms;
        all_runs_ms_ += std::min(last_.run_ms, last_.wall_ms);
        launch_ms_.resize(reply.launch_ms.size());
        if (!is_warm_up)
            for (std::size_t i = 0; i < launch_ms_.size(); ++i) launch_ms_[i].push_back(reply.launch_ms[i]);
        return std::nullopt;
    }

    /// @param verifies  keep what was read
    std::optional<Failure> read_back(bool verifies) {
        auto answer = bench_.download(all_);
        if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
        Allocations allocations = fetch_all(bench_, all_);
        for (const Transfer& transfer : all_)
            times_.untimed_bytes += bench_.layout().slots[transfer.buffer].whole_bytes();
        if (verifies) verified_ = VerifiedRun{seed_, std::move(inputs_), std::move(allocations)};
        return std::nullopt;
    }

    /// Bytes that are copied and filled.
    std::uint64_t bytes_before_run(bool is_new, bool is_first) const {
        const auto& slots = bench_.layout().slots;
        std::uint64_t bytes = 0;
        if (is_new)
            for (const Slot& slot : slots)
                if (find_named(inputs_, slot.name) != nullptr) bytes += slot.bytes();
        for (const BufferOperation& operation : request_.before_run) bytes += slots[operation.buffer].bytes();
        if (is_first)
            for (const BufferOperation& operation : request_.before_first)
                bytes += slots[operation.buffer].bytes();
        return bytes;
    }

    const ContestantState& contestant_;
    DeviceBench& bench_;
    bool is_warm_;  ///< nothing is compiled in the first run, unless its runner must be replaced
    ExecuteRequest request_;
    std::vector<Transfer> all_;
    std::function<Contents(std::uint64_t)> make_inputs_;
    bool has_run_ = false;
    TimedRun last_;
    TurnTimes times_;
    double all_runs_ms_ = 0;
    std::vector<std::vector<double>> launch_ms_;  ///< per launch, of the recorded runs
    std::uint64_t seed_ = 0;
    Contents inputs_;  ///< of the last run
    double make_inputs_ms_ = 0;
    std::optional<VerifiedRun> verified_;
};

}  // namespace

Turns::Turns(const ProblemInstance& instance, const ReferenceSolver& solver, Verification& verification,
             Checkpoint checkpoint, std::size_t contestants, bool short_turns)
    : instance_(instance),
      solver_(solver),
      verification_(verification),
      checkpoint_(std::move(checkpoint)),
      short_turns_(short_turns),
      costs_(contestants) {}

void Turns::take(ContestantState& contestant, const PassData& data) {
    if (contestant.plan == nullptr) return take_on_host(contestant, data);
    take_on_device(contestant, turn_rule_after(contestant.last_run_ms, short_turns_),
                   wants_to_verify(costs_[contestant.index]), true);
}

void Turns::finish(ContestantState& contestant) {
    take_on_device(contestant, turn_rule_after(contestant.last_run_ms, short_turns_), true, false);
}

bool Turns::is_finished(const ContestantState& contestant) const {
    return !contestant.in_race || costs_[contestant.index].is_last_verified;
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
    // A new runner compiles in its first launch, and the device clock does not measure that.
    ExecuteRequest request = verification_.make_request(contestant, Pass::Real, true);
    std::vector<Transfer> all = std::exchange(request.download, {});
    DeviceTurn turn(contestant, std::move(request), std::move(all), [&](std::uint64_t seed) {
        return solver_.make_inputs(instance_, Pass::Real, seed, checkpoint_);
    });
    if (const auto failure = bench.prepare(*contestant.plan)) return contestant.fail(*failure);
    bench.settle();  // prepare() may have taken the spare runner, so that another one starts
    bench.pause_others();
    const Stopwatch watch;
    const auto failure = turn.perform(rule, verifies);
    contestant.keep_output(bench.take_output(), failure.has_value());
    if (failure) return verification_.judge_failure(contestant, *failure);
    cost.turn_ms = watch.ms();
    cost.is_last_verified = verifies;

    const bool may_be_forged = bench.device().kind == DeviceKind::Cpu;
    const std::optional<TurnReading> reading = read_turn(turn.times().runs, may_be_forged);
    if (!reading) {
        contestant.fail(Verdict::KernelCrashed, kImpossibleTimes);
        return bench.distrust_runner();
    }
    if (!contestant.clocks) contestant.clocks = reading->disagreement;
    if (reading->is_by_judge)
        contestant.has_clock = false;
    else
        contestant.turn_times.push_back(turn.times());
    if (auto& run = turn.verified_run()) {
        const Stopwatch verification;
        bench.pause_all();  // the reference of a declared problem may run on the same device
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
    contestant.last_turn_ms = turn.all_runs_ms();
    contestant.last_run_ms = reading->sample_ms;
    contestant.result.samples_ms.push_back(contestant.last_run_ms);
    contestant.launch_ms.push_back(turn.launch_medians());
    contestant.runs += static_cast<std::uint32_t>(turn.times().runs.size());
}

void Turns::take_on_host(ContestantState& contestant, const PassData& data) {
    std::vector<std::vector<std::byte>> outputs = verification_.make_host_outputs(Pass::Real);
    const auto run = [&] {
        const Stopwatch watch;
        solver_.run_host_library(instance_, data, outputs);
        return watch.ms();
    };
    const TurnRule rule = turn_rule_after(contestant.last_run_ms, short_turns_);
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
