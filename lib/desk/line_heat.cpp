// SPDX-License-Identifier: Apache-2.0
#include "desk/shown_xray.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/numbers.hpp"
#include "report/xray_summary.hpp"

namespace kwb {
namespace {

/// "load A: stride 512, 32 sectors of 32 bytes per sub-group access, 13 % used, 100 % of the lanes active"
std::string describe_access(const XrayAccess& access, std::uint32_t sub_group) {
    const XraySite& site = access.sum;
    std::string words =
        fmt::format("{} {}: {}", to_string(site.kind), access.buffer->name, pattern_text(site));
    const AccessFigures figures = figures_of(access, sub_group);
    if (figures.used_percent)
        words += fmt::format(", {} sectors of 32 bytes per sub-group access, {:.0f} % used",
                             format_digits(*figures.sectors), *figures.used_percent);
    if (figures.bank_factor)
        words += *figures.bank_factor > 1 ? fmt::format(", bank conflicts: {} times the cycles",
                                                        format_digits(*figures.bank_factor))
                                          : ", no bank conflicts";
    if (figures.active_percent)
        words += fmt::format(", {:.0f} % of the lanes active", *figures.active_percent);
    return words;
}

}  // namespace

SourceHeat source_heat(const XrayReport& report, const std::vector<TargetReport>& targets) {
    SourceHeat heat;
    const auto line_at = [&](const XrayPlace& place) -> LineHeat& {
        return heat[place.file][place.line - 1];
    };
    std::map<std::pair<std::string, std::uint32_t>, const XrayLine*> diverging;
    for (const XrayLine& line : report.lines) {
        if (line.place.line == 0) continue;
        LineHeat& known = line_at(line.place);
        known.executions = std::max(known.executions, line.executions);
        if (line.executions < line.lanes) diverging[{line.place.file, line.place.line}] = &line;
    }
    const std::vector<XrayAccess> accesses = accesses_of(report);
    for (const XrayAccess& access : accesses) {
        if (access.sum.place.line == 0) continue;
        LineHeat& known = line_at(access.sum.place);
        known.executions = std::max(known.executions, access.sum.executions);
        known.bytes += access.sum.requested_bytes;
    }
    std::uint64_t most = 1;
    for (const auto& [file, lines] : heat)
        for (const auto& [line, known] : lines) most = std::max(most, known.executions);
    for (auto& [file, lines] : heat)
        for (auto& [line, known] : lines) {
            known.share = std::log2(1.0 + static_cast<double>(known.executions)) /
                          std::log2(1.0 + static_cast<double>(most));
            known.sentences.push_back(
                counted(known.executions, "execution") + " by work-items" +
                (known.bytes > 0 ? ", " + format_bytes(known.bytes) + " requested" : ""));
            const auto found = diverging.find({file, line + 1});
            if (found != diverging.end())
                known.sentences.push_back(fmt::format("Lanes of a sub-group diverge here: {:.0f} % active",
                                                      100 * static_cast<double>(found->second->executions) /
                                                          static_cast<double>(found->second->lanes)));
        }
    for (const TargetReport& target : targets)
        for (const MachineCode& code : target.kernels)
            for (const AssemblyLine& line : code.assembly)
                if (line.place.line > 0) line_at(line.place).has_code = true;
    for (const XrayAccess& access : accesses)
        if (access.sum.place.line > 0)
            line_at(access.sum.place).sentences.push_back(describe_access(access, report.sub_group));
    return heat;
}

}  // namespace kwb
