// SPDX-License-Identifier: Apache-2.0
// Results and devices as text for a terminal: tables with their notes.
#pragma once

#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/result.hpp"

namespace kwb {

struct TableOptions {
    bool unicode = true;   ///< false: ASCII only ("us", "-"), no bars
    bool colour = false;   ///< true: ANSI colours
    unsigned width = 100;  ///< columns; with about 40 or more every table line fits
    bool explains =
        false;  ///< explain a fault that the kernel's file expects, which is otherwise a puzzle for the user
};

// The terminal table of a run.

/// One line per result: kernel with its parameters, build time, first run, median with its 95 % interval and
/// a bar, GFLOP/s, GB/s, speed-up with interval, verdict. Values that were not measured are "-". There are
/// columns for size and device only if the results differ in them.
/// If the table is too wide, long words in the speed-up column are shortened first, then columns are dropped
/// in this order: bars, GB/s, build, first run, GFLOP/s, the median's interval. Then the kernel's name is cut
/// to 16 columns, the speed-up and the median are dropped, and the name is cut further. The verdict is never
/// dropped. Below the table: what the shown numbers mean, a paragraph for each result that is not correct,
/// hints, warnings, output.
std::string results_table(const std::vector<KernelResult>& results, const TableOptions& options = {});

// The terminal table of a check: is a kernel correct at awkward sizes?

/// One line per kernel and size, those of a kernel sorted by size: worst error as share of the bound,
/// verdict, first wrong element or else the first line of the reason. The last is never cut: if the table is
/// too wide, the error is dropped; if that is not enough, the first wrong element moves to its own line
/// below. Below the table: a summary line per kernel, a paragraph for each way in which a kernel fails, at
/// the first size where it happens, then hints, warnings, output.
/// @param is_declared  the problem is the user's, so its bounds are the tolerances that the user chose
std::string check_table(std::vector<KernelResult> results, const TableOptions& options = {},
                        bool is_declared = false);

// The terminal table of a sweep over sizes.

/// Rows are sizes, columns are contestants; the other way round if there are more contestants. A cell holds
/// GFLOP/s and the median time, or the verdict if it is not `correct`; the shortest time of a size has a
/// star. What does not fit side by side follows in further tables. Then come paragraphs about faults, hints,
/// warnings, output.
/// @param results  of each size the same contestants in the same order
std::string sweep_table(const std::vector<KernelResult>& results, const TableOptions& options = {});

// The devices and their limits, in words.

/// "Clover (/etc/OpenCL/vendors/mesa.icd) has no device in this machine", and how to get one if that is
/// known.
std::string describe(const IdleDriver& driver);

/// One block per device: the id for --device and the name in the first line, then one line for each limit
/// that matters for choosing work-groups and local memory, with an explanation. A note warns if a kernel that
/// fits this device may not fit a GPU. Then come the unusable drivers, and one line for each driver without a
/// device. If there is no device at all, the text explains how to install PoCL.
std::string devices_text(const DeviceList& list, const TableOptions& options = {});

}  // namespace kwb
