// Parts of the page, as data for its template.
#pragma once

#include <kainjow/mustache.hpp>
#include <string>

#include "plot/palette.hpp"
#include "report/html.hpp"

namespace kwb::html_parts {

using kainjow::mustache::data;

/// Foreign text as the page may hold it; false if it is empty, so that its part of the template goes.
data text_or_false(const std::string& text);

/// Sentences as a list of the template.
data list_of(const std::vector<std::string>& texts);

/// The chart for light and for dark readers.
data chart_pictures(const plot::Chart& chart, plot::Size size);

/// "#0072b2" of a contestant, as its charts have it.
std::string css_color(plot::Color color);

/// "good", "bad" or "warning", by whether all is as it should be.
std::string tone_class(const KernelResult& result);

/// "correct", "compile error", "wrong, as expected"
std::string verdict_words(const KernelResult& result);

struct KernelPart {
    const KernelResult& result;
    const std::string& label;
    std::size_t slot = 0;
    const NamedList<std::string>* sources = nullptr;  ///< null: not known
    bool names_size = false;
};

/// All that is to be said of one contestant.
data kernel_part(const KernelPart& part);

}  // namespace kwb::html_parts
