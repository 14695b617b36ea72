// Sums over what X-ray observed: traffic, and each access of the source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/xray.hpp"

namespace kwb {

/// Accesses from the same word of the source to the same buffer, in all launches.
struct XrayAccess {
    XraySite sum;
    const XrayBuffer* buffer = nullptr;  ///< of the report
};

/// In the order of the source.
/// @param report  must outlive the result
std::vector<XrayAccess> accesses_of(const XrayReport& report);

/// What one access of a sub-group costs, on average; each nullopt where it says nothing.
struct AccessFigures {
    std::optional<double> sectors, lines;  ///< of global memory
    std::optional<double> used_percent;    ///< requested bytes, of those in the sectors
    std::optional<double> bank_factor;     ///< cycles of local memory, by those without conflicts
    std::optional<double> active_percent;  ///< of the lanes
};

AccessFigures figures_of(const XrayAccess& access, std::uint32_t sub_group);

/// Sums over the observed groups, extended to all groups of each launch.
struct XrayTotals {
    double requested_bytes = 0;  ///< of global memory, as the other two
    double sector_bytes = 0;
    double loads = 0;  ///< of elements
    double barriers = 0;
    std::uint64_t groups = 0;
    std::uint64_t observed_groups = 0;
};

XrayTotals totals_of(const XrayReport& report);

/// Buffers and constants, not `__local` memory.
bool is_global(AddressSpace space);
/// "contiguous", "stride 512"
std::string pattern_text(const XraySite& site);

}  // namespace kwb
