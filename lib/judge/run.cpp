// SPDX-License-Identifier: Apache-2.0
#include "judge/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "judge/build/binding.hpp"
#include "judge/build/build_log.hpp"
#include "judge/build/constraints.hpp"
#include "judge/build/source_hints.hpp"
#include "judge/contestant_state.hpp"
#include "judge/processes/machine.hpp"
#include "judge/reference/declared_solver.hpp"
#include "judge/reference/host_blas.hpp"
#include "judge/timing/rounds.hpp"
#include "judge/timing/turns.hpp"
#include "judge/verify/miscompiled.hpp"
#include "judge/verify/output_check.hpp"
#include "judge/verify/page_check.hpp"
#include "judge/whatif/experiments.hpp"
#include "model/device_fit.hpp"
#include "problems/problem.hpp"
#include "source/read.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// Reading a message takes CPU time from the kernels, so each message is followed by a pause: at most
/// 20 messages a second, in at most 10 bursts.
constexpr auto kPausePerMessage = std::chrono::milliseconds(50);
/// A window that draws the progress of what nobody waits for would disturb the experiments.
constexpr auto kPauseInBackground = std::chrono::milliseconds(1000);
constexpr auto kReadingPause = std::chrono::milliseconds(20);

/// If the problem has only one pass, the stage does not name it.
std::string stage_of(const ReferenceSolver& solver, Pass pass) {
    return solver.has_exact_pass() ? "check (" + std::string(to_string(pass)) + " inputs)" : "check";
}

/// Identifies the text of a kernel with all that it includes.
std::string fingerprint_of(const KernelPlan& plan) {
    std::string parts = sha256_hex(plan.source_text);
    for (const auto& [name, text] : plan.includes) parts += sha256_hex(name) + sha256_hex(text);
    return sha256_hex(parts);
}

}  // namespace

TrustDomain domain_of(const KernelPlan& plan, const std::string& role) {
    if (plan.trust == Trust::Shipped) return {Trust::Shipped, ""};
    return {plan.trust, role + fingerprint_of(plan)};
}

TrustDomain domain_of(const RunRequest& request, std::size_t contestant) {
    const KernelPlan& plan = *request.contestants[contestant].kernel;
    return domain_of(plan, plan.trust == Trust::Foreign ? std::to_string(contestant) + "-" : "");
}

Run::Run(const RunRequest& request, const ProblemInstance& instance, const ReferenceSolver& solver,
         const BenchFor& bench_for, ReferenceCache& references, XrayRoom& xray, FaceLink& face)
    : request_(request),
      instance_(instance),
      solver_(solver),
      references_(references),
      face_(face),
      xray_(request, instance, solver, xray, face) {
    contestants_.resize(request.contestants.size());
    sent_.resize(request.contestants.size());
    for (std::size_t i = 0; i < contestants_.size(); ++i) {
        const Contestant& asked = request.contestants[i];
        ContestantState& contestant = contestants_[i];
        contestant.index = i;
        if (asked.kernel) {
            Group& group = group_for(bench_for, i);
            group.members.push_back(&contestant);
            contestant.plan = &*asked.kernel;
            contestant.bench = group.bench;
        }
        contestant.result = unmeasured_result(request, asked);
        if (!asked.kernel) contestant.result.library = host_blas_name();
        for (std::string& sentence : solver.remarks())
            contestant.result.warnings.push_back(remark(std::move(sentence)));
        if (!solver.has_truth()) contestant.verdict_if_sound = Verdict::Ran;
        contestant.keeps_outputs = request.keep_outputs;
    }
}

Run::Group& Run::group_for(const BenchFor& bench_for, std::size_t contestant) {
    DeviceBench* bench = &bench_for(device_of(request_, *request_.contestants[contestant].kernel),
                                    domain_of(request_, contestant));
    for (Group& group : groups_)
        if (group.bench == bench) return group;
    return groups_.emplace_back(Group{bench, {}});
}

std::vector<const KernelPlan*> Run::plans(const Group& group) const {
    std::vector<const KernelPlan*> plans(contestants_.size(), nullptr);
    for (const ContestantState* member : group.members) plans[member->index] = member->plan;
    return plans;
}

const PassData& Run::reference(Pass pass) {
    const Checkpoint checkpoint = [this] { face_.checkpoint(); };
    const PassData& data = references_.get(solver_, instance_, pass, request_.seed.value(), checkpoint);
    if (request_.declared && !std::exchange(told_unchecked_, true))
        for (const std::string& sentence : describe_unchecked(data, checkpoint))
            for (ContestantState& contestant : contestants_)
                if (contestant.in_race) contestant.result.warnings.push_back(remark(sentence));
    return data;
}

void Run::report(const std::string& stage, const ContestantState& contestant, std::uint32_t rounds) {
    face_.checkpoint();
    // Report every new step, so that the user does not mistake a step that hangs for the one before it. Turns
    // are too frequent to report each one.
    const bool is_news = stage != reported_stage_ || has_unsent_verdict() ||
                         (stage != kTimeStage && contestant.result.kernel != reported_kernel_);
    if (!is_news && Clock::now() < next_report_) return;
    reported_stage_ = stage;
    reported_kernel_ = contestant.result.kernel;
    const int messages = send_partial_results() + 1;
    face_.tell(progress_of(stage, contestant, rounds));
    next_report_ = Clock::now() + messages * (request_.mode == RunRequest::Mode::Explain ? kPauseInBackground
                                                                                         : kPausePerMessage);
}

Progress Run::progress_of(const std::string& stage, const ContestantState& contestant,
                          std::uint32_t rounds) const {
    Progress progress{stage, contestant.result.kernel, rounds, contestant.runs, std::nullopt, std::nullopt};
    if (!contestant.result.samples_ms.empty()) {
        progress.median_ms = stats::median(contestant.result.samples_ms);
        progress.ci95_ms = stats::median_interval(contestant.result.samples_ms);
    }
    if (contestant.plan != nullptr) progress.limit_ms = request_.timeout_ms;
    progress.contestant = static_cast<std::uint32_t>(contestant.index);
    progress.is_extended = is_extended_;
    return progress;
}

bool Run::has_unsent_verdict() const {
    return std::ranges::any_of(contestants_, [&](const ContestantState& contestant) {
        return !contestant.is_undecided() && !sent_[contestant.index].verdict;
    });
}

int Run::send_partial_results() {
    int messages = 0;
    for (const ContestantState& contestant : contestants_) {
        Sent& sent = sent_[contestant.index];
        const Sent now{contestant.result.samples_ms.size(), !contestant.is_undecided()};
        if (sent.verdict || (!now.verdict && now.samples == sent.samples)) continue;
        face_.send(partial_result(contestant, request_, sent.samples));
        sent = now;
        ++messages;
    }
    return messages;
}

void Run::perform() {
    refuse_what_does_not_fit();
    begin_first_build();
    xray_.begin(contestants_);
    build_all();
    verification_.emplace(instance_, solver_, [this] { face_.checkpoint(); });
    try {
        verify_and_time();
    } catch (const ReferenceFailed& failed) {
        const auto is_timed = [](const ContestantState& contestant) {
            return !contestant.result.samples_ms.empty();
        };
        if (std::ranges::any_of(contestants_, is_timed)) throw EnvironmentError(failed.what());
        // No contestant can be judged without it.
        for (ContestantState& contestant : contestants_)
            if (contestant.in_race)
                contestant.fail(Verdict::Skipped, remark(failed.what(), FindingCode::NoReference));
    }
    for (ContestantState& contestant : contestants_)
        if (contestant.in_race) contestant.result.verdict = contestant.verdict_if_sound;
    for (ContestantState& contestant : contestants_)
        if (contestant.plan != nullptr && !contestant.plan->refusal) find_hints(contestant);
}

/// The first contestant is compiled while the sources are read for X-ray.
void Run::begin_first_build() {
    const auto first = std::ranges::find_if(contestants_, [](const ContestantState& contestant) {
        return contestant.in_race && contestant.plan != nullptr;
    });
    if (first == contestants_.end() || first->plan->refusal || first->plan->launches.empty()) return;
    report("build", *first);
    first->bench->begin_build(*first->plan);
}

void Run::build_all() {
    for (const Group& group : groups_) ahead_.emplace_back(*group.bench, group.members);
    for (ContestantState& contestant : contestants_)
        if (contestant.in_race && contestant.plan != nullptr) build(contestant);
    for (CompileAhead& helpers : ahead_) helpers.launch();
}

void Run::verify_and_time() {
    const bool timing = request_.mode == RunRequest::Mode::Run;
    const bool checking = request_.mode == RunRequest::Mode::Check;
    if (checking || request_.unreadable_pages || !solver_.has_truth()) check_pages();
    if (solver_.has_exact_pass()) check_all(Pass::Exact);
    check_all(Pass::Real);
    conclude_xray();
    if (timing) time_all();
    if (!checking && (request_.what_if || !timing)) experiment();
}

/// Checks sizes first, so that nothing is built for a problem that does not fit.
void Run::refuse_what_does_not_fit() {
    if (!solver_.has_host_library())
        for (ContestantState& contestant : contestants_)
            if (contestant.plan == nullptr)
                contestant.fail(Verdict::Unsupported,
                                fmt::format("the host's BLAS library has no routine for {}. Leave {} out",
                                            instance_.problem, kHostBlasName));
    std::uint64_t arena_bytes = 0;
    std::uint64_t device_bytes =
        0;  // kernels that are not shipped have buffers of their own, all at the same time
    for (const Group& group : groups_) {
        const Layout layout = make_layout(instance_, plans(group), group.bench->device());
        for (const BufferSpec& buffer : instance_.buffers)
            if (buffer.type.scalar == Scalar::Float64 && !group.bench->device().has_fp64)
                for (ContestantState* member : group.members)
                    member->fail(
                        Verdict::Unsupported,
                        fmt::format("{} holds {}, but {} has no double precision. Choose another device",
                                    buffer.name, to_string(buffer.type), group.bench->device().name));
        const DeviceInfo& device = group.bench->device();
        std::optional<Finding> constraint = find_memory_constraint(layout, device);
        std::uint64_t bytes = device_bytes;
        for (const Slot& slot : layout.slots) bytes = add_bytes(bytes, slot.whole_bytes());
        if (!constraint && device.global_mem_bytes > 0 && bytes > device.global_mem_bytes)
            constraint =
                remark(fmt::format("its buffers and those of the kernels before it take {}, but {} has {}. "
                                   "Compare fewer of your own kernels at a time, or choose a smaller size",
                                   format_bytes(bytes), device.name, format_bytes(device.global_mem_bytes)),
                       FindingCode::BuffersTooLarge);
        if (constraint) {
            for (ContestantState* member : group.members) member->fail(Verdict::Constraint, *constraint);
        } else {
            arena_bytes += layout.arena_bytes;
            device_bytes = bytes;
        }
    }
    if (const auto constraint = find_host_constraint(arena_bytes))
        for (ContestantState& contestant : contestants_)
            if (contestant.in_race) contestant.fail(Verdict::Constraint, *constraint);
    use_guarded_layouts();
}

void Run::use_guarded_layouts() {
    for (const Group& group : groups_) {
        if (nobody_races(group)) continue;
        group.bench->set_timeout_ms(request_.timeout_ms);
        group.bench->use_layout(make_layout(instance_, plans(group), group.bench->device()));
    }
}

std::optional<Finding> Run::find_host_constraint(std::uint64_t arena_bytes) const {
    if (const Problem* problem = request_.declared ? nullptr : find_problem(instance_.problem))
        if (auto found = problem->find_checking_limit(instance_.sizes))
            return remark(std::move(*found), FindingCode::NotCheckable);
    return find_checking_fault(add_bytes(reference_bytes(instance_), arena_bytes), available_memory_bytes());
}

void Run::build(ContestantState& contestant) {
    const KernelPlan& plan = *contestant.plan;
    if (plan.refusal)
        return contestant.fail(is_bad_input(plan.refusal->code) ? Verdict::Skipped : Verdict::Constraint,
                               *plan.refusal);
    if (plan.launches.empty())
        return contestant.fail(Verdict::LaunchError,
                               plan.file + ": it does not declare how to launch this kernel");
    report("build", contestant);
    DeviceBench& bench = *contestant.bench;
    Answer<BuiltReply> answer = bench.build(plan);
    const std::string said = bench.take_output().take();
    if (const auto* failure = std::get_if<Failure>(&answer)) {
        contestant.fail(*failure);
        contestant.result.log = said;
        return;
    }
    const auto& built = std::get<BuiltReply>(answer);
    KernelResult& result = contestant.result;
    result.build_ms = built.build_ms;
    result.log = built.log + said;
    result.diagnostics = parse_build_log(result.log);
    if (!built.accepted) {
        for (Diagnostic& missing : find_missing_functions(built.log, plan))
            result.diagnostics.push_back(std::move(missing));
        return contestant.fail(Verdict::CompileError, describe_build_errors(result.diagnostics, plan));
    }

    auto launches =
        bind_launches(plan, contestant.index, built.functions, instance_, bench.layout(), &result.warnings);
    if (const auto* failure = std::get_if<Failure>(&launches)) return contestant.fail(*failure);
    contestant.launches = std::get<std::vector<Launch>>(std::move(launches));
    auto init = bind_init(plan, contestant.index, bench.layout());
    if (const auto* failure = std::get_if<Failure>(&init)) return contestant.fail(*failure);
    contestant.init = std::get<std::vector<BufferOperation>>(std::move(init));

    for (const FunctionInfo& function : built.functions)
        if (function.name == contestant.launches.front().kernel) result.kernel_info = function.info;
    if (const auto found =
            find_launch_constraint(contestant.launches, built.functions, bench.device(), &bench.layout()))
        return contestant.fail(Verdict::Constraint, *found);
    for (Finding& warning : find_portability_warnings(contestant.launches, built.functions, bench.device()))
        result.warnings.push_back(std::move(warning));
}

/// At the end, when it is known what X-ray has observed.
void Run::find_hints(ContestantState& contestant) {
    if (!contestant.suspicions) {
        const KernelPlan& plan = *contestant.plan;
        // If an exception unwinds this frame, the jthread is asked to stop.
        std::promise<std::vector<Finding>> promise;
        std::future<std::vector<Finding>> found = promise.get_future();
        const std::jthread reader([&](const std::stop_token& stop) {
            const Reading reading = read_source(source_text_of(plan), stop);
            promise.set_value(reading.program ? find_plan_suspicions(*reading.program, plan)
                                              : std::vector<Finding>());
        });
        while (found.wait_for(kReadingPause) != std::future_status::ready) face_.checkpoint();
        contestant.suspicions = found.get();
    }
    contestant.result.hints = hints_of(*contestant.suspicions, contestant.barriers, contestant.result.xray);
}

void Run::check_pages() {
    if (nobody_races()) return;
    const Pass pass = solver_.has_exact_pass() ? Pass::Exact : Pass::Real;
    PageCheck check(
        instance_, *verification_, pass, reference(pass),
        [this](const ContestantState& contestant) { report("check (unreadable pages)", contestant); });
    for (const Group& group : groups_)
        if (!nobody_races(group)) check.perform(*group.bench, plans(group), group.members);
    use_guarded_layouts();
}

void Run::check_all(Pass pass) {
    if (nobody_races()) return;
    const std::string stage = stage_of(solver_, pass);
    const PassData& data = reference(pass);
    for (const Group& group : groups_)
        if (!nobody_races(group)) group.bench->use_inputs(data);
    for (ContestantState& contestant : contestants_) {
        if (!contestant.in_race) continue;
        report(stage, contestant);
        for (CompileAhead& helpers : ahead_) helpers.meet(contestant);
        verification_->check(contestant, pass, data);
    }
    ahead_.clear();  // each kernel has run, so that nothing is left to compile
}

void Run::conclude_xray() {
    for (ContestantState& contestant : contestants_) {
        if (xray_.is_pending(contestant)) {
            report("X-ray", contestant);
            xray_.conclude(contestant);
            if (may_try_unoptimised(contestant)) {
                const PassData& data = reference(Pass::Real);
                contestant.bench->use_inputs(data);
                report("check (without the compiler's optimisations)", contestant);
                try_unoptimised(contestant, *verification_, data);
            }
        }
        // When nothing is timed, this was the last check.
        if (contestant.in_race && request_.mode == RunRequest::Mode::Check)
            contestant.result.verdict = contestant.verdict_if_sound;
    }
}

bool Run::nobody_races() const {
    return std::ranges::none_of(contestants_, &ContestantState::in_race);
}

bool Run::nobody_races(const Group& group) {
    return std::ranges::none_of(group.members, &ContestantState::in_race);
}

void Run::time_all() {
    if (nobody_races()) return;
    for (ContestantState& contestant : contestants_)
        if (contestant.in_race && contestant.plan == nullptr)
            if (const auto& slow = find_slow_library()) contestant.result.warnings.push_back(*slow);
    const PassData& data = reference(Pass::Real);
    Rounds rounds(request_, contestants_);
    Turns turns(
        instance_, solver_, *verification_, [this] { face_.checkpoint(); }, contestants_.size(),
        request_.races);
    const auto take_turn = [&](ContestantState& contestant) {
        // Do not send it: a face that starts to redraw now would still be drawing during the measurement.
        face_.begin_step(progress_of(kTimeStage, contestant, 0));
        if (contestant.bench == nullptr && !groups_.empty()) groups_.front().bench->pause_all();
        turns.take(contestant, data);
        return contestant.last_turn_ms;
    };
    rounds.run(take_turn, [&](const ContestantState& contestant, std::uint32_t round) {
        is_extended_ = rounds.is_extended();
        report(kTimeStage, contestant, round);
    });
    for (ContestantState& contestant : contestants_) {
        if (turns.is_finished(contestant)) continue;
        face_.begin_step(progress_of(kTimeStage, contestant, 0));
        turns.finish(contestant);
    }
    reject_unbelievable_times();
}

/// Explains the times of the kernels that are right; those of others mean nothing.
void Run::experiment() {
    Experiments experiments(request_, instance_, *verification_, reference(Pass::Real),
                            [this](const ContestantState& contestant, std::uint32_t rounds) {
                                report(kWhatIfStage, contestant, rounds);
                            });
    for (ContestantState& contestant : contestants_)
        if (contestant.in_race && contestant.plan != nullptr) experiments.perform(contestant);
}

/// Rejects times that the CPU time contradicts.
void Run::reject_unbelievable_times() {
    for (ContestantState& contestant : contestants_) {
        if (!contestant.in_race) continue;
        if (contestant.clocks)
            contestant.result.warnings.push_back({.code = FindingCode::ClocksDisagree,
                                                  .numbers = {{"device_ms", contestant.clocks->device_ms},
                                                              {"host_ms", contestant.clocks->host_ms}}});
        if (contestant.bench == nullptr) continue;
        const std::vector<double>& samples_ms = contestant.result.samples_ms;
        if (!samples_ms.empty() && contestant.plan->device.empty())
            if (auto found = find_too_short(stats::median(samples_ms), instance_.cost, request_))
                contestant.fail(Verdict::KernelCrashed, std::move(*found));
        if (!contestant.in_race) continue;
        const auto threads = std::max<std::uint64_t>(contestant.bench->device().compute_units,
                                                     std::thread::hardware_concurrency());
        if (const auto found = find_unbelievable(contestant.turn_times, threads))
            contestant.fail(Verdict::KernelCrashed, *found);
        else if (const auto slow = find_slow_turns(contestant.turn_times))
            contestant.result.warnings.push_back(
                {.code = FindingCode::SlowTurns,
                 .numbers = {{"told_ms", slow->told_ms}, {"took_ms", slow->took_ms}}});
        if (!contestant.has_clock) contestant.result.warnings.push_back({.code = FindingCode::NoDeviceClock});
    }
}

std::vector<OutputEvent> Run::take_outputs() {
    std::vector<OutputEvent> events;
    for (const ContestantState& contestant : contestants_) {
        auto bytes = contestant.kept_outputs.begin();
        for (const BufferSpec& buffer : instance_.buffers) {
            if (buffer.access == Access::Read || bytes == contestant.kept_outputs.end()) continue;
            const auto* const text = reinterpret_cast<const char*>(bytes->data());
            events.push_back({static_cast<std::uint32_t>(contestant.index), buffer,
                              std::make_shared<const std::string>(text, bytes->size())});
            ++bytes;
        }
    }
    return events;
}

std::vector<KernelResult> Run::results(bool stopped, const std::string& failure) {
    for (ContestantState& contestant : contestants_) complete_result(contestant, instance_, stopped, failure);
    for (ContestantState& contestant : contestants_)
        compare_times(contestants_[request_.baseline], contestant);
    std::vector<KernelResult> results;
    for (ContestantState& contestant : contestants_) results.push_back(std::move(contestant.result));
    return results;
}

}  // namespace kwb
