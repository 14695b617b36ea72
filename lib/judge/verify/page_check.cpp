// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/page_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ipc/runner_messages.hpp"
#include "judge/build/source_hints.hpp"
#include "judge/verify/stray_access.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

/// At most a page, which is more than any alignment in OpenCL.
std::uint64_t base_alignment(const DeviceInfo& device) {
    std::uint64_t align = 1;
    while (align < device.base_align_bytes && align < kPageBytes) align *= 2;
    return align;
}

/// Alignments beyond that of its elements that a kernel may assume, in ascending order: that of a float4,
/// that of a float16, and the base alignment that the device guarantees.
std::vector<std::uint64_t> assumed_alignments(const DeviceInfo& device) {
    const std::uint64_t base = base_alignment(device);
    std::vector<std::uint64_t> alignments;
    for (const std::uint64_t align : {std::uint64_t{16}, std::uint64_t{64}})
        if (align < base) alignments.push_back(align);
    alignments.push_back(base);
    return alignments;
}

/// PoCL's CPU devices run the work-items of a work-group one after the other in one thread.
bool works_in_order(const DeviceInfo& device) {
    return device.kind == DeviceKind::Cpu &&
           device.platform.find("Portable Computing Language") != std::string::npos;
}

constexpr std::string_view kCall = "kwb_note_work_item(); ";

/// Runs a kernel again that has accessed an unreadable page: traced (add_trace_calls()), with one thread,
/// in its own runner. Takes a compilation, 100 to 2000 ms. With several threads, which of them first accesses
/// a page is random; a single thread runs the work-items in order. So this run may end with a different
/// out-of-bounds access than the first run; then that one is reported.
/// @param request  the request of the first run
/// @return  the `out_of_bounds` failure with the work-item in its evidence; nullopt if the traced source does
///          not compile, the run ends differently, or the driver is not known to run work-items in order
std::optional<Failure> find_work_item(const ContestantState& contestant, ExecuteRequest request,
                                      const PassData& data) {
    const DeviceBench& bench = *contestant.bench;
    if (!works_in_order(bench.device())) return std::nullopt;
    const Reading reading = read_source(source_text_of(*contestant.plan));
    if (!reading.program) return std::nullopt;
    const std::unique_ptr<DeviceBench> alone = bench.make_sibling({{"POCL_MAX_PTHREAD_COUNT", "1"}});
    Layout layout = bench.layout();
    layout.trace = true;
    alone->use_layout(std::move(layout));
    alone->use_inputs(data);

    Answer<ExecutedReply> answer;
    try {
        answer = alone->execute(add_trace_calls(*contestant.plan, *reading.program), std::move(request));
    } catch (const EnvironmentError&) {  // no runner: keep the verdict without a work-item
        return std::nullopt;
    }
    const auto* failure = std::get_if<Failure>(&answer);
    if (failure == nullptr || !failure->fault || !failure->fault->work_item ||
        !find_stray_access(*failure, bench.layout()))
        return std::nullopt;

    std::size_t dimensions = 1;
    for (const Launch& launch : contestant.launches) dimensions = std::max(dimensions, launch.global.size());
    std::vector<std::uint64_t> global_id = *failure->fault->work_item;
    global_id.resize(dimensions);

    Failure explained = explain_fault(*failure, bench.layout());
    explained.reason += ", " + describe_work_item(global_id);
    explained.evidence.work_item = std::move(global_id);
    return explained;
}

/// The same sentence for every size, so that a report can state it once.
std::string describe_blind_slack(std::uint64_t align_bytes) {
    return fmt::format(
        "the kernel assumes buffers aligned to {} bytes, or to its vectors' size, and crashes where they are "
        "aligned only to their elements; reads of at most {} past the end of each buffer could therefore not "
        "be detected (blind slack)",
        align_bytes, counted(align_bytes - 1, "byte"));
}

}  // namespace

PageCheck::PageCheck(const ProblemInstance& instance, Verification& verification, Pass pass,
                     const PassData& data, Report report)
    : instance_(instance),
      verification_(verification),
      pass_(pass),
      data_(data),
      report_(std::move(report)) {}

void PageCheck::lay_out(DeviceBench& bench, const std::vector<const KernelPlan*>& plans,
                        Placement placement) {
    bench.use_layout(make_layout(instance_, plans, bench.device(), placement));
    bench.use_inputs(data_);
}

void PageCheck::perform(DeviceBench& bench, const std::vector<const KernelPlan*>& plans,
                        const std::vector<ContestantState*>& contestants) {
    if (bench.device().kind != DeviceKind::Cpu) return;
    std::vector<ContestantState*> runners = contestants;
    std::vector<ContestantState*> misaligned;
    std::vector<ContestantState*> writers;
    const auto check_all = [&](Placement placement, bool is_last_try) {
        std::erase_if(runners, [](const ContestantState* contestant) { return !contestant->in_race; });
        if (runners.empty()) return;
        lay_out(bench, plans, placement);
        std::erase_if(runners, [&](ContestantState* contestant) {
            const Outcome outcome = check(*contestant, is_last_try);
            if (outcome == Outcome::AddressUnknown) misaligned.push_back(contestant);
            if (outcome == Outcome::WroteSlack) writers.push_back(contestant);
            return outcome != Outcome::Judged || !contestant->in_race;
        });
    };
    check_all({Placement::Kind::RightAligned}, false);
    check_all({Placement::Kind::LeftAligned}, false);
    if (!writers.empty()) {
        lay_out(bench, plans, {Placement::Kind::LeftAligned});
        for (ContestantState* contestant : std::exchange(writers, {})) catch_writer(*contestant);
    }

    // Retry kernels that may rely on a larger alignment, with the smallest that works, so that as few
    // accesses as possible go undetected.
    std::vector<ContestantState*> aligned;
    std::vector<std::pair<ContestantState*, std::uint64_t>> assumed;
    for (const std::uint64_t align : assumed_alignments(bench.device())) {
        runners = std::exchange(misaligned, {});
        const bool is_last_try = align == base_alignment(bench.device());
        check_all({Placement::Kind::RightAligned, align}, is_last_try);
        for (ContestantState* contestant : runners) {
            aligned.push_back(contestant);
            assumed.emplace_back(contestant, align);
        }
    }
    runners = std::move(aligned);
    check_all({Placement::Kind::LeftAligned}, true);
    for (const auto& [contestant, align] : assumed)
        if (contestant->in_race) contestant->result.warnings.push_back(remark(describe_blind_slack(align)));
}

PageCheck::Outcome PageCheck::check(ContestantState& contestant, bool is_last_try) {
    report_(contestant);
    if (const auto obstacle = contestant.bench->prepare(*contestant.plan)) {
        contestant.result.warnings.push_back(
            remark("its buffers could not be placed next to unreadable pages, so reads outside them may go "
                   "undetected: " +
                   obstacle->reason));
        return Outcome::Unprepared;
    }
    contestant.pages_checked = true;
    const auto failure = verification_.check_on_device(contestant, pass_, data_);
    if (!failure)
        return contestant.result.verdict == Verdict::OutOfBounds ? Outcome::WroteSlack : Outcome::Judged;
    if (is_of_unknown_address(*failure) && !is_last_try) return Outcome::AddressUnknown;
    judge_stray_access(contestant, *failure);
    return Outcome::Judged;
}

void PageCheck::catch_writer(ContestantState& contestant) {
    KernelResult known = contestant.result;
    const auto failure = contestant.bench->prepare(*contestant.plan)
                             ? std::nullopt
                             : verification_.check_on_device(contestant, pass_, data_);
    contestant.result = std::move(known);
    if (failure && find_stray_access(*failure, contestant.bench->layout()))
        judge_stray_access(contestant, *failure);
}

void PageCheck::judge_stray_access(ContestantState& contestant, const Failure& failure) {
    const Layout& layout = contestant.bench->layout();
    contestant.fail(explain_fault(failure, layout));
    if (!find_stray_access(failure, layout)) return;
    report_(contestant);
    const auto traced =
        find_work_item(contestant, verification_.make_request(contestant, pass_, false), data_);
    if (traced) contestant.fail(*traced);
}

std::string trace_prelude() {
    // may_alias, and no `restrict`: the compiler must not move an access of the kernel before the call that
    // records it.
    return fmt::format(
        "typedef ulong __attribute__((may_alias)) kwb_trace_word;\n"
        "static void kwb_note_work_item(void) {{\n"
        "    volatile __global kwb_trace_word* record = (volatile __global kwb_trace_word*){:#x}UL;\n"
        "    record[1] = get_global_id(0);\n"
        "    record[2] = get_global_id(1);\n"
        "    record[3] = get_global_id(2);\n"
        "    record[0] = 1;\n"
        "}}\n"
        "#define restrict\n"
        "#define __restrict\n"
        "#line 1\n",
        kTraceAddress);
}

KernelPlan add_trace_calls(const KernelPlan& plan, const source::Program& program) {
    KernelPlan traced = plan;
    const auto text_of = [&](std::string_view file) -> std::string* {
        if (file.empty()) return &traced.source_text;
        for (auto& [name, text] : traced.includes)
            if (name == file) return &text;
        return nullptr;
    };
    // From the last statement to the first, so that earlier offsets stay valid.
    for (auto start = program.statement_starts.rbegin(); start != program.statement_starts.rend(); ++start)
        if (std::string* text = text_of(start->file); text != nullptr && start->offset <= text->size())
            text->insert(start->offset, kCall);
    traced.source_text.insert(0, trace_prelude());
    return traced;
}

}  // namespace kwb
