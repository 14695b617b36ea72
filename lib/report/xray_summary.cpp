#include "report/xray_summary.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <string_view>
#include <tuple>

namespace kwb {
namespace {

double real(std::uint64_t value) {
    return static_cast<double>(value);
}

/// Takes ":NUMBER" off the end. @return  0 if there is none
std::uint32_t take_number(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    const std::string_view digits = colon == std::string_view::npos ? text : text.substr(colon + 1);
    std::uint32_t number = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || fault != std::errc() || end != digits.data() + digits.size()) return 0;
    text = colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
    return number;
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

XrayTotals totals_of(const XrayReport& report) {
    XrayTotals totals;
    std::vector<double> factors;
    for (const XrayLaunch& launch : report.launches) {
        totals.groups += launch.groups;
        totals.observed_groups += launch.observed_groups;
        factors.push_back(launch.observed_groups > 0 ? real(launch.groups) / real(launch.observed_groups)
                                                     : 0);
        totals.barriers += real(launch.barriers) * factors.back();
    }
    for (const XraySite& site : report.sites) {
        if (!is_global(report.buffers[site.buffer].space)) continue;
        const double factor = factors[site.launch];
        totals.requested_bytes += real(site.requested_bytes) * factor;
        totals.sector_bytes += real(site.sectors) * kSectorBytes * factor;
        if (site.kind != AccessKind::Store)
            totals.loads +=
                real(site.requested_bytes) / real(report.buffers[site.buffer].element_bytes) * factor;
    }
    return totals;
}

std::string place_text(const XrayPlace& place) {
    std::string text = place.file.empty() ? "" : place.file + ":";
    text += place.line > 0 ? std::to_string(place.line) : "?";
    if (place.column > 0) text += ":" + std::to_string(place.column);
    return text;
}

XrayPlace place_from(const std::string& text) {
    std::string_view rest = text;
    XrayPlace place;
    place.column = take_number(rest);
    place.line = take_number(rest);
    place.file = std::string(rest);
    return place;
}

std::string pattern_text(const XraySite& site) {
    return site.pattern == AccessPattern::Strided ? fmt::format("stride {}", site.stride_elements)
                                                  : to_string(site.pattern);
}

}  // namespace kwb
