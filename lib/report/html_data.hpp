// SPDX-License-Identifier: Apache-2.0
// Data for the template of the HTML page (assets/report/report.mustache): what its parts share.
#pragma once

#include <fmt/format.h>

#include <kainjow/mustache.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/result.hpp"
#include "plot/draw.hpp"
#include "plot/palette.hpp"
#include "report/labels.hpp"

namespace kwb::html {

using kainjow::mustache::data;
using kainjow::mustache::object;

/// The text, or false if it is empty, so that the template leaves out its section.
inline data text_or_false(const std::string& text) {
    return text.empty() ? data(false) : data(text);
}

/// One entry of a list for the template from each item.
template <class Items, class Entry>
data list_of(const Items& items, Entry entry) {
    data list(data::type::list);
    for (const auto& item : items) list << data(entry(item));
    return list;
}

/// Sentences as a list for the template.
inline data list_of(const std::vector<std::string>& texts) {
    return list_of(texts, [](const std::string& text) { return text; });
}

/// A chart colour in CSS notation, "#0072b2".
inline std::string css_color(plot::Color color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

/// The CSS class for the verdict: "good", "bad", "undefined", "warning" or none.
inline std::string tone_class(const KernelResult& result) {
    switch (verdict_cell(result).tone) {
        case Tone::Good:
            return "good";
        case Tone::Bad:
            return "bad";
        case Tone::Undefined:
            return "undefined";
        case Tone::Warning:
            return "warning";
        default:
            return "";
    }
}

/// "correct", "compile error", "wrong, as expected"
inline std::string verdict_words(const KernelResult& result) {
    std::string words = verdict_cell(result).text;
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

/// The chart as SVG, in the light and in the dark theme.
inline data chart_pictures(const plot::Chart& chart, plot::Size size) {
    return object{{"light_svg", plot::render_svg(chart, {.size = size})},
                  {"dark_svg", plot::render_svg(chart, {.size = size, .dark = true})}};
}

/// The id of a line of a contestant's source, for links: "1-0-line-49".
inline std::string line_id(const std::string& part, std::size_t file, std::size_t line) {
    return fmt::format("{}-{}-line-{}", part, file, line);
}

/// What the section about one contestant is made from.
struct KernelPart {
    const KernelResult& result;
    const std::string& label;
    std::string id;  ///< of the page's parts, "1"
    std::size_t slot = 0;
    bool is_linked = false;                           ///< its lines
    const NamedList<std::string>* sources = nullptr;  ///< null: unknown
    bool names_size = false;
};

/// The page's section about one contestant.
data kernel_part(const KernelPart& part);

}  // namespace kwb::html
