// Functions that call themselves, directly or through others.
#include <fmt/core.h>

#include <unordered_map>

#include "hints/analyses.hpp"

namespace kwb::hints {
namespace {

struct Call {
    std::size_t callee;
    std::int32_t token;
};

std::vector<std::vector<Call>> find_calls(const Program& program) {
    std::vector<std::vector<Call>> calls(program.functions.size());
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
        const Function& function = program.functions[i];
        for (std::int32_t at = function.body_from; at + 1 < function.body_to; ++at) {
            if (!program.token(at).is_name() || !program.token(at + 1).is("(")) continue;
            const auto found = program.function_places.find(program.token(at).text);
            if (found != program.function_places.end()) calls[i].push_back({found->second, at});
        }
    }
    return calls;
}

}  // namespace

/// Depth-first search: a call to a function that is still being visited closes a circle.
void find_recursion(const Program& program, Findings& findings) {
    const auto calls = find_calls(program);
    enum class Mark : char { New, Open, Done };
    std::vector<Mark> marks(calls.size(), Mark::New);
    struct Visit {
        std::size_t function;
        std::size_t next = 0;
    };
    for (std::size_t start = 0; start < calls.size(); ++start) {
        if (marks[start] != Mark::New) continue;
        std::vector<Visit> path{{start}};
        marks[start] = Mark::Open;
        while (!path.empty()) {
            Visit& visit = path.back();
            const std::size_t caller = visit.function;
            if (visit.next == calls[caller].size()) {
                marks[caller] = Mark::Done;
                path.pop_back();
                continue;
            }
            const Call call = calls[caller][visit.next++];
            if (marks[call.callee] == Mark::New) {
                marks[call.callee] = Mark::Open;
                path.push_back({call.callee});
            } else if (marks[call.callee] == Mark::Open) {
                const std::string circle =
                    caller == call.callee
                        ? fmt::format("{} calls itself", program.functions[caller].name)
                        : fmt::format("{} calls {}, which leads back to {}", program.functions[caller].name,
                                      program.functions[call.callee].name, program.functions[caller].name);
                findings.add(
                    program.token(call.token), "recursion",
                    fmt::format(
                        "Here {}, but OpenCL C forbids recursion because a device has no call stack to "
                        "rely on, and some compilers crash on it; write a loop instead.",
                        circle));
            }
        }
    }
}

}  // namespace kwb::hints
