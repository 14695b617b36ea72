// SPDX-License-Identifier: Apache-2.0
#include "debug/wrong_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "debug/values.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"

namespace kwb::debug {
namespace {

/// Ids in the launch's dimensions.
std::vector<std::uint64_t> group_of(const XrayStore& store, const XrayReport& report) {
    std::vector<std::uint64_t> group = store.group;
    if (store.launch < report.launches.size()) group.resize(report.launches[store.launch].local.size());
    return group;
}

/// "work-item (3, 0) of work-group (0, 1)"
std::string storing_item(const XrayStore& store, const XrayReport& report) {
    std::vector<std::uint64_t> ids;
    std::uint64_t rest = store.item;
    if (store.launch < report.launches.size())
        for (const std::uint64_t extent : report.launches[store.launch].local) {
            ids.push_back(rest % extent);
            rest /= extent;
        }
    return fmt::format("work-item {} of work-group {}", ids_text(ids), ids_text(group_of(store, report)));
}

/// "at line 18 by work-item (3, 0) of work-group (0, 1)", with the launch if there are several
std::string storing_text(const XrayStore& store, const XrayReport& report) {
    return fmt::format("at line {} by {}{}", place_text(XrayPlace{store.place.file, store.place.line, 0}),
                       storing_item(store, report),
                       report.launches.size() > 1 ? fmt::format(" of launch {}", store.launch + 1) : "");
}

/// The numbers in "(3, 0)" or "group (3, 0)".
std::vector<std::uint64_t> numbers_in(std::string_view text) {
    std::vector<std::uint64_t> numbers;
    bool is_inside = false;
    for (const char c : text) {
        const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (is_digit && !is_inside) numbers.push_back(0);
        if (is_digit) numbers.back() = numbers.back() * 10 + static_cast<std::uint64_t>(c - '0');
        is_inside = is_digit;
    }
    return numbers;
}

bool is_stop(const Finding& remark) {
    return remark.code == FindingCode::XrayEndless || remark.code == FindingCode::XrayCrashed;
}

/// " of the launch's work-items" that end before the element.
std::string explain_extent(const ElementPlace& place, const XrayLaunch& launch) {
    std::vector<std::string> extents;
    for (const std::uint64_t extent : launch.global) extents.push_back(std::to_string(extent));
    const std::string none =
        fmt::format("none of the launch's {} work-items stores it", join(extents, " × "));
    if (place.index.size() != launch.global.size()) return none;
    for (std::size_t d = 0; d < launch.global.size(); ++d)
        if (place.index[place.index.size() - 1 - d] >= launch.global[d])
            return none +
                   fmt::format(": their global ids in dimension {} end at {}", d, launch.global[d] - 1);
    return none;
}

}  // namespace

NamedList<std::string> sources_of(const KernelPlan& plan) {
    NamedList<std::string> sources{{"", plan.source_text}};
    sources.insert(sources.end(), plan.includes.begin(), plan.includes.end());
    return sources;
}

ElementPlace place_of(const WrongElement& wrong, const BufferSpec& buffer) {
    ElementPlace place{wrong.index, 0, 0, buffer.name};
    place.index.resize(buffer.shape.size());
    place.element = linear_index(place.index, buffer.shape);
    for (const std::uint64_t index : place.index) place.name += fmt::format("[{}]", index);
    if (wrong.index.size() > place.index.size()) {
        const std::uint64_t component = wrong.index.back();
        place.offset = component * (buffer.type.bytes() / buffer.type.width);
        place.name += "." + component_name(buffer.type.width, component);
    }
    return place;
}

std::string wrong_text(const WrongElement& wrong, const ElementPlace& place, const XrayReport& report,
                       std::uint32_t launch, const std::string& size) {
    const auto& stores = report.stores;
    const std::string what =
        fmt::format("{} is wrong at size {}: expected {}", place.name, size, wrong.expected);
    if (!stores || stores->times == 0) {
        if (launch >= report.launches.size()) return what + ", but nothing stores it";
        return what + ", but " + explain_extent(place, report.launches[launch]);
    }
    const std::string got = fmt::format("{}, got {}", what, wrong.got);
    if (stores->times == 1 || !stores->first || !stores->last) return got;
    return got + fmt::format("\nIt is stored {} times: first {}, last {}", stores->times,
                             storing_text(*stores->first, report), storing_text(*stores->last, report));
}

std::string earlier_store_text(const XrayReport& report, const XrayElement& element, const KernelPlan& plan,
                               const Sizes& sizes) {
    if (!report.stores || !report.stores->last) return "No earlier launch has stored it, either.";
    const XrayStore& last = *report.stores->last;
    std::string text =
        fmt::format("Launch {} of {} stored {}[{}] last, at line {} in {}.", last.launch + 1,
                    plan.launches.size(), element.buffer, element.element,
                    place_text(XrayPlace{last.place.file, last.place.line, 0}), storing_item(last, report));
    const std::vector<std::string> lines = split_lines(plan.source_text);
    if (last.place.file.empty() && last.place.line > 0 && last.place.line <= lines.size())
        text += fmt::format("\n{:>5}   {}", last.place.line, lines[last.place.line - 1]);
    std::vector<std::string> extents, group;
    for (const Named<std::int64_t>& size : sizes) extents.push_back(std::to_string(size.value));
    for (const std::uint64_t id : group_of(last, report)) group.push_back(std::to_string(id));
    return text + fmt::format("\n--size {} --launch {} --group {} records it.", join(extents, "x"),
                              last.launch + 1, join(group, ","));
}

std::optional<UndefinedPlace> first_undefined(const XrayReport& report, bool with_stops) {
    std::vector<const Finding*> findings;
    for (const Finding& remark : report.remarks)
        if (with_stops && is_stop(remark)) findings.push_back(&remark);
    for (const Finding& finding : report.undefined) findings.push_back(&finding);
    for (const Finding* const finding : findings) {
        UndefinedPlace found{*finding, 0, {}, numbers_in(finding->text("item")), place_from(finding->place)};
        const auto site = std::ranges::find_if(report.sites, [&](const XraySite& one) {
            return one.place.file == found.place.file && one.place.line == found.place.line;
        });
        if (site != report.sites.end()) found.launch = site->launch;
        if (found.item.empty() || found.launch >= report.launches.size()) continue;
        const XrayLaunch& launch = report.launches[found.launch];
        if (found.item.size() != launch.local.size()) continue;
        if (finding->text("item").starts_with("group")) {
            found.group = std::exchange(found.item, std::vector<std::uint64_t>(launch.local.size()));
            return found;
        }
        for (std::size_t d = 0; d < launch.local.size(); ++d) {
            found.group.push_back(found.item[d] / launch.local[d]);
            found.item[d] %= launch.local[d];
        }
        return found;
    }
    return std::nullopt;
}

std::string undefined_text(const XrayReport& report, const std::optional<UndefinedPlace>& told) {
    constexpr std::size_t kMostLines = 5;
    std::vector<std::string> lines;
    for (const Finding& finding : report.undefined) lines.push_back(sentence_of(finding));
    const bool is_stop_told = told && is_stop(told->finding);  // perhaps at another step of the same loop
    for (const Finding& remark : report.remarks)
        if (is_stop(remark) && !is_stop_told) lines.push_back(sentence_of(remark));
    if (told) std::erase(lines, sentence_of(told->finding));
    if (lines.size() > kMostLines) lines.resize(kMostLines);
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

}  // namespace kwb::debug
