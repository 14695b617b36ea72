// SPDX-License-Identifier: Apache-2.0
// Declarations shared by all parts of the benchmark.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "experiment/opened_experiment.hpp"
#include "task/session.hpp"

namespace kwb::bench {

struct Setting {
    std::filesystem::path root;     ///< of the repository
    std::filesystem::path build;    ///< contains bin/kwb and tests/bench/bare_loop
    std::filesystem::path scratch;  ///< for compiler caches
    bool quick = false;

    std::filesystem::path kwb() const { return build / "bin" / "kwb"; }
    std::filesystem::path judge() const { return build / "bin" / "kwb-judge"; }
    std::filesystem::path runner() const { return build / "bin" / "kwb-runner"; }
    std::filesystem::path warm_cache() const { return scratch / "warm"; }
    std::filesystem::path kernel(const char* file) const { return root / "kernels" / "matmul" / file; }
    int repetitions(int full, int quick_ones) const { return quick ? quick_ones : full; }
};

// A row of the result table: one performance goal.

struct Row {
    std::string goal;
    std::string limit;
    std::string measured;
    bool met = false;
};

/// "median 12.3 ms (12.1 to 12.6), worst 15.0, n = 20", with the 95 % confidence interval of the median.
/// @param values  at least one
std::string describe(std::span<const double> values, const char* unit);

/// Print the table's Markdown header, with the date and the machine's load.
void print_heading(const std::string& device, const std::string& host);
void print_rows(const std::vector<Row>& rows);

/// Print a progress message to stderr.
void announce(const std::string& what);

// One judge that serves many requests, through the session that the front ends use.

class LiveJudge {
public:
    /// @param options  for kwb-judge, e.g. {"--no-sandbox"}
    explicit LiveJudge(const Setting& setting, const std::vector<std::string>& options = {});

    /// The best device of this machine. @throws EnvironmentError  there is none
    const DeviceInfo& device();

    /// @param file  kernel file of the only contestant; its display name does not matter
    RunRequest request_for(const std::filesystem::path& file, const Sizes& sizes);

    struct Answer {
        double wall_ms = 0;  ///< from the command until a snapshot contains the result
        KernelResult result;
        Environment environment;
    };
    /// @throws EnvironmentError  there is no result, or its verdict is not "correct"
    Answer ask(RunRequest request);

    Session& session() { return session_; }
    /// @throws EnvironmentError  the command failed
    std::shared_ptr<const Snapshot> wait_for(std::uint64_t command);

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<DeviceList> devices_;
    Session session_;  ///< declared last because its thread uses the members above
};

Sizes square(std::int64_t n);

// The parts of the benchmark, with the number that --only takes. Each returns its rows of the table.

std::vector<Row> measure_kernel_times(const Setting& setting, LiveJudge& judge);      // 1
std::vector<Row> measure_start_up(const Setting& setting);                            // 2
std::vector<Row> measure_further_requests(const Setting& setting, LiveJudge& judge);  // 3
std::vector<Row> measure_read_back(const Setting& setting, LiveJudge& judge);         // 3
std::vector<Row> measure_new_texts(const Setting& setting);                           // 20
std::vector<Row> measure_aa_comparisons(const Setting& setting);                      // 4
std::vector<Row> measure_face_memory(const Setting& setting);                         // 5
std::vector<Row> measure_workbench_script(const Setting& setting);                    // 6
std::vector<Row> measure_sandbox_start_up(const Setting& setting);                    // 7
std::vector<Row> measure_sandboxed_times(const Setting& setting);                     // 8
std::vector<Row> measure_verification(const Setting& setting);                        // 9
std::vector<Row> measure_xray(const Setting& setting);                                // 17
std::vector<Row> measure_strategies(const Setting& setting);                          // 18
std::vector<Row> measure_scaling();                                                   // 19

// Parts for the window: only with KWB_GUI and X11.
std::vector<Row> measure_window_start(const Setting& setting);          // 10
std::vector<Row> measure_window_frames(const Setting& setting);         // 11
std::vector<Row> measure_idle_window(const Setting& setting);           // 12
std::vector<Row> measure_frames_between_turns(const Setting& setting);  // 13
std::vector<Row> measure_window_times(const Setting& setting);          // 14
std::vector<Row> measure_source_edits(const Setting& setting);          // 15
std::vector<Row> measure_window_memory(const Setting& setting);         // 16

}  // namespace kwb::bench
