// SPDX-License-Identifier: Apache-2.0
// The HTML page's section about one contestant: verdict, evidence, source with remarks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "plot/png.hpp"
#include "report/charts.hpp"
#include "report/html_data.hpp"
#include "report/notes.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"

namespace kwb::html {
namespace {

/// Compare file names without folders, because compilers and users spell the folders differently.
bool same_name(const std::string& a, const std::string& b) {
    const auto last = [](const std::string& path) { return path.substr(path.find_last_of('/') + 1); };
    return last(a) == last(b);
}

std::vector<std::string> fact_sentences(const KernelPart& part) {
    const KernelResult& result = part.result;
    std::vector<std::string> facts;
    if (part.names_size) facts.push_back("At size " + to_string(result.size) + ".");
    for (const LaunchResult& launch : result.launches)
        facts.push_back(printable(fmt::format(
            "{}: {} {}{}.", launch.kernel, fmt::join(launch.global, " × "),
            std::ranges::all_of(launch.global, [](const auto extent) { return extent == 1; }) ? "work-item"
                                                                                              : "work-items",
            launch.local.empty() ? " in work-groups that the driver chose"
                                 : fmt::format(" in work-groups of {}", fmt::join(launch.local, " × ")))));
    if (result.max_error_share && std::isfinite(*result.max_error_share))
        facts.push_back("Largest error: " + format_error_share(*result.max_error_share) + ".");
    if (result.random_check) facts.push_back("Result: " + describe(*result.random_check) + ".");
    if (result.xray) facts.push_back(printable(describe(*result.xray)));
    if (!result.file.empty()) facts.push_back("File: " + printable(result.file));
    if (result.unsaved) facts.push_back("It ran with unsaved edits.");
    return facts;
}

std::vector<std::string> evidence_sentences(const KernelResult& result) {
    std::vector<std::string> found;
    if (!result.evidence) return found;
    const Evidence& evidence = *result.evidence;
    if (evidence.stage) found.push_back("Last stage reached: " + printable(*evidence.stage) + ".");
    if (evidence.signal) found.push_back("Signal: " + printable(*evidence.signal) + ".");
    if (evidence.buffer && evidence.element)
        found.push_back(
            printable(fmt::format("{} of {}[{}].", evidence.access == "write" ? "A write" : "A read",
                                  *evidence.buffer, *evidence.element)));
    if (evidence.work_item)
        found.push_back(fmt::format("Work-item ({}).", fmt::join(*evidence.work_item, ", ")));
    return found;
}

data wrong_rows(const KernelResult& result) {
    return list_of(result.first_wrong, [](const WrongElement& wrong) {
        const auto [expected, got] = wrong_values(wrong);
        return object{{"element", element_name(wrong)}, {"expected", expected}, {"got", got}};
    });
}

struct Remark {
    std::string tone;
    std::string text;
};
using Remarks = std::multimap<std::size_t, Remark>;  // key: line, counted from 1

/// The line of a place in the kernel's own file, "53:20"; nullopt for other places.
std::optional<std::size_t> line_of(std::string_view place) {
    std::size_t line = 0;
    const auto [end, error] = std::from_chars(place.data(), place.data() + place.size(), line);
    if (error != std::errc{} || end == place.data() + place.size() || *end != ':') return std::nullopt;
    if (place.find(':', static_cast<std::size_t>(end - place.data()) + 1) != std::string_view::npos)
        return std::nullopt;
    return line;
}

Remarks remarks_in(const KernelResult& result, const std::string& file, bool is_own) {
    Remarks remarks;
    for (const Diagnostic& diagnostic : result.diagnostics)
        if (same_name(diagnostic.file, file))
            remarks.emplace(diagnostic.line,
                            Remark{diagnostic.severity == Severity::Error ? "bad" : "warning",
                                   to_string(diagnostic.severity) + ": " + diagnostic.message});
    if (is_own)
        for (const Hint& hint : result.hints)
            remarks.emplace(hint.line, Remark{"warning", "hint: " + hint.sentence});
    if (is_own && result.xray)
        for (const Finding& finding : result.xray->undefined)
            if (const auto line = line_of(finding.place))
                remarks.emplace(*line, Remark{"undefined", "undefined: " + sentence_of(finding)});
    return remarks;
}

data source_lines(const std::string& source, const Remarks& remarks, const KernelPart& part,
                  std::size_t file) {
    std::vector<std::string> texts = split_lines(printable(source));
    if (!texts.empty() && texts.back().empty()) texts.pop_back();
    std::size_t number = 0;
    return list_of(texts, [&](const std::string& text) {
        const auto [begin, end] = remarks.equal_range(++number);
        data below{data::type::list};
        for (auto at = begin; at != end; ++at)
            below << data(object{{"tone", at->second.tone}, {"text", printable(at->second.text) + "\n"}});
        return object{{"id", part.is_linked ? data(line_id(part.id, file, number)) : data(false)},
                      {"number", std::to_string(number)},
                      {"text", text + "\n"},
                      {"marked", begin != end},
                      {"remarks", below}};
    });
}

data source_files(const KernelPart& part) {
    if (part.sources == nullptr) return data::type::list;
    return list_of(*part.sources, [&](const Named<std::string>& file) {
        const auto index = static_cast<std::size_t>(&file - part.sources->data());
        const Remarks remarks = remarks_in(part.result, file.name, index == 0);
        return object{{"name", printable(file.name)},
                      {"open", part.is_linked},
                      {"lines", source_lines(file.value, remarks, part, index)}};
    });
}

std::string hint_sentence(const Hint& hint) {
    return (hint.line > 0 ? fmt::format("Line {}: ", hint.line) : "") + printable(hint.sentence);
}

std::string expectation_sentence(const KernelResult& result) {
    if (!result.expected) return "";
    return "Expected to be " + expected_names(*result.expected) + ".";
}

/// An output as a picture, enlarged if it is small.
data picture_of(const KernelResult& result) {
    if (!result.picture) return data(false);
    constexpr std::uint32_t kShownPixels = 256;
    const Picture& picture = *result.picture;
    std::vector<plot::Color> pixels = plot::colors_of(picture.pixels);
    const int columns = static_cast<int>(picture.columns), rows = static_cast<int>(picture.rows);
    const int factor = static_cast<int>(std::max(1u, kShownPixels / std::max(picture.columns, picture.rows)));
    const std::string png =
        plot::encode_png(plot::enlarged(pixels, columns, rows, factor), columns * factor, rows * factor);
    return object{{"png", plot::base64(png)}, {"buffer", printable(picture.buffer)}};
}

}  // namespace

data kernel_part(const KernelPart& part) {
    const KernelResult& result = part.result;
    const std::vector<std::string> warnings = warning_sentences(result, Face::Page);
    const bool has_map = result.error_map && result.wrong_elements.value_or(0) > 0;
    return object{
        {"label", printable(part.label)},
        {"light", css_color(plot::light_theme().series_color(part.slot))},
        {"dark", css_color(plot::dark_theme().series_color(part.slot))},
        {"verdict", verdict_words(result)},
        {"tone", tone_class(result)},
        {"open", part.is_linked || !is_good(result.verdict) || !result.as_expected()},
        {"facts", list_of(fact_sentences(part))},
        {"expectation", text_or_false(expectation_sentence(result))},
        {"cause", text_or_false(result.expected ? printable(result.expected->why) : "")},
        {"reason", text_or_false(printable(result.reason))},
        {"evidence", list_of(evidence_sentences(result))},
        {"has_wrong", !result.first_wrong.empty()},
        {"wrong", wrong_rows(result)},
        {"map", has_map ? chart_pictures(error_map_chart(result, part.label), {560, 440}) : data(false)},
        {"picture", picture_of(result)},
        {"has_hints", !result.hints.empty()},
        {"hints", list_of(result.hints, hint_sentence)},
        {"has_warnings", !warnings.empty()},
        {"warnings", list_of(warnings, printable)},
        {"has_messages", !result.diagnostics.empty()},
        {"messages", list_of(result.diagnostics, [](const Diagnostic& each) { return describe(each); })},
        {"log", text_or_false(printable(result.log))},
        {"output", text_or_false(printable(result.output))},
        {"files", source_files(part)},
    };
}

}  // namespace kwb::html
