#include "judge/verify/traced_source.hpp"

#include <fmt/format.h>

#include <string_view>

#include "ipc/runner_messages.hpp"

namespace kwb {
namespace {

constexpr std::string_view kCall = "kwb_note_work_item(); ";

}  // namespace

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
