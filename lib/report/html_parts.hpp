// Parts of the HTML page, as data for its template.
#pragma once

#include <kainjow/mustache.hpp>
#include <string>

#include "plot/palette.hpp"
#include "report/html.hpp"

namespace kwb::html_parts {

using kainjow::mustache::data;

/// The text, or false if it is empty, so that the template leaves out its section.
data text_or_false(const std::string& text);

/// Sentences as a list for the template.
data list_of(const std::vector<std::string>& texts);

/// The chart as SVG, in the light and in the dark theme.
data chart_pictures(const plot::Chart& chart, plot::Size size);

/// A chart colour in CSS notation, "#0072b2".
std::string css_color(plot::Color color);

/// The CSS class for the verdict: "good", "bad" or "warning".
std::string tone_class(const KernelResult& result);

/// "correct", "compile error", "wrong, as expected"
std::string verdict_words(const KernelResult& result);

struct KernelPart {
    const KernelResult& result;
    const std::string& label;
    std::size_t slot = 0;
    const NamedList<std::string>* sources = nullptr;  ///< null: unknown
    bool names_size = false;
};

/// The section about one contestant.
data kernel_part(const KernelPart& part);

}  // namespace kwb::html_parts
