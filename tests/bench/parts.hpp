// The parts of the measurements, by the number that --only takes. Each returns its rows of the table.
#pragma once

#include "live_judge.hpp"
#include "setting.hpp"
#include "table.hpp"

namespace kwb::bench {

std::vector<Row> measure_kernel_times(const Setting& setting, LiveJudge& judge);      // 1
std::vector<Row> measure_start_up(const Setting& setting);                            // 2
std::vector<Row> measure_further_requests(const Setting& setting, LiveJudge& judge);  // 3
std::vector<Row> measure_read_back(const Setting& setting, LiveJudge& judge);         // 3
std::vector<Row> measure_aa_comparisons(const Setting& setting);                      // 4
std::vector<Row> measure_face_memory(const Setting& setting);                         // 5
std::vector<Row> measure_workbench_script(const Setting& setting);                    // 6
std::vector<Row> measure_sandbox_start_up(const Setting& setting);                    // 7
std::vector<Row> measure_sandboxed_times(const Setting& setting);                     // 8
std::vector<Row> measure_verification(const Setting& setting);                        // 9

// Of the window: only with KWB_GUI and X11.
std::vector<Row> measure_window_start(const Setting& setting);          // 10
std::vector<Row> measure_window_frames(const Setting& setting);         // 11
std::vector<Row> measure_idle_window(const Setting& setting);           // 12
std::vector<Row> measure_frames_between_turns(const Setting& setting);  // 13
std::vector<Row> measure_window_times(const Setting& setting);          // 14
std::vector<Row> measure_source_edits(const Setting& setting);          // 15
std::vector<Row> measure_window_memory(const Setting& setting);         // 16

}  // namespace kwb::bench
