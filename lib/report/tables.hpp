// Results and devices as text for a terminal: tables with their notes.
#pragma once

#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/result.hpp"

namespace kwb {

struct TableOptions {
    bool unicode = true;   ///< false: ASCII only ("us", "-"), no bars
    bool colour = false;   ///< true: ANSI colours, which take no room
    unsigned width = 100;  ///< columns; from about 40 on every table line fits
};

// The terminal table of a run.

/// One line a result: kernel with its parameters, build time, first run, median with its 95 % interval and a
/// bar, GFLOP/s, GB/s, speed-up with interval, verdict. What was not measured is "-".
/// Where the width does not suffice, first the words beside the speed-up go, then columns in this order:
/// bars, GB/s, build, first run, GFLOP/s, the median's interval; then the kernel's name is cut to 16 columns;
/// then speed-up and median go, then the name is cut further; the verdict never. Below: what the shown
/// numbers mean, a paragraph for each result that is not correct, hints, warnings, output. Labels say the
/// size or the device only where several occur.
std::string results_table(const std::vector<KernelResult>& results, const TableOptions& options = {});

// The terminal table of a check: does a kernel keep its promise at awkward sizes?

/// One line a kernel and size: verdict, worst error as share of the bound, first wrong element (or the first
/// line of the reason), always in full: where the width does not suffice the error goes, then the first wrong
/// element stands below its line. Below: a summary line a kernel, and one paragraph for each way in which a
/// kernel fails, told at the first size that shows it; hints, warnings, output.
std::string check_table(const std::vector<KernelResult>& results, const TableOptions& options = {});

// The terminal table of a sweep over sizes.

/// Rows are sizes, columns kernels (in the order of their first result); a cell holds GFLOP/s and the median
/// time, or the verdict where it is not `correct`. Kernels that do not fit side by side follow below, in a
/// table of their own. Then the paragraphs of what went wrong, hints, warnings, output.
std::string sweep_table(const std::vector<KernelResult>& results, const TableOptions& options = {});

// The devices and their limits, in words.

/// "Clover (/etc/OpenCL/vendors/mesa.icd) has no device in this machine", and how it may get one where that
/// is known.
std::string describe(const IdleDriver& driver);

/// A block a device: first line the id that --device takes and the name, then a line a limit that matters for
/// choosing work-groups and local memory, with what it means; a note where a kernel may fit here and no GPU.
/// Then the drivers that cannot be used, and in a line each those without a device. Without any device, how
/// to install PoCL.
std::string devices_text(const DeviceList& list, const TableOptions& options = {});

}  // namespace kwb
