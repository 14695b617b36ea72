// SPDX-License-Identifier: Apache-2.0
#include "judge/xray/xray_room.hpp"

#include <algorithm>

#include "base/sha256.hpp"
#include "judge/build/source_hints.hpp"
#include "judge/run.hpp"
#include "judge/xray/loop_findings.hpp"
#include "model/finding_words.hpp"
#include "source/compiler.hpp"
#include "source/kernels.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

struct EndOfBench {
    XrayRoom& room;
    const std::string& key;
    bool is_due = true;
    ~EndOfBench() {
        if (is_due) room.end(key);
    }
};

}  // namespace

XrayBench& XrayRoom::bench(const std::string& key, const std::string& compiler) {
    std::unique_ptr<XrayBench>& bench = benches_[key];
    if (!bench || bench->compiler() != compiler) bench = std::make_unique<XrayBench>(pool_, compiler);
    return *bench;
}

void XrayRoom::end_others(const std::vector<std::string>& keys) {
    std::erase_if(benches_,
                  [&](const auto& entry) { return std::ranges::find(keys, entry.first) == keys.end(); });
}

std::optional<SourceFacts> facts_of_source(const KernelPlan& plan, const XrayCache& cache,
                                           const std::string& compiler, std::string& failure) {
    const std::string key = plan.trust == Trust::Foreign ? "" : key_of_source(plan, compiler);
    if (auto known = cache.find_facts(key)) return known;
    const Reading reading = read_source(source_text_of(plan));
    if (!reading.program) {
        failure = reading.failure;
        return std::nullopt;
    }
    SourceFacts facts;
    for (const SourceKernel& kernel : kernel_functions_of(*reading.program)) {
        FunctionInfo& function =
            facts.functions.emplace_back(FunctionInfo{kernel.name, kernel.parameters, {}, {}});
        if (kernel.work_group)
            function.required_local.assign(kernel.work_group->begin(), kernel.work_group->end());
    }
    facts.suspicions = find_plan_suspicions(*reading.program, plan);
    facts.loops = source::find_inclusive_loops(*reading.program);
    cache.keep(key, facts);
    return facts;
}

std::string key_of_bench(const KernelPlan& plan, std::size_t contestant) {
    const std::string role = plan.trust == Trust::Foreign ? std::to_string(contestant) : "";
    return domain_of(plan, role).submission + sha256_hex(plan.file + plan.source_text);
}

std::variant<PreparedXray, std::string> prepare_xray(const XraySubject& subject,
                                                     const std::vector<FunctionInfo>& functions,
                                                     const XrayOptions& options, bool download,
                                                     const std::string& compiler) {
    auto made = make_xray_job(subject, functions, options, download);
    if (auto* const obstacle = std::get_if<std::string>(&made)) return std::move(*obstacle);
    PreparedXray prepared{std::get<XrayJob>(std::move(made)), ""};
    prepared.job.request.compiler = compiler;
    // The caches of foreign kernels are thrown away.
    if (subject.plan.trust == Trust::Foreign) return prepared;
    prepared.key = key_of_answer(prepared.job.request);
    // The problem's declaration defines its inputs.
    if (const std::string own = subject.solver.fingerprint(); !own.empty())
        prepared.key = sha256_hex(prepared.key + own);
    return prepared;
}

Finding not_observed(std::string sentence) {
    return remark(std::move(sentence), FindingCode::XrayNotObserved);
}

Finding not_observed(const Failure& failure) {
    const bool in_launch = failure.evidence.stage == kLaunchStage;
    if (in_launch && failure.evidence.signal)
        return {.code = FindingCode::XrayCrashed, .texts = {{"signal", *failure.evidence.signal}}};
    if (failure.evidence.signal) return not_observed("the compiler crashed on it, or X-ray did");
    if (failure.verdict == Verdict::Timeout) return not_observed("it took too long");
    return not_observed(failure.reason);
}

Observed observe_once(XrayRoom& room, const XraySubject& subject, const XrayOptions& options,
                      const Checkpoint& checkpoint, bool download) {
    Observed none;
    none.report.sub_group = options.sub_group;
    const auto refuse = [&](Finding why) {
        none.report.remarks = {std::move(why)};
        return none;
    };
    const auto compiler = source::find_pocl_compiler();
    if (!compiler) return refuse(not_observed(source::explain_missing_pocl_compiler()));
    std::string unread;
    const auto facts = facts_of_source(subject.plan, room.cache(), *compiler, unread);
    if (!facts) return refuse(not_observed(unread));
    auto prepared = prepare_xray(subject, facts->functions, options, download, *compiler);
    if (auto* const obstacle = std::get_if<std::string>(&prepared)) return refuse(not_observed(*obstacle));
    auto& [job, key] = std::get<PreparedXray>(prepared);
    if (options.aim != XrayAim::Observe) key.clear();  // recordings are large, and asked for once
    if (auto kept = room.cache().find(key, job.request)) return {std::move(kept->report), {}};
    const std::string bench_key = key_of_bench(subject.plan, 0);
    // That of a submission ends with it.
    const bool is_kept = subject.plan.trust != Trust::Foreign || room.has_bench(bench_key);
    XrayBench& bench = room.bench(bench_key, *compiler);
    EndOfBench end{room, bench_key};  // also if Stop comes while it is at work
    XrayJob posted = job;
    add_contents(
        posted, subject,
        subject.solver.make_inputs(subject.instance, xray_pass(subject.solver), kXraySeed, checkpoint));
    bench.post(std::move(posted));
    Answer<Observed> answer = bench.receive();
    end.is_due = !is_kept;
    if (const auto* failure = std::get_if<Failure>(&answer)) return refuse(not_observed(*failure));
    auto& observed = std::get<Observed>(answer);
    name_loops(observed.report, facts->loops);
    room.cache().keep(key, KeptReport{observed.report});
    return std::move(observed);
}
}  // namespace kwb
