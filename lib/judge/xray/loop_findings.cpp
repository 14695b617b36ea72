// SPDX-License-Identifier: Apache-2.0
#include "judge/xray/loop_findings.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "ipc/runner_messages.hpp"
#include "model/xray_words.hpp"

namespace kwb {
namespace {

std::optional<double> value_of(const Finding& finding, const std::string& name) {
    double number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) return number;
    const double* const found = find_named(finding.numbers, kVariablePrefix + name);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

void name_loop(Finding& finding, const std::vector<source::InclusiveLoop>& loops) {
    if (finding.code != FindingCode::OutsideBuffer && finding.code != FindingCode::OutsideArray) return;
    const XrayPlace place = place_from(finding.place);
    for (const source::InclusiveLoop& loop : loops) {
        if (std::ranges::find(loop.accesses, place) == loop.accesses.end()) continue;
        const auto value = value_of(finding, loop.variable), bound = value_of(finding, loop.bound);
        if (!value || !bound || *value != *bound) continue;
        finding.texts.push_back({"loop", loop.condition});
        finding.texts.push_back({"loop_instead", loop.instead});
        finding.texts.push_back({"loop_place", place_text(loop.place)});
        return;
    }
}

}  // namespace

void name_loops(XrayReport& report, const std::vector<source::InclusiveLoop>& loops) {
    for (Finding& finding : report.undefined) {
        name_loop(finding, loops);
        std::erase_if(finding.numbers,
                      [](const Named<double>& number) { return number.name.starts_with(kVariablePrefix); });
    }
}

}  // namespace kwb
