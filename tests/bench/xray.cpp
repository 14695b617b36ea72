// SPDX-License-Identifier: Apache-2.0
// Part 17: what X-ray costs.
#include <fmt/format.h>

#include <chrono>

#include "base/error.hpp"
#include "catalog/kernel_file.hpp"
#include "parts.hpp"
#include "process_run.hpp"
#include "stats/interval.hpp"

namespace kwb::bench {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

struct XrayAnswer {
    double wall_ms = 0;  ///< from the command until a snapshot contains the report
    double events_per_us = 0;
};

class XraySession {
public:
    explicit XraySession(const Setting& setting, const char* file, std::int64_t size)
        : judge_(setting), run_(judge_.request_for(setting.kernel(file), square(size))) {
        request_.device = judge_.device().id;
        request_.problem = run_.problem;
        request_.sizes = run_.sizes;
        request_.kernel = *run_.contestants.front().kernel;
    }

    /// Also counts what each line and each sub-group accesses, as `kwb xray` does; a run does not.
    void count_all() { request_.options.keep_counts = true; }

    /// @param text  appended to the source, as a comment: another text is another kernel
    XrayAnswer observe(const std::string& text) {
        XrayRequest request = request_;
        request.kernel.source_text += "// " + text + "\n";
        const auto start = std::chrono::steady_clock::now();
        const auto snapshot = judge_.wait_for(judge_.session().ask(std::move(request)));
        const double wall_ms = Milliseconds(std::chrono::steady_clock::now() - start).count();
        const XrayReport& report = *snapshot->xray;
        if (report.launches.empty()) throw EnvironmentError("X-ray observed nothing");
        return {wall_ms, static_cast<double>(report.events) / (report.run_ms * 1000)};
    }

private:
    LiveJudge judge_;
    RunRequest run_;
    XrayRequest request_;
};

Row measure_speed(const Setting& setting, const char* file, const char* kernel, bool counts) {
    constexpr double kLeast = 20;
    XraySession session(setting, file, 256);
    if (counts) session.count_all();
    std::vector<double> rates;
    for (int i = 0; i < setting.repetitions(7, 3); ++i)
        rates.push_back(session.observe(fmt::format("speed {} {}", kernel, i)).events_per_us);
    return {fmt::format("17. X-ray of matmul/{} at 256, events a second{}", kernel,
                        counts ? ", with all counts" : ""),
            fmt::format("{:.0f} M", kLeast), describe(rates, "M"), stats::median(rates) >= kLeast};
}

std::vector<Row> measure_answers(const Setting& setting) {
    XraySession session(setting, "02_tiled.cl", 64);
    std::vector<double> first;
    std::vector<double> repeated;
    for (int i = 0; i < setting.repetitions(10, 4); ++i) {
        const std::string text = fmt::format("answer {}", i);
        first.push_back(session.observe(text).wall_ms);
        repeated.push_back(session.observe(text).wall_ms);
    }
    return {{"17. first X-ray of matmul/tiled at 64", "600 ms", describe(first, "ms"),
             stats::median(first) <= 600},
            {"17. the same again", "50 ms", describe(repeated, "ms"), stats::median(repeated) <= 50}};
}

/// What X-ray adds to a run: pairs of runs with and without it, one after the other.
/// @param is_cold  both compile everything anew
Row measure_added_time(const Setting& setting, bool is_cold) {
    const double limit_ms = is_cold ? 400 : 50;
    std::vector<double> added;
    for (int i = 0; i < setting.repetitions(10, 3); ++i) {
        double ms[2] = {};
        for (const bool with : {false, true}) {
            const auto cache =
                setting.scratch / (is_cold ? fmt::format("xray-cold-{}-{}", i, with) : "xray-warm");
            std::vector<std::string> command = {setting.kwb(), "run", "matmul/naive", "matmul/tiled",
                                                "--size",      "256", "--rounds",     "6"};
            if (!with) command.emplace_back("--no-xray");
            const NamedList<std::string> environment = {{"KWB_CACHE_DIR", cache.string()}};
            if (!is_cold && i == 0) run_well(command, environment);
            ms[with ? 1 : 0] = run_well(command, environment).wall_ms;
        }
        added.push_back(ms[1] - ms[0]);
    }
    return {fmt::format("17. what X-ray adds to kwb run matmul/naive matmul/tiled, {} cache",
                        is_cold ? "cold" : "warm"),
            fmt::format("{:.0f} ms", limit_ms), describe(added, "ms"), stats::median(added) <= limit_ms};
}

}  // namespace

std::vector<Row> measure_xray(const Setting& setting) {
    announce("X-ray");
    std::vector<Row> rows = {measure_speed(setting, "01_naive.cl", "naive", false),
                             measure_speed(setting, "01_naive.cl", "naive", true),
                             measure_speed(setting, "02_tiled.cl", "tiled", true)};
    for (Row& row : measure_answers(setting)) rows.push_back(std::move(row));
    rows.push_back(measure_added_time(setting, true));
    rows.push_back(measure_added_time(setting, false));
    return rows;
}

}  // namespace kwb::bench
