// Results as one self-contained HTML page.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/result.hpp"
#include "report/charts.hpp"

namespace kwb {

/// A run, or a sweep over sizes, as a part of the page. Borrows: for the length of the call.
struct HtmlSection {
    std::string heading;  ///< empty: the page's title says it all
    std::string when;     ///< as it shall be read; may be empty
    std::string lead;     ///< a sentence above the table, e.g. why it came to a bad end; may be empty
    Environment environment;
    std::vector<Sizes> sizes;  ///< of a sweep: one a list of `results`; else one or none
    std::vector<std::span<const KernelResult>> results;  ///< a list a size, all of the same contestants
    std::size_t baseline = 0;                            ///< of each list, for speed-ups
    /// Texts of each contestant, its own file first: name → text. Fewer than contestants: not known.
    std::vector<NamedList<std::string>> sources;
    RooflineCeilings ceilings;
};

struct HtmlReport {
    std::string title;  ///< "Matrix multiplication, size 512"
    std::string made;   ///< below it: where and when, as it shall be read
    std::vector<HtmlSection> sections;
};

/// A page that needs nothing but itself: inline style and pictures, no script, dark and light as the reader
/// prefers. Headings, the table, charts (see charts.hpp), then each contestant: verdict and its sentence,
/// error map, first wrong elements, hints, messages, sources with line numbers; last the environment. All
/// text is escaped, and made valid UTF-8.
std::string html_report(const HtmlReport& report);

}  // namespace kwb
