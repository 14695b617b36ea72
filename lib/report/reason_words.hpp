// SPDX-License-Identifier: Apache-2.0
// Reasons (model/reason.hpp) in words: the only code that words them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/reason.hpp"
#include "model/result.hpp"
#include "reason/reasons.hpp"
#include "report/tables.hpp"
#include "report/xray_report.hpp"

namespace kwb {

struct RooflineCeilings;

/// "accesses of B that miss the second-level cache cost naive 36 % (31 – 40 %) of its time, and tiled nothing
/// that was seen". No full stop.
std::string reason_words(const Reason& reason, const std::string& faster, const std::string& slower);

/// Where the reason comes from: "measured with B always in the nearest cache", "counted and scaled".
std::string basis_words(const Reason& reason);

/// The same with the lines: "counted: lines 49 and 50 of tiled; line 35 of naive".
std::string evidence_words(const Reason& reason, const std::string& faster, const std::string& slower);

/// "Because ", or "Partly because " if it accounts for less than half of the difference; empty: it was not
/// measured, and so claims no cause.
std::string because_words(const Reason& reason);

/// "B, 1 MiB, fits in the 2 MiB second-level cache of this CPU, which can serve its repeated loads; from
/// size 768 on it does not fit"
std::string hidden_words(const HiddenLoads& hidden);

/// Reasons below a sentence.
struct ReasonList {
    struct Item {
        std::string words;  ///< "although tiled passes 8,192 barriers, naive none"
        Reason reason;
    };
    std::string lead;  ///< "tiled is 2.9× as fast as naive (2.7 – 3.1), because"
    std::vector<Item> items = {};
};

/// Why the answer of a run is what it is. The answer is that of answer_among_kernels().
struct Explanation {
    std::size_t faster = 0, slower = 0;  ///< indices of the results that the lists are about
    /// Measured reasons, with what speaks against the faster kernel, then counted and computed ones, at most
    /// three of each; empty if nothing was counted or measured.
    std::vector<ReasonList> lists = {};
    XrayTable experiments = {};               ///< without rows if there were none
    std::vector<std::string> obstacles = {};  ///< why some gave nothing, in sentences
};

/// @param baseline     index into `results`
/// @param cache_bytes  the second-level cache of the CPU where they ran; 0: unknown, or no CPU
Explanation explain(std::span<const KernelResult> results, std::size_t baseline, std::uint64_t cache_bytes);

/// The explanation for a terminal.
/// @param device      where they ran
/// @param offers_why  name the option that measures the reasons
std::string reasons_text(std::span<const KernelResult> results, std::size_t baseline,
                         const DeviceInfo& device, bool offers_why, const TableOptions& options);

/// What one kernel reaches of the device's arithmetic and memory bandwidth, and whether one of them is its
/// limit; then the shortest possible times on GPUs, if they were computed. Empty without a time or without
/// ceilings.
std::string ceilings_text(const KernelResult& result, const RooflineCeilings& ceilings,
                          const TableOptions& options);

}  // namespace kwb
