#include "judge/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "judge/binding.hpp"
#include "judge/constraints.hpp"
#include "judge/processes/build_log.hpp"
#include "judge/processes/host.hpp"
#include "judge/processes/missing_functions.hpp"
#include "judge/reference/reference_run.hpp"
#include "judge/source_hints.hpp"
#include "judge/timing/rounds.hpp"
#include "judge/verify/page_check.hpp"
#include "judge/verify/unchecked.hpp"
#include "model/device_fit.hpp"
#include "problems/problem.hpp"
#include "stats/comparison.hpp"
#include "stats/interval.hpp"
#include "stats/noise.hpp"

namespace kwb {
namespace {

/// Often enough for the eye, seldom enough not to disturb what is measured.
constexpr auto kReportInterval = std::chrono::milliseconds(100);

/// Where there is but one pass, it needs no name.
std::string stage_of(const ReferenceSolver& solver, Pass pass) {
    return solver.has_exact_pass() ? "check (" + std::string(to_string(pass)) + " inputs)" : "check";
}

/// A check that was cut short counts only what it found wrong: that nothing was is known at its end.
void drop_unfinished_counts(KernelResult& result) {
    const bool is_finished = result.verdict == Verdict::Correct || result.verdict == Verdict::Wrong ||
                             result.verdict == Verdict::OutOfBounds;
    if (is_finished || result.wrong_elements.value_or(0) > 0) return;
    result.wrong_elements.reset();
    result.max_error_share.reset();
    result.numpy_allclose.reset();
    result.random_check.reset();
    result.error_map.reset();
}

/// What explains an answer or the lack of it beside the finding itself.
/// @param result  of `entrant`, with all that it printed
std::string remarks_on(const KernelResult& result, const Entrant& entrant) {
    std::string remarks;
    const std::string stage =
        result.evidence && result.evidence->stage ? *result.evidence->stage : std::string();
    if (result.verdict == Verdict::Timeout && (stage == kLaunchStage || stage == kFirstLaunchStage) &&
        result.output.empty() && entrant.plan->source_text.find("printf") != std::string::npos)
        remarks = "; what it printed is lost, for the driver keeps it to itself until a launch has ended";
    return remarks + refer_to_hints(result.verdict, result.hints);
}

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t i) {
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(row[i]);
    return values;
}

}  // namespace

Run::Run(const RunRequest& request, const ProblemInstance& instance, const ReferenceSolver& solver,
         const BenchFor& bench_for, ReferenceCache& references, FaceLink& face)
    : request_(request), instance_(instance), solver_(solver), references_(references), face_(face) {
    entrants_.resize(request.contestants.size());
    told_verdicts_.resize(request.contestants.size());
    for (std::size_t i = 0; i < entrants_.size(); ++i) {
        const Contestant& contestant = request.contestants[i];
        Entrant& entrant = entrants_[i];
        entrant.index = i;
        if (contestant.kernel) {
            Group& group = group_for(bench_for, i);
            group.members.push_back(&entrant);
            entrant.plan = &*contestant.kernel;
            entrant.bench = group.bench;
        }
        entrant.result = unmeasured_result(request, contestant);
        entrant.result.warnings = solver.remarks();
        entrant.keeps_outputs = request.keep_outputs;
    }
}

Run::Group& Run::group_for(const BenchFor& bench_for, std::size_t contestant) {
    const KernelPlan& plan = *request_.contestants[contestant].kernel;
    Domain domain{plan.trust, ""};
    if (plan.trust == Trust::Foreign)  // each of them alone
        domain.submission = std::to_string(contestant) + "-" + plan.source_sha256;
    DeviceBench* bench = bench_for(domain);
    expects(bench != nullptr, "Run: a kernel without a device");
    for (Group& group : groups_)
        if (group.bench == bench) return group;
    return groups_.emplace_back(Group{bench, {}});
}

std::vector<const KernelPlan*> Run::plans(const Group& group) const {
    std::vector<const KernelPlan*> plans(entrants_.size(), nullptr);
    for (const Entrant* member : group.members) plans[member->index] = member->plan;
    return plans;
}

const PassData& Run::reference(Pass pass) {
    const Checkpoint checkpoint = [this] { face_.checkpoint(); };
    const PassData& data = references_.get(solver_, instance_, pass, request_.seed, checkpoint);
    if (request_.declared && !std::exchange(told_unchecked_, true))
        for (const std::string& sentence : describe_unchecked(data, checkpoint))
            for (Entrant& entrant : entrants_)
                if (entrant.in_race) entrant.result.warnings.push_back(sentence);
    return data;
}

void Run::report(const std::string& stage, const Entrant& entrant, std::uint32_t rounds) {
    face_.checkpoint();
    std::vector<SettledResult> settled = take_settled();
    // A step that hangs must not be taken for the one before; turns come too often to tell each.
    const bool is_news = stage != reported_stage_ || !settled.empty() ||
                         (stage != kTimeStage && entrant.result.kernel != reported_kernel_);
    if (!is_news && Clock::now() < next_report_) return;
    next_report_ = Clock::now() + kReportInterval;
    reported_stage_ = stage;
    reported_kernel_ = entrant.result.kernel;
    Progress progress = progress_of(stage, entrant, rounds);
    progress.turns = std::exchange(untold_turns_, {});
    progress.settled = std::move(settled);
    face_.tell(std::move(progress));
}

Progress Run::progress_of(const std::string& stage, const Entrant& entrant, std::uint32_t rounds) const {
    Progress progress{stage, entrant.result.kernel, rounds, entrant.runs, std::nullopt, std::nullopt};
    if (!entrant.result.samples_ms.empty()) {
        progress.median_ms = stats::median(entrant.result.samples_ms);
        progress.ci95_ms = stats::median_interval(entrant.result.samples_ms);
    }
    if (entrant.plan != nullptr) progress.limit_ms = request_.timeout_ms;
    return progress;
}

std::vector<SettledResult> Run::take_settled() {
    std::vector<SettledResult> settled;
    for (const Entrant& entrant : entrants_) {
        if (entrant.is_unsettled() || told_verdicts_[entrant.index]) continue;
        told_verdicts_[entrant.index] = true;
        SettledResult& known =
            settled.emplace_back(SettledResult{static_cast<std::uint32_t>(entrant.index), entrant.result});
        known.result.error_map.reset();
        drop_unfinished_counts(known.result);
        known.result.output = OutputCapture(entrant.output).take();
        if (known.result.verdict != Verdict::Correct)
            known.result.reason += remarks_on(known.result, entrant);
    }
    return settled;
}

void Run::perform() {
    refuse_what_does_not_fit();
    for (Entrant& entrant : entrants_)
        if (entrant.in_race && entrant.plan != nullptr) build(entrant);

    verification_.emplace(instance_, solver_, [this] { face_.checkpoint(); });
    try {
        verify_and_time();
    } catch (const ReferenceFailed& failed) {  // nobody can be judged
        for (Entrant& entrant : entrants_)
            if (entrant.in_race) entrant.fail(Verdict::Skipped, failed.what());
    }
    for (Entrant& entrant : entrants_)
        if (entrant.in_race) entrant.result.verdict = Verdict::Correct;
}

void Run::verify_and_time() {
    const bool timing = request_.mode == RunRequest::Mode::Run;
    if (!timing || request_.unreadable_pages) check_pages();
    if (solver_.has_exact_pass()) check_all(Pass::Exact);
    // The first timed turn is the pass with real inputs: it ends in a run that is checked like any other.
    if (timing)
        time_all();
    else
        check_all(Pass::Real);
}

/// Sizes first: nothing is built for a problem that does not fit.
void Run::refuse_what_does_not_fit() {
    if (!solver_.has_host_library())
        for (Entrant& entrant : entrants_)
            if (entrant.plan == nullptr)
                entrant.fail(Verdict::Unsupported,
                             fmt::format("the processor's library has no routine for {}; leave {} out",
                                         instance_.problem, kHostBlasName));
    std::uint64_t arena_bytes = 0;
    for (const Group& group : groups_) {
        const Layout layout = make_layout(instance_, plans(group), group.bench->device());
        for (const BufferSpec& buffer : instance_.buffers)
            if (buffer.type.scalar == Scalar::Float64 && !group.bench->device().has_fp64)
                for (Entrant* member : group.members)
                    member->fail(
                        Verdict::Unsupported,
                        fmt::format("{} holds {}, but {} has no double precision; choose another device",
                                    buffer.name, to_string(buffer.type), group.bench->device().name));
        const auto constraint = find_memory_constraint(layout, group.bench->device());
        if (!constraint) arena_bytes += layout.arena_bytes;
        if (constraint)
            for (Entrant* member : group.members) member->fail(Verdict::Constraint, *constraint);
    }
    if (const auto constraint = find_host_constraint(arena_bytes))
        for (Entrant& entrant : entrants_)
            if (entrant.in_race) entrant.fail(Verdict::Constraint, *constraint);
    use_guarded_layouts();
}

void Run::use_guarded_layouts() {
    for (const Group& group : groups_) {
        if (nobody_races(group)) continue;
        group.bench->set_timeout_ms(request_.timeout_ms);
        group.bench->use_layout(make_layout(instance_, plans(group), group.bench->device()));
    }
}

std::optional<std::string> Run::find_host_constraint(std::uint64_t arena_bytes) const {
    if (const Problem* problem = request_.declared ? nullptr : find_problem(instance_.problem))
        if (auto found = problem->find_checking_limit(instance_.sizes)) return found;
    return find_checking_fault(add_bytes(reference_bytes(instance_), arena_bytes), available_memory_bytes());
}

void Run::build(Entrant& entrant) {
    const KernelPlan& plan = *entrant.plan;
    if (plan.refusal) return entrant.fail(Verdict::Constraint, *plan.refusal);
    if (plan.launches.empty())
        return entrant.fail(Verdict::LaunchError, plan.file + ": nothing says how to launch this kernel");
    report("build", entrant);
    // The source is read while the driver builds it.
    auto hints = std::async(std::launch::async, [&] { return find_plan_hints(plan, request_.sizes); });
    DeviceBench& bench = *entrant.bench;
    Answer<BuiltReply> answer = bench.build(plan);
    entrant.result.hints = hints.get();
    const std::string said = bench.take_output().take();
    if (const auto* loss = std::get_if<Loss>(&answer)) {
        entrant.fail(*loss);
        entrant.result.log = said;
        return;
    }
    const auto& built = std::get<BuiltReply>(answer);
    KernelResult& result = entrant.result;
    result.build_ms = built.build_ms;
    result.log = built.log + said;
    result.diagnostics = parse_build_log(result.log);
    if (!built.accepted) {
        for (Diagnostic& missing : find_missing_functions(built.log, plan))
            result.diagnostics.push_back(std::move(missing));
        return entrant.fail(Verdict::CompileError, describe_build_errors(result.diagnostics, plan));
    }

    auto launches = bind_launches(plan, entrant.index, built.functions, instance_, bench.layout());
    if (const auto* loss = std::get_if<Loss>(&launches)) return entrant.fail(*loss);
    entrant.launches = std::get<std::vector<ExecuteLaunch>>(std::move(launches));
    auto init = bind_init(plan, entrant.index, bench.layout());
    if (const auto* loss = std::get_if<Loss>(&init)) return entrant.fail(*loss);
    entrant.init = std::get<std::vector<BufferOperation>>(std::move(init));

    for (const FunctionInfo& function : built.functions)
        if (function.name == entrant.launches.front().kernel) result.kernel_info = function.info;
    if (const auto found =
            find_launch_constraint(entrant.launches, built.functions, bench.device(), &bench.layout()))
        return entrant.fail(Verdict::Constraint, *found);
    for (std::string& warning : find_portability_warnings(entrant.launches, built.functions, bench.device()))
        result.warnings.push_back(std::move(warning));
}

void Run::check_pages() {
    if (nobody_races()) return;
    const Pass pass = solver_.has_exact_pass() ? Pass::Exact : Pass::Real;
    PageCheck check(instance_, *verification_, pass, reference(pass),
                    [this](const Entrant& entrant) { report("check (unreadable pages)", entrant); });
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
    for (Entrant& entrant : entrants_) {
        if (!entrant.in_race) continue;
        report(stage, entrant);
        verification_->check(entrant, pass, data);
        // Where nothing is timed, this was the last check.
        if (entrant.in_race && pass == Pass::Real) entrant.result.verdict = Verdict::Correct;
    }
}

bool Run::nobody_races() const {
    return std::none_of(entrants_.begin(), entrants_.end(), [](const Entrant& e) { return e.in_race; });
}

bool Run::nobody_races(const Group& group) {
    return std::ranges::none_of(group.members, [](const Entrant* e) { return e->in_race; });
}

void Run::time_all() {
    if (nobody_races()) return;
    const PassData& data = reference(Pass::Real);
    for (const Group& group : groups_) {
        if (!nobody_races(group)) group.bench->use_inputs(data);
        group.bench->settle();
    }
    Rounds rounds(request_, entrants_);
    const auto take_turn = [&](Entrant& entrant) {
        // Not told: a face that draws at the beginning of a turn is still at it when the turn counts.
        face_.begin_step(progress_of(kTimeStage, entrant, 0));
        if (verification_->take_turn(entrant, data))
            untold_turns_.push_back(
                {static_cast<std::uint32_t>(entrant.index), entrant.result.samples_ms.back()});
        return entrant.last_turn_ms;
    };
    rounds.run(take_turn,
               [&](const Entrant& entrant, std::uint32_t round) { report(kTimeStage, entrant, round); });
    for (Entrant& entrant : entrants_) verification_->take_last_look(entrant, data);
    for (const Group& group : groups_) settle_changed_inputs(group, data);
    settle_times();
}

/// Times that the judge's own clocks contradict are worse than none.
void Run::settle_times() {
    for (Entrant& entrant : entrants_) {
        if (!entrant.in_race) continue;
        if (entrant.clocks) entrant.result.warnings.push_back(describe(*entrant.clocks));
        // What a kernel prints costs processor time that its own clock may not see.
        if (entrant.bench == nullptr || !entrant.output.kept().empty()) continue;
        if (const auto found = find_unbelievable(entrant.turn_times, entrant.bench->device().compute_units))
            entrant.fail(Verdict::KernelCrashed, *found);
        else if (const auto slow = find_slow_turns(entrant.turn_times))
            entrant.result.warnings.push_back(*slow);
    }
}

/// Inputs are compared after the last round. If they differ, each contestant runs once more on fresh ones,
/// and whoever changes them is wrong; if none does it again, none of the times can be trusted.
void Run::settle_changed_inputs(const Group& group, const PassData& data) {
    std::vector<Entrant*> suspects;
    for (Entrant* entrant : group.members)
        if (!entrant->result.samples_ms.empty() && !entrant->launches.empty()) suspects.push_back(entrant);
    const auto reader =
        std::find_if(suspects.begin(), suspects.end(), [](const Entrant* e) { return e->in_race; });
    if (reader == suspects.end()) return;
    const auto changed = verification_->find_changed_input(**reader, data);
    if (!changed) return;
    bool found = false;
    for (Entrant* suspect : suspects) {
        group.bench->refresh_inputs();
        verification_->run_again(*suspect);
        const auto again = verification_->find_changed_input(*suspect, data);
        if (!again) continue;
        suspect->fail(Verdict::Wrong, "in timed runs, " + *again);
        found = true;
    }
    if (found) return;
    for (Entrant* suspect : suspects)
        suspect->fail(Verdict::Wrong,
                      "inputs were changed in timed runs by one of these kernels: " + *changed);
}

std::vector<OutputEvent> Run::take_outputs() {
    std::vector<OutputEvent> events;
    for (Entrant& entrant : entrants_)
        for (auto& [name, bytes] : entrant.kept_outputs)
            events.push_back({static_cast<std::uint32_t>(entrant.index), *instance_.find_buffer(name),
                              std::make_shared<const std::string>(reinterpret_cast<const char*>(bytes.data()),
                                                                  bytes.size())});
    return events;
}

std::vector<KernelResult> Run::results(bool stopped, const std::string& failure) {
    for (Entrant& entrant : entrants_) sum_up(entrant, stopped, failure);
    for (Entrant& entrant : entrants_) compare(entrant);
    std::vector<KernelResult> results;
    for (Entrant& entrant : entrants_) results.push_back(std::move(entrant.result));
    return results;
}

void Run::sum_up(Entrant& entrant, bool stopped, const std::string& failure) {
    KernelResult& result = entrant.result;
    result.output = entrant.output.take();
    if (entrant.in_race && (stopped || !failure.empty())) {
        // Cut short while timing: both passes were right, and what was measured stands.
        const bool checked = result.verdict == Verdict::Correct || !result.samples_ms.empty();
        result.verdict = checked ? Verdict::Correct : Verdict::Skipped;
        if (!checked)
            result.reason = stopped ? "stopped before it was checked and timed"
                                    : "not checked and timed to the end: " + failure;
    }
    drop_unfinished_counts(result);
    if (result.verdict != Verdict::Correct) result.reason += remarks_on(result, entrant);
    if (result.verdict != Verdict::Correct || result.samples_ms.empty()) return;

    const double median_ms = stats::median(result.samples_ms);
    result.median_ms = median_ms;
    result.ci95_ms = stats::median_interval(result.samples_ms);
    if (median_ms > 0) {
        const double flops = entrant.plan != nullptr ? entrant.plan->flops.value_or(instance_.cost.flops)
                                                     : instance_.cost.flops;
        const double bytes = entrant.plan != nullptr ? entrant.plan->bytes.value_or(instance_.cost.bytes)
                                                     : instance_.cost.bytes;
        // Nobody said what a problem of a person's own computes.
        if (flops > 0 || !request_.declared) result.gflops = flops / (median_ms * 1e6);
        result.gbytes_s = bytes / (median_ms * 1e6);
    }
    for (std::size_t i = 0; i < entrant.launches.size(); ++i)
        result.launches[i].median_ms = stats::median(column(entrant.launch_ms, i));
    const bool cut_short = stopped || !failure.empty();
    if (result.samples_ms.size() < stats::kLeastIntervalSamples && !result.too_few_rounds && !cut_short)
        result.too_few_rounds = TooFewRounds{};
    for (const stats::NoiseWarning& warning : stats::find_noise(result.samples_ms))
        result.warnings.push_back(warning.sentence);
    if (stopped)
        result.warnings.push_back(
            fmt::format("stopped by you after {}", counted(result.samples_ms.size(), "round")));
    if (!failure.empty())
        result.warnings.push_back(
            fmt::format("cut short after {}: {}", counted(result.samples_ms.size(), "round"), failure));
}

void Run::compare(Entrant& entrant) {
    const Entrant& baseline = entrants_[request_.baseline];
    KernelResult& result = entrant.result;
    if (&entrant == &baseline || !result.median_ms || !baseline.result.median_ms) return;
    if (const auto comparison = stats::compare_paired(baseline.result.samples_ms, result.samples_ms))
        result.speedup = Speedup{baseline.result.kernel, comparison->ratio, comparison->interval};
}

}  // namespace kwb
