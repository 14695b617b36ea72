#include "hints/hints.hpp"

#include <set>
#include <string_view>

#include "hints/analyses.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {
constexpr std::size_t kMostHints = 20;
constexpr std::size_t kMostSteps = 500'000;  // for all analyses together; parsing has its own limits

/// The program without the functions that no run of these kernels calls.
source::Program only_reached(source::Program program, const std::vector<std::string>& launched) {
    std::set<std::string_view> reached(launched.begin(), launched.end());
    std::vector<std::string_view> open(reached.begin(), reached.end());
    while (!open.empty()) {
        const source::Function* function = program.find_function(open.back());
        open.pop_back();
        if (function == nullptr) continue;
        for (const source::Call& call : function->calls)
            if (reached.insert(call.name).second) open.push_back(call.name);
    }
    std::erase_if(program.functions,
                  [&](const source::Function& function) { return !reached.contains(function.name); });
    program.function_places.clear();
    for (std::size_t i = 0; i < program.functions.size(); ++i)
        program.function_places.emplace(program.functions[i].name, i);
    return program;
}
}  // namespace

std::vector<Hint> find_hints(const SourceText& source, const std::vector<std::uint64_t>& sizes,
                             const std::vector<std::string>& launched, const std::stop_token& stop) {
    const Reading reading = read_source(source, stop);
    if (!reading.program) return {};
    return launched.empty() ? find_hints(*reading.program, sizes)
                            : find_hints(only_reached(*reading.program, launched), sizes);
}

std::vector<Hint> find_hints(const source::Program& program, const std::vector<std::uint64_t>& sizes) {
    hints::Steps steps(kMostSteps);
    hints::Findings findings;
    const hints::Values values(program, steps);
    hints::find_recursion(program, findings);
    hints::find_divergent_barriers(values, findings);
    hints::find_fixed_tile_loops(values, sizes, findings);
    hints::find_wrong_guards(values, findings);
    hints::find_unset_memory(values, findings);
    hints::find_races(values, findings);
    hints::find_overruns(values, findings);
    return steps.used_up() ? std::vector<Hint>{} : findings.sorted(kMostHints);
}

}  // namespace kwb
