// Finds functions that call themselves, directly or through others.
#include <fmt/core.h>

#include <unordered_map>

#include "hints/analyses.hpp"

namespace kwb::hints {
namespace {

struct Edge {
    std::size_t callee;
    std::int32_t place;
};

std::vector<std::vector<Edge>> find_edges(const Program& program) {
    std::vector<std::vector<Edge>> edges(program.functions.size());
    for (std::size_t i = 0; i < program.functions.size(); ++i)
        for (const source::Call& call : program.functions[i].calls) {
            const auto found = program.function_places.find(call.name);
            if (found != program.function_places.end()) edges[i].push_back({found->second, call.place});
        }
    return edges;
}

}  // namespace

/// Depth-first search: a call to a function that is still being visited closes a cycle.
void find_recursion(const Program& program, Findings& findings) {
    const auto calls = find_edges(program);
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
            const Edge call = calls[caller][visit.next++];
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
                    program.place(call.place), "recursion",
                    fmt::format(
                        "Here {}, but OpenCL C forbids recursion because a device has no call stack to "
                        "rely on, and some compilers crash on it; write a loop instead.",
                        circle));
            }
        }
    }
}

}  // namespace kwb::hints
