// SPDX-License-Identifier: Apache-2.0
// A summary of X-ray's observations: traffic, each access of the source, and maps of counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/xray.hpp"
#include "plot/count_map.hpp"

namespace kwb {

/// Accesses from the same word of the source to the same buffer, in all launches.
struct XrayAccess {
    XraySite sum;
    const XrayBuffer* buffer = nullptr;  ///< of the report
};

/// All accesses, in the order of the source.
/// @param report  must outlive the result
std::vector<XrayAccess> accesses_of(const XrayReport& report);

/// The average cost of one access of a sub-group; each field is nullopt where it does not apply.
struct AccessFigures {
    std::optional<double> sectors, lines;  ///< of global memory
    std::optional<double> used_percent;    ///< requested bytes, of those in the sectors
    std::optional<double> bank_factor;     ///< cycles of local memory, by those without conflicts
    std::optional<double> active_percent;  ///< of the lanes
    bool wastes_sectors = false;           ///< twice as many as hold the requested bytes, or more
};

AccessFigures figures_of(const XrayAccess& access, std::uint32_t sub_group);

/// Sums over all launches.
struct XrayTotals {
    double requested_bytes = 0;  ///< of global memory, as the other two
    double sector_bytes = 0;
    double loads = 0;  ///< of elements
    double barriers = 0;
    std::uint64_t groups = 0;
    std::uint64_t observed_groups = 0;
};

XrayTotals totals_of(const XrayReport& report);

/// Whether X-ray ended no work-group of a launch: its counts are those of work-items that had begun.
bool is_unobserved(const XrayReport& report);

/// How often the elements of a buffer are loaded and stored.
struct BufferMaps {
    std::uint32_t buffer = 0;  ///< index in XrayReport::buffers
    std::string name;          ///< "__local tile"
    plot::CountMap loads, stores;
};

/// Maps of the buffers that are used and have counts, those of global memory first. The colours of loads mean
/// the same in all maps of the same memory, and so do those of stores.
std::vector<BufferMaps> buffer_maps(const XrayReport& report);

/// Buffers and constants, not `__local` memory.
bool is_global(AddressSpace space);
/// "contiguous", "stride 512"
std::string pattern_text(const XraySite& site);

}  // namespace kwb
