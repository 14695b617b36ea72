// SPDX-License-Identifier: Apache-2.0
// kwb_bench: measure speed and memory against the goals. Started by tests/bench/run, which documents the
// options.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "parts.hpp"

namespace kwb::bench {
namespace {

void measure(const Setting& setting, const std::vector<int>& parts) {
    const auto wanted = [&](int part) {
        return parts.empty() || std::ranges::find(parts, part) != parts.end();
    };
    std::vector<Row> rows;
    const auto add = [&](const std::vector<Row>& more) { rows.insert(rows.end(), more.begin(), more.end()); };

    ::setenv("KWB_CACHE_DIR", setting.warm_cache().c_str(), 1);
    {
        LiveJudge judge(setting);
        const RunRequest request = judge.request_for(setting.kernel("01_naive.cl"), square(64));
        const Environment where = judge.ask(request).environment;
        print_heading(where.device + " (" + where.platform + ")", where.host_cpu);
        if (wanted(1)) add(measure_kernel_times(setting, judge));
        if (wanted(3)) add(measure_further_requests(setting, judge));
        if (wanted(3)) add(measure_read_back(setting, judge));
    }
    if (wanted(2)) add(measure_start_up(setting));
    if (wanted(4)) add(measure_aa_comparisons(setting));
    if (wanted(5)) add(measure_face_memory(setting));
    if (wanted(6)) add(measure_workbench_script(setting));
    if (wanted(7)) add(measure_sandbox_start_up(setting));
    if (wanted(8)) add(measure_sandboxed_times(setting));
    if (wanted(9)) add(measure_verification(setting));
    if (wanted(17)) add(measure_xray(setting));
    if (wanted(18)) add(measure_strategies(setting));
    if (wanted(19)) add(measure_scaling());
    if (wanted(20)) add(measure_new_texts(setting));
#if KWB_BENCH_WINDOW
    if (wanted(11)) add(measure_window_frames(setting));
    if (wanted(15)) add(measure_source_edits(setting));
    if (std::getenv("DISPLAY") != nullptr) {
        if (wanted(10)) add(measure_window_start(setting));
        if (wanted(12)) add(measure_idle_window(setting));
        if (wanted(13)) add(measure_frames_between_turns(setting));
        if (wanted(14)) add(measure_window_times(setting));
        if (wanted(16)) add(measure_window_memory(setting));
    } else {
        announce("parts 10, 12, 13, 14 and 16 need a display, or xvfb-run (Debian: xvfb)");
    }
#endif
    std::ranges::stable_sort(rows, {}, [](const Row& row) { return std::stoi(row.goal); });
    print_rows(rows);
}

}  // namespace
}  // namespace kwb::bench

int main(int argc, char** argv) {
    kwb::bench::Setting setting;
    std::vector<int> parts;
    CLI::App app("Measure the goals for speed and memory");
    app.add_option("--root", setting.root, "the repository")->required();
    app.add_option("--build", setting.build, "the build folder")->required();
    app.add_option("--scratch", setting.scratch, "a folder for compiler caches")->required();
    app.add_option("--only", parts, "parts to measure")->delimiter(',')->check(CLI::Range(1, 20));
    app.add_flag("--quick", setting.quick, "fewer repetitions");
    CLI11_PARSE(app, argc, argv);
    ::signal(SIGPIPE, SIG_IGN);
    try {
        kwb::bench::measure(setting, parts);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench: %s\n", error.what());
        return 3;
    }
    return 0;
}
