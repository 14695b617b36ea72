#include "hints/hints.hpp"

#include "hints/analyses.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {
constexpr std::size_t kMostHints = 20;
constexpr std::size_t kMostSteps = 500'000;  // for all analyses together; parsing has its own limits
}  // namespace

std::vector<Hint> find_hints(const SourceText& source, const std::vector<std::uint64_t>& sizes,
                             const std::stop_token& stop) {
    const Reading reading = read_source(source, stop);
    return reading.program ? find_hints(*reading.program, sizes) : std::vector<Hint>{};
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
