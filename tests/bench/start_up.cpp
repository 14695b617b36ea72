// SPDX-License-Identifier: Apache-2.0
// Parts 2, 5 and 6: whole processes, as a user starts them.
#include <fmt/format.h>

#include <algorithm>

#include "parts.hpp"
#include "process_run.hpp"
#include "stats/interval.hpp"

namespace kwb::bench {
namespace {

NamedList<std::string> cache_at(const std::filesystem::path& folder) {
    return {{"KWB_CACHE_DIR", folder.string()}};
}

std::vector<std::string> small_run(const Setting& setting) {
    return {setting.kwb(), "run", "matmul/naive", "--size", "64", "--rounds", "6"};
}

}  // namespace

std::vector<Row> measure_start_up(const Setting& setting) {
    announce("kwb run from cold and warm compiler caches");
    std::vector<double> cold_ms;
    for (int i = 0; i < setting.repetitions(5, 2); ++i)
        cold_ms.push_back(
            run_well(small_run(setting), cache_at(setting.scratch / fmt::format("cold-{}", i))).wall_ms);
    run_well(small_run(setting), cache_at(setting.warm_cache()));
    std::vector<double> warm_ms;
    for (int i = 0; i < setting.repetitions(20, 6); ++i)
        warm_ms.push_back(run_well(small_run(setting), cache_at(setting.warm_cache())).wall_ms);
    const char* goal = "2. kwb run matmul/naive --size 64 --rounds 6, {} compiler cache";
    return {{fmt::format(fmt::runtime(goal), "warm"), "300 ms", describe(warm_ms, "ms"),
             stats::median(warm_ms) <= 300},
            {fmt::format(fmt::runtime(goal), "cold"), "2500 ms", describe(cold_ms, "ms"),
             stats::median(cold_ms) <= 2500}};
}

std::vector<Row> measure_face_memory(const Setting& setting) {
    announce("peak memory of kwb");
    constexpr std::uint64_t kLimit = 40'000'000;
    const std::vector<std::vector<std::string>> commands = {
        {setting.kwb(), "run", "matmul/naive", "matmul/tiled", "cpu:blas", "--json", "-"},
        {setting.kwb(), "run", "matmul/tiled", "--size", "2048x2048x16", "--rounds", "6"},
        {setting.kwb(), "check", "matmul/naive", "matmul/tiled"}};
    std::uint64_t peak_bytes = 0;
    for (const auto& command : commands)
        peak_bytes =
            std::max(peak_bytes, run_well(command, cache_at(setting.warm_cache()), Watch::Memory).peak_bytes);
    return {{"5. resident memory of kwb at its peak, over two runs and a check", "40 MB",
             fmt::format("{:.1f} MB", static_cast<double>(peak_bytes) * 1e-6), peak_bytes < kLimit}};
}

std::vector<Row> measure_workbench_script(const Setting& setting) {
    announce("./workbench with nothing to do");
    const std::vector<std::string> by_script = {(setting.root / "workbench").string(), "kernels"};
    run_well(by_script, {});  // updates packages and build
    const std::string built_by_script = setting.root / "build" / "release" / "bin" / "kwb";
    std::vector<double> extra_ms;
    for (int i = 0; i < setting.repetitions(20, 6); ++i) {
        const double script_ms = run_well(by_script, {}).wall_ms;
        extra_ms.push_back(script_ms - run_well({built_by_script, "kernels"}, {}).wall_ms);
    }
    return {{"6. a second ./workbench kernels: time until it starts kwb", "300 ms", describe(extra_ms, "ms"),
             stats::median(extra_ms) <= 300}};
}

}  // namespace kwb::bench
