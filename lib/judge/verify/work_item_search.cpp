#include "judge/verify/work_item_search.hpp"

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
#include "ipc/runner_messages.hpp"
#include "judge/build/source_hints.hpp"
#include "judge/verify/stray_access.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

/// PoCL's CPU devices run the work-items of a work-group one after the other in one thread.
bool works_in_order(const DeviceInfo& device) {
    return device.kind == DeviceKind::Cpu &&
           device.platform.find("Portable Computing Language") != std::string::npos;
}

constexpr std::string_view kCall = "kwb_note_work_item(); ";

}  // namespace

std::optional<Failure> find_work_item(const DeviceBench& bench, const ContestantState& contestant,
                                      ExecuteRequest request, const PassData& data) {
    if (!works_in_order(bench.device())) return std::nullopt;
    const Reading reading = read_source(read_plan_source(*contestant.plan));
    if (!reading.program) return std::nullopt;
    const std::unique_ptr<DeviceBench> alone = bench.make_sibling({{"POCL_MAX_PTHREAD_COUNT", "1"}});
    alone->set_timeout_ms(bench.timeout_ms());
    Layout layout = bench.layout();
    layout.trace = true;
    alone->use_layout(std::move(layout));
    alone->use_inputs(data);

    std::optional<Failure> failure;
    try {
        Answer<ExecutedReply> answer =
            alone->execute(add_trace_calls(*contestant.plan, *reading.program), std::move(request));
        if (auto* lost = std::get_if<Failure>(&answer)) failure = std::move(*lost);
    } catch (const EnvironmentError&) {  // no runner: keep the verdict without a work-item
        return std::nullopt;
    }
    if (!failure || !failure->fault || !failure->fault->work_item ||
        !find_stray_access(*failure, bench.layout()))
        return std::nullopt;

    std::size_t dimensions = 1;
    for (const Launch& launch : contestant.launches) dimensions = std::max(dimensions, launch.global.size());
    std::vector<std::uint64_t> global_id = *failure->fault->work_item;
    global_id.resize(dimensions);

    failure = explain_fault(std::move(*failure), bench.layout());
    failure->reason += ", " + describe_work_item(global_id);
    failure->evidence.work_item = std::move(global_id);
    return failure;
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
