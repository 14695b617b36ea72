// SPDX-License-Identifier: Apache-2.0
#include "support/sample_xray.hpp"

#include <string>

namespace kwb::test {
namespace {

XrayBuffer buffer(const std::string& name, AddressSpace space, std::uint64_t edge) {
    XrayBuffer made;
    made.name = name;
    made.space = space;
    made.type = "float";
    made.element_bytes = 4;
    made.extents = {edge, edge};
    made.rows = made.columns = static_cast<std::uint32_t>(edge < kMostXrayCells ? edge : kMostXrayCells);
    made.loads_of_cell.assign(std::size_t{made.rows} * made.columns, 0);
    made.stores_of_cell = made.loads_of_cell;
    return made;
}

}  // namespace

XrayReport sample_xray(const SampleXray& options) {
    constexpr std::uint64_t kMatrix = 64;
    const std::uint32_t edge = options.edge;
    XrayReport report;
    for (std::uint32_t i = 0; i < options.launches; ++i)
        report.launches.push_back({"k",
                                   {kMatrix, kMatrix},
                                   {edge, edge},
                                   (kMatrix / edge) * (kMatrix / edge),
                                   (kMatrix / edge) * (kMatrix / edge),
                                   options.is_undefined ? 0u : 16u});
    report.buffers = {buffer("A", AddressSpace::Global, kMatrix), buffer("B", AddressSpace::Global, kMatrix),
                      buffer("C", AddressSpace::Global, kMatrix), buffer("a", AddressSpace::Local, edge)};
    const auto line = [&](std::uint64_t offset) {
        return static_cast<std::uint32_t>(options.first_line + offset);
    };
    struct Access {
        std::uint64_t line;
        std::uint32_t column;
        AccessKind kind;
        std::uint32_t buffer;
        AccessPattern pattern;
    };
    const Access accesses[] = {{0, 20, AccessKind::Load, 0, AccessPattern::Contiguous},
                               {0, 10, AccessKind::Store, 3, AccessPattern::Contiguous},
                               {2, 24, AccessKind::Load, 3, AccessPattern::Broadcast},
                               {2, 40, AccessKind::Load, 1, AccessPattern::Strided},
                               {3, 5, AccessKind::Store, 2, AccessPattern::Contiguous}};
    for (const Access& access : accesses) {
        XraySite& site = report.sites.emplace_back();
        site.place = {"", line(access.line), access.column};
        site.kind = access.kind;
        site.buffer = access.buffer;
        site.width_bytes = 4;
        site.pattern = access.pattern;
        site.stride_elements = access.pattern == AccessPattern::Strided ? 64 : 0;
    }

    XrayTrace trace;
    const auto use = [&](std::uint32_t item, std::uint32_t number, std::uint64_t element,
                         std::uint32_t interval) {
        trace.items.push_back(item);
        trace.sites.push_back(number);
        trace.elements.push_back(static_cast<std::uint32_t>(element));
        trace.intervals.push_back(interval);
        XraySite& site = report.sites[number];
        XrayBuffer& used = report.buffers[site.buffer];
        ++site.executions;
        ++site.active_lanes;
        site.requested_bytes += 4;
        if (site.executions % 32 == 0) {
            ++site.sub_group_accesses;
            const bool is_strided = site.pattern == AccessPattern::Strided;
            if (used.space == AddressSpace::Global) site.sectors += is_strided ? 32 : 4;
            if (used.space == AddressSpace::Global) site.lines += is_strided ? 32 : 1;
            if (used.space == AddressSpace::Local) site.bank_cycles += 2, ++site.ideal_bank_cycles;
        }
        auto& counts = site.kind == AccessKind::Load ? used.loads_of_cell : used.stores_of_cell;
        ++counts[element % counts.size()];
        ++(site.kind == AccessKind::Load ? used.loads : used.stores);
    };
    const std::uint32_t items = edge * edge;
    const std::uint32_t second = options.is_undefined ? 0 : 1;
    const auto stage = [&](std::uint32_t item) {
        use(item, 0, item / edge * kMatrix + item % edge, 0);
        use(item, 1, item, 0);
    };
    const auto multiply = [&](std::uint32_t item) {
        for (std::uint32_t k = 0; k < edge; ++k) {
            use(item, 2, item / edge * edge + k, second);
            use(item, 3, k * kMatrix + item % edge, second);
        }
        use(item, 4, item / edge * kMatrix + item % edge, second);
    };
    for (std::uint32_t item = 0; item < items; ++item) {
        stage(item);
        if (options.is_undefined) multiply(item);
    }
    for (std::uint32_t item = 0; !options.is_undefined && item < items; ++item) multiply(item);
    for (XrayBuffer& used : report.buffers) used.elements_loaded = used.elements_stored = items;
    for (std::uint64_t i = 0; i < 4; ++i) {
        const std::uint64_t executions = items * (i == 2 ? edge : 1u);
        report.lines.push_back({{"", line(i), 0}, executions, executions / 16, 2 * executions});
    }
    report.trace = std::move(trace);
    if (options.is_undefined)
        report.undefined.push_back({.code = FindingCode::DataRace,
                                    .subject = "a[0][0]",
                                    .place = std::to_string(line(2)) + ":24",
                                    .numbers = {{"interval", 0}, {"between_groups", 0}},
                                    .texts = {{"space", "local"},
                                              {"access", "read"},
                                              {"first_access", "write"},
                                              {"first_place", std::to_string(line(0)) + ":10"},
                                              {"item", "(1, 0)"},
                                              {"first_item", "(0, 0)"}}});
    return report;
}

}  // namespace kwb::test
