// Part 4: a kernel against itself. Whoever reports a difference is wrong.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/json.hpp"
#include "parts.hpp"
#include "process_run.hpp"

namespace kwb::bench {

std::vector<Row> measure_aa_comparisons(const Setting& setting) {
    const int repetitions = setting.repetitions(200, 20);
    announce(fmt::format("a kernel against itself, {} times", repetitions));
    const NamedList<std::string> environment = {{"KWB_CACHE_DIR", setting.warm_cache().string()}};
    int different = 0;
    int unknown = 0;
    for (int i = 0; i < repetitions; ++i) {
        const ProcessRun run = run_well(
            {setting.kwb(), "run", "matmul/naive", "matmul/naive", "--size", i % 2 == 0 ? "128" : "64",
             "--time-budget", "300ms", "--seed", std::to_string(i + 1), "--json", "-"},
            environment);
        const Json json = parse_json(run.output);
        const Json& speedup = json.at("results").at(1).at("speedup");
        if (speedup.is_null() || speedup.at("ci95").is_null()) {
            ++unknown;
            continue;
        }
        const Json& interval = speedup.at("ci95");
        different += interval.at(0).get<double>() > 1 || interval.at(1).get<double>() < 1 ? 1 : 0;
    }
    const double share = static_cast<double>(different) / repetitions;
    return {{"4. a kernel against itself (64 and 128, 300 ms each) is reported as different", "5 %",
             fmt::format("{:.1f} % ({} of {}; {} without an interval)", share * 100, different, repetitions,
                         unknown),
             share <= 0.05}};
}

}  // namespace kwb::bench
