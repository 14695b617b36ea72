#include "report/grouped_findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace {

/// True if the numbers of such a finding are magnitudes, so that several can be merged into a range.
bool is_measure(FindingCode code) {
    switch (code) {
        case FindingCode::SlowFirstRound:
        case FindingCode::DriftsSlower:
        case FindingCode::DriftsFaster:
        case FindingCode::Wanders:
        case FindingCode::TwoGroups:
        case FindingCode::Scatters:
        case FindingCode::FewFarRounds:
            return true;
        default:
            return false;
    }
}

/// Extend the range to include `finding`, which must have the same code and so the same numbers.
void widen(Finding& low, Finding& high, const Finding& finding) {
    for (auto& [name, number] : low.numbers) number = std::min(number, finding.number(name));
    for (auto& [name, number] : high.numbers) number = std::max(number, finding.number(name));
}

}  // namespace

void GroupedFindings::add(const Finding& finding, const std::string& kernel) {
    const auto known = std::ranges::find_if(groups_, [&](const Group& group) {
        return group.low == finding || (group.low.code == finding.code && is_measure(finding.code));
    });
    if (known == groups_.end()) {
        groups_.push_back({finding, finding, {kernel}});
        return;
    }
    widen(known->low, known->high, finding);
    if (std::ranges::find(known->kernels, kernel) == known->kernels.end()) known->kernels.push_back(kernel);
}

std::string GroupedFindings::render(std::string_view kind, const TableOptions& options) const {
    std::vector<FindingWords> words;
    for (const Group& group : groups_) words.push_back(words_of_range(group.low, group.high, Face::Terminal));
    const auto write = [&](const std::string& text, std::size_t indent) {
        return paragraph(plain_signs(printable(text), options), options.width, indent);
    };
    const auto head = [&](std::size_t i) {
        return fmt::format("{}: {}: {}", kind, enumerate(groups_[i].kernels), words[i].what);
    };
    std::string text;
    std::vector<bool> is_written(groups_.size(), false);
    for (std::size_t first = 0; first < groups_.size(); ++first) {
        if (is_written[first]) continue;
        const std::string& advice = words[first].advice;
        std::vector<std::size_t> sharing;
        for (std::size_t i = first; i < groups_.size(); ++i)
            if (i == first || (!advice.empty() && words[i].advice == advice)) sharing.push_back(i);
        if (sharing.size() == 1) {
            text += write(advice.empty() ? head(first) : head(first) + " " + advice, 0);
            continue;
        }
        for (const std::size_t i : sharing) {
            text += write(head(i), 0);
            is_written[i] = true;
        }
        text += write(advice, 2);
    }
    return text;
}

}  // namespace kwb
