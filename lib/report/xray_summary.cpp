// SPDX-License-Identifier: Apache-2.0
#include "report/xray_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

namespace kwb {
namespace {

double real(std::uint64_t value) {
    return static_cast<double>(value);
}

}  // namespace

bool is_global(AddressSpace space) {
    return space == AddressSpace::Global || space == AddressSpace::Constant;
}

std::vector<XrayAccess> accesses_of(const XrayReport& report) {
    std::map<std::tuple<XrayPlace, AccessKind, std::string>, XrayAccess> all;
    for (const XraySite& site : report.sites) {
        const XrayBuffer& buffer = report.buffers[site.buffer];
        const auto [at, is_new] =
            all.try_emplace({site.place, site.kind, buffer.name}, XrayAccess{site, &buffer});
        if (is_new) continue;
        XraySite& sum = at->second.sum;
        if (site.sub_group_accesses > sum.sub_group_accesses) {
            sum.pattern = site.pattern;
            sum.stride_elements = site.stride_elements;
        }
        sum.executions += site.executions;
        sum.sub_group_accesses += site.sub_group_accesses;
        sum.requested_bytes += site.requested_bytes;
        sum.sectors += site.sectors;
        sum.lines += site.lines;
        sum.bank_cycles += site.bank_cycles;
        sum.ideal_bank_cycles += site.ideal_bank_cycles;
        sum.active_lanes += site.active_lanes;
    }
    std::vector<XrayAccess> sorted;
    for (auto& [key, access] : all) sorted.push_back(std::move(access));
    return sorted;
}

AccessFigures figures_of(const XrayAccess& access, std::uint32_t sub_group) {
    const XraySite& site = access.sum;
    const double accesses = real(site.sub_group_accesses);
    AccessFigures figures;
    if (accesses == 0) return figures;
    const auto percent = [](std::uint64_t part, double whole) {
        return std::min(100.0, 100 * real(part) / whole);
    };
    if (is_global(access.buffer->space)) {
        figures.sectors = real(site.sectors) / accesses;
        figures.lines = real(site.lines) / accesses;
        const double needed = std::max(1.0, real(site.requested_bytes) / accesses / kSectorBytes);
        figures.wastes_sectors = *figures.sectors >= 2 * needed;
        if (site.sectors > 0)
            figures.used_percent = percent(site.requested_bytes, real(site.sectors) * kSectorBytes);
    }
    if (site.ideal_bank_cycles > 0)
        figures.bank_factor = real(site.bank_cycles) / real(site.ideal_bank_cycles);
    figures.active_percent = percent(site.active_lanes, accesses * sub_group);
    return figures;
}

XrayTotals totals_of(const XrayReport& report) {
    XrayTotals totals;
    for (const XrayLaunch& launch : report.launches) {
        totals.groups += launch.groups;
        totals.observed_groups += launch.observed_groups;
        totals.barriers += real(launch.barriers);
    }
    for (const XraySite& site : report.sites) {
        if (!is_global(report.buffers[site.buffer].space)) continue;
        totals.requested_bytes += real(site.requested_bytes);
        totals.sector_bytes += real(site.sectors) * kSectorBytes;
        if (site.kind != AccessKind::Store)
            totals.loads += real(site.requested_bytes) / real(report.buffers[site.buffer].element_bytes);
    }
    return totals;
}

bool is_unobserved(const XrayReport& report) {
    return std::ranges::any_of(report.launches,
                               [](const XrayLaunch& launch) { return launch.observed_groups == 0; });
}

std::vector<BufferMaps> buffer_maps(const XrayReport& report) {
    constexpr std::size_t kLoadSlot = 0, kStoreSlot = 1;
    std::vector<BufferMaps> all;
    for (const bool is_local : {false, true}) {
        const std::size_t first = all.size();
        std::uint32_t most_loads = 0, most_stores = 0;
        for (std::uint32_t i = 0; i < report.buffers.size(); ++i) {
            const XrayBuffer& buffer = report.buffers[i];
            if (is_global(buffer.space) == is_local) continue;
            if (buffer.loads + buffer.stores == 0 || buffer.loads_of_cell.empty()) continue;
            all.push_back({i,
                           (is_local ? "__local " : "") + buffer.name,
                           {buffer.rows, buffer.columns, buffer.loads_of_cell, 0, kLoadSlot},
                           {buffer.rows, buffer.columns, buffer.stores_of_cell, 0, kStoreSlot}});
            most_loads = std::max(most_loads, std::ranges::max(buffer.loads_of_cell));
            most_stores = std::max(most_stores, std::ranges::max(buffer.stores_of_cell));
        }
        for (BufferMaps& maps : std::span(all).subspan(first)) {
            maps.loads.most = most_loads;
            maps.stores.most = most_stores;
        }
    }
    return all;
}

std::string pattern_text(const XraySite& site) {
    return site.pattern == AccessPattern::Strided ? fmt::format("stride {}", site.stride_elements)
                                                  : to_string(site.pattern);
}

}  // namespace kwb
