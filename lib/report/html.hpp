// SPDX-License-Identifier: Apache-2.0
// Results as one self-contained HTML page.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/result.hpp"
#include "report/charts.hpp"
#include "report/xray_report.hpp"

namespace kwb {

/// A run or a sweep over sizes, as a section of the page. The spans must stay valid during html_report().
struct HtmlSection {
    std::string heading;  ///< empty: the page's title is enough
    std::string when;     ///< time as shown to the reader; may be empty
    std::string lead;     ///< a sentence above the table, e.g. why the run failed; may be empty
    Environment environment;
    std::vector<Sizes> sizes;  ///< of a sweep: one per list of `results`; else one or none
    std::vector<std::span<const KernelResult>> results;  ///< one list per size, all of the same contestants
    std::size_t baseline = 0;                            ///< index into each list, for speed-ups
    std::uint64_t cache_bytes = 0;                       ///< as of explain()
    /// The source files of each contestant, its main file first: name → text. Contestants beyond the end of
    /// this list have unknown sources.
    std::vector<NamedList<std::string>> sources;
    RooflineCeilings ceilings;
};

/// Two texts side by side.
struct HtmlComparison {
    struct Row {
        std::optional<std::size_t> left_line = {}, right_line = {};  ///< from 1; nullopt: only the other side
        std::string left = {}, right = {};
        bool is_different = false;
    };
    std::string heading;  ///< may be empty
    std::string lead;     ///< a sentence; may be empty
    std::string left, right;
    std::vector<Row> rows;
};

struct HtmlReport {
    std::string title;                          ///< "Matrix multiplication, size 512"
    std::string made = {};                      ///< below the title: where and when, as shown to the reader
    std::string light_svg = {}, dark_svg = {};  ///< a picture before the tables, for both themes; empty: none
    std::vector<plot::Chart> charts = {};       ///< behind it
    std::vector<HtmlSection> sections = {};
    std::vector<ObservedKernel> observed = {};  ///< by X-ray, side by side
    std::vector<XrayTable> tables = {};         ///< before the sections
    std::vector<HtmlComparison> comparisons = {};
};

/// A self-contained page: inline style and pictures, no scripts, a dark and a light theme chosen by the
/// reader's preference. It holds headings, the table, of a run at one size why a kernel is faster, charts
/// (see charts.hpp), then for each contestant the verdict and its reason, error map, first wrong elements,
/// hints, messages, sources with line numbers; the environment comes last. All text is escaped and made valid
/// UTF-8.
std::string html_report(const HtmlReport& report);

}  // namespace kwb
