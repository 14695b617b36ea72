// Finds functions that call themselves, directly or through others.
#include <fmt/core.h>

#include "hints/analyses.hpp"

namespace kwb::hints {

/// Depth-first search: a call to a function that is still being visited closes a cycle.
void find_recursion(const Program& program, Findings& findings) {
    enum class Mark : char { New, Open, Done };
    std::vector<Mark> marks(program.functions.size(), Mark::New);
    struct Visit {
        std::size_t function;
        std::size_t next_call = 0;
    };
    for (std::size_t start = 0; start < marks.size(); ++start) {
        if (marks[start] != Mark::New) continue;
        std::vector<Visit> path{{start}};
        marks[start] = Mark::Open;
        while (!path.empty()) {
            Visit& visit = path.back();
            const Function& caller = program.functions[visit.function];
            if (visit.next_call == caller.calls.size()) {
                marks[visit.function] = Mark::Done;
                path.pop_back();
                continue;
            }
            const source::Call& call = caller.calls[visit.next_call++];
            const auto callee = program.function_places.find(call.name);
            if (callee == program.function_places.end()) continue;
            if (marks[callee->second] == Mark::Open) {
                const std::string circle =
                    callee->second == visit.function
                        ? fmt::format("{} calls itself", caller.name)
                        : fmt::format("{0} calls {1}, which leads back to {0}", caller.name, call.name);
                findings.add(
                    program.place(call.place), "recursion",
                    fmt::format(
                        "Here {}, but OpenCL C forbids recursion because a device has no call stack to "
                        "rely on, and some compilers crash on it; write a loop instead.",
                        circle));
            }
            if (marks[callee->second] != Mark::New) continue;
            marks[callee->second] = Mark::Open;
            path.push_back({callee->second});
        }
    }
}

}  // namespace kwb::hints
