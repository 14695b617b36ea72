// SPDX-License-Identifier: Apache-2.0
#include "report/html.hpp"

#include <fmt/format.h>

#include <kainjow/mustache.hpp>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "plot/draw.hpp"
#include "plot/palette.hpp"
#include "report/html_data.hpp"
#include "report/labels.hpp"
#include "report/notes.hpp"
#include "report/numbers.hpp"
#include "report/reason_words.hpp"
#include "report/report_template.hpp"
#include "report/sweep_map.hpp"
#include "report/text_layout.hpp"
#include "report/xray_summary.hpp"

namespace kwb {
namespace {

using namespace html;

constexpr const char* kNotMeasured = "–";

/// The table of all results of a section.
struct Table {
    bool has_times;  ///< false: nothing was timed, so there are no columns for it
    data columns{data::type::list};
    data rows{data::type::list};

    void add_row(const KernelResult& result, const std::string& label, std::size_t slot, bool with_size) {
        const bool first = columns.is_empty_list();
        data cells(data::type::list);
        const auto add = [&](const char* name, bool is_number, const std::string& text,
                             const std::string& css_class = "") {
            if (first) columns << object{{"name", name}, {"number", is_number}};
            cells << object{{"text", text},
                            {"class", text_or_false(is_number ? "number" : css_class)},
                            {"swatch", std::string(name) == "kernel"},
                            {"light", css_color(plot::light_theme().series_color(slot))},
                            {"dark", css_color(plot::dark_theme().series_color(slot))}};
        };
        const auto add_figures = [&](ResultFigure::Kind kind) {
            for (const ResultFigure& figure : result_figures()) {
                if (figure.kind != kind) continue;
                const std::string text = figure_text(figure, result);
                add(figure.header, true, text.empty() ? kNotMeasured : text);
            }
        };
        if (with_size) add("size", false, to_string(result.size));
        add("kernel", false, label);
        add_figures(ResultFigure::Kind::Cost);
        if (has_times) {
            add("median (95 % interval)", true,
                result.median_ms ? format_time_ms(*result.median_ms, result.ci95_ms) : kNotMeasured);
            add("rounds", true, std::to_string(result.samples_ms.size()));
            add_figures(ResultFigure::Kind::Rate);
            add("speed-up", false,
                result.speedup ? format_speedup(*result.speedup, Wording::Short) : kNotMeasured);
        }
        add("verdict", false, verdict_words(result), "verdict " + tone_class(result));
        rows << object{{"cells", cells}};
    }
};

std::vector<std::string> table_notes(const std::vector<KernelResult>& all) {
    std::vector<std::string> notes;
    if (std::ranges::any_of(all, is_timed))
        notes.emplace_back(
            "Intervals hold the true median with 95 % confidence within this run; drift between runs is "
            "larger.");
    for (const KernelResult& result : all)
        if (result.speedup) {
            notes.push_back("Speed-ups are against " + printable(result.speedup->to) +
                            " (above 1: faster), as medians of the ratios within each round.");
            break;
        }
    if (const std::string sizes = explain_sizes(all); !sizes.empty()) notes.push_back(sizes);
    if (const std::string seed = explain_seed(all); !seed.empty()) notes.push_back(seed);
    if (const std::string xray = explain_xray(all); !xray.empty()) notes.push_back(xray);
    return notes;
}

data run_charts(const HtmlSection& section, const std::vector<std::string>& labels) {
    constexpr plot::Size kSize{640, 380};
    data charts(data::type::list);
    const auto add = [&](const plot::Chart& chart) {
        if (plot::has_data(chart)) charts << chart_pictures(chart, kSize);
    };
    if (section.results.size() > 1) {
        std::vector<std::vector<KernelResult>> results;
        for (const auto& list : section.results) results.emplace_back(list.begin(), list.end());
        const ChartedSweep sweep{section.sizes, results, labels, section.environment.device};
        add(sweep_chart(sweep));
        add(sweep_chart(sweep, SweepMeasure::Time));
        if (labels.size() > 2)
            charts << object{{"light_svg", sweep_map_svg(sweep, plot::light_theme())},
                             {"dark_svg", sweep_map_svg(sweep, plot::dark_theme())}};
        return charts;
    }
    if (section.results.empty()) return charts;
    const ChartedRun run{section.results.front(), labels, section.baseline, section.environment.device};
    // Without any time these charts would show only verdicts, which are in the table already.
    const bool any_timed = std::any_of(run.results.begin(), run.results.end(), &is_timed);
    if (run.results.size() == 1 && run.results.front().samples_ms.size() < 2) return charts;
    if (any_timed) {
        add(time_chart(run));
        if (labels.size() > 1) add(speedup_chart(run));
        add(distribution_chart(run));
    }
    add(rounds_chart(run));
    add(phases_chart(run));
    if (section.ceilings.gflops || section.ceilings.gbytes_s) add(roofline_chart(run, section.ceilings));
    return charts;
}

/// The result to describe in detail: the first size with a fault, else the last size.
const KernelResult* worth_telling(const HtmlSection& section, std::size_t contestant) {
    const KernelResult* told = nullptr;
    for (const auto& results : section.results) {
        if (contestant >= results.size()) continue;
        told = &results[contestant];
        if (!is_good(told->verdict) || !told->as_expected()) return told;
    }
    return told;
}

/// "1-0": the second contestant of the first section.
std::string part_id(std::size_t section, std::size_t contestant) {
    return fmt::format("{}-{}", section, contestant);
}

data kernel_parts(const HtmlSection& section, std::size_t index, const std::vector<std::string>& labels,
                  const std::set<std::size_t>& linked) {
    data kernels(data::type::list);
    for (std::size_t k = 0; k < labels.size(); ++k) {
        const KernelResult* result = worth_telling(section, k);
        if (result == nullptr) continue;
        KernelPart part{*result,
                        labels[k],
                        part_id(index, k),
                        k,
                        linked.contains(k),
                        nullptr,
                        section.results.size() > 1};
        if (k < section.sources.size()) part.sources = &section.sources[k];
        kernels << kernel_part(part);
    }
    return kernels;
}

data environment_rows(const Environment& environment) {
    data rows(data::type::list);
    for (const auto& [name, value] : {std::pair{"Device", environment.device},
                                      {"Platform", environment.platform},
                                      {"Driver", environment.driver},
                                      {"OpenCL C", environment.opencl_c},
                                      {"Host CPU", environment.host_cpu},
                                      {"Sandbox", environment.sandbox},
                                      {"Workbench", environment.kwb_version}})
        if (!value.empty()) rows << object{{"name", name}, {"value", printable(value)}};
    return rows;
}

data table_part(const XrayTable& table) {
    const auto headers = list_of(table.columns, [](const XrayTable::Column& column) {
        return object{{"name", printable(column.header)}, {"number", column.is_number}};
    });
    constexpr std::size_t kLongCell = 60;
    data rows(data::type::list);
    for (std::size_t row = 0; row < table.columns.front().cells.size(); ++row)
        rows << object{{"cells", list_of(table.columns, [&](const XrayTable::Column& column) {
                            const std::string& text = column.cells[row];
                            std::vector<std::string> classes;
                            if (column.is_number)
                                classes.emplace_back("number");
                            else if (text.size() > kLongCell)
                                classes.emplace_back("text");
                            if (column.is_bad(row)) classes.emplace_back("warning");
                            return object{
                                {"text", printable(text)},
                                {"link", text_or_false(row < column.links.size() ? column.links[row] : "")},
                                {"class", text_or_false(join(classes, " "))}};
                        })}};
    return object{{"title", printable(table.title)}, {"columns", headers}, {"rows", rows}};
}

/// The lines of a side of a reason, each with its link if the page has the source.
/// @param linked  receives the contestant if there is a link
data reason_places(const HtmlSection& section, std::size_t index, std::size_t contestant,
                   const std::vector<XrayPlace>& places, std::set<std::size_t>& linked) {
    const auto file_of = [&](const XrayPlace& place) -> std::optional<std::size_t> {
        if (contestant >= section.sources.size() || section.sources[contestant].empty()) return std::nullopt;
        if (place.file.empty()) return 0;
        const auto& files = section.sources[contestant];
        const auto found = std::ranges::find(files, place.file, &Named<std::string>::name);
        if (found == files.end()) return std::nullopt;
        return static_cast<std::size_t>(found - files.begin());
    };
    data list(data::type::list);
    std::set<std::string> seen;
    for (const XrayPlace& place : places) {
        const std::string text =
            (place.file.empty() ? "line " : place.file + ":") + std::to_string(place.line);
        if (place.line == 0 || !seen.insert(text).second) continue;
        const auto file = file_of(place);
        if (file) linked.insert(contestant);
        list << data(object{{"text", printable(text)},
                            {"follows", list.is_non_empty_list()},
                            {"link", file ? data("#" + line_id(part_id(index, contestant), *file, place.line))
                                          : data(false)}});
    }
    return list;
}

/// Why one kernel is faster; false if nothing is known about it.
/// @param linked  receives the contestants with links to their lines
data why_part(const HtmlSection& section, std::size_t index, std::set<std::size_t>& linked) {
    if (section.results.size() != 1) return false;
    const Explanation why = explain(section.results.front(), section.baseline, section.cache_bytes);
    const bool has_experiments = !why.experiments.columns.front().cells.empty();
    if (why.lists.empty() && !has_experiments && why.obstacles.empty()) return false;
    const auto item = [&](const ReasonList::Item& each) {
        data sides(data::type::list);
        for (const auto& [contestant, side] :
             {std::pair{why.faster, &each.reason.faster}, std::pair{why.slower, &each.reason.slower}})
            if (const data places = reason_places(section, index, contestant, side->places, linked);
                places.is_non_empty_list())
                sides << data(
                    object{{"label", printable(contestant_label(section.results.front()[contestant]))},
                           {"places", places}});
        return object{{"words", printable(each.words)},
                      {"basis", printable(basis_words(each.reason))},
                      {"sides", sides}};
    };
    return object{{"lists", list_of(why.lists,
                                    [&](const ReasonList& list) {
                                        return object{{"lead", printable(list.lead)},
                                                      {"has_items", !list.items.empty()},
                                                      {"items", list_of(list.items, item)}};
                                    })},
                  {"experiments", has_experiments ? table_part(why.experiments) : data(false)},
                  {"obstacles", list_of(why.obstacles, printable)}};
}

bool are_equal(const Environment& a, const Environment& b) {
    const auto fields = [](const Environment& each) {
        return std::tie(each.device, each.platform, each.driver, each.opencl_c, each.host_cpu,
                        each.kwb_version, each.sandbox);
    };
    return fields(a) == fields(b);
}

/// What sections of a page share is told in one of them.
struct Told {
    std::set<std::string> notes;
    std::vector<const HtmlSection*> left;  ///< from the last section to the next

    std::vector<std::string> new_notes(std::vector<std::string> all) {
        std::erase_if(all, [&](const std::string& note) { return !notes.insert(note).second; });
        return all;
    }
    /// Empty if it follows with a later section.
    data environment_of(const HtmlSection& section) {
        left.pop_back();
        const bool follows = std::ranges::any_of(left, [&](const HtmlSection* later) {
            return are_equal(later->environment, section.environment);
        });
        return follows ? data(data::type::list) : environment_rows(section.environment);
    }
};

data section_part(const HtmlSection& section, std::size_t index, Told& told) {
    std::vector<KernelResult> all;
    std::vector<std::string> labels;
    bool has_times = false;
    for (const auto& results : section.results) {
        all.insert(all.end(), results.begin(), results.end());
        // If a sweep ended early, its last lists may be shorter than the first one.
        if (results.size() > labels.size()) labels = make_labels(results);
        has_times = has_times || std::ranges::any_of(results, [](const KernelResult& each) {
                        return each.median_ms.has_value();
                    });
    }
    Table table{has_times};
    const data charts = run_charts(section, labels);
    for (const auto& results : section.results)
        for (std::size_t k = 0; k < results.size(); ++k)
            table.add_row(results[k], labels[k], k, section.results.size() > 1);
    std::set<std::size_t> linked;
    const data why = why_part(section, index, linked);
    const data environment = told.environment_of(section);
    return object{{"heading", text_or_false(printable(section.heading))},
                  {"why", why},
                  {"when", text_or_false(printable(section.when))},
                  {"lead", text_or_false(printable(section.lead))},
                  {"columns", table.columns},
                  {"rows", table.rows},
                  {"table_notes", list_of(told.new_notes(table_notes(all)))},
                  {"has_charts", charts.is_non_empty_list()},
                  {"charts", charts},
                  {"kernels", kernel_parts(section, index, labels, linked)},
                  {"has_environment", environment.is_non_empty_list()},
                  {"environment", environment}};
}

/// How often the elements of a kernel's buffers are loaded and stored.
data maps_part(const ObservedKernel& kernel) {
    constexpr float kSide = 220;
    data pictures(data::type::list);
    const auto add = [&](const plot::CountMap& map, const std::string& name) {
        const std::string title = printable(name);
        pictures << object{{"light_svg", plot::count_map_svg(map, title, kSide, false)},
                           {"dark_svg", plot::count_map_svg(map, title, kSide, true)}};
    };
    for (const BufferMaps& maps : buffer_maps(kernel.report)) {
        const XrayBuffer& buffer = kernel.report.buffers[maps.buffer];
        if (buffer.loads > 0) add(maps.loads, maps.name + ": loads");
        if (buffer.stores > 0) add(maps.stores, maps.name + ": stores");
    }
    return object{{"kernel", printable(kernel.label)}, {"pictures", pictures}};
}

/// X-ray's section; false if nothing was observed.
data observed_part(const std::vector<ObservedKernel>& kernels) {
    if (kernels.empty()) return data(false);
    std::vector<std::string> undefined, remarks;
    for (const ObservedKernel& kernel : kernels) {
        for (const std::string& sentence : xray_findings(kernel))
            undefined.push_back(printable(kernel.label + ": " + sentence));
        for (const std::string& sentence : xray_remarks(kernel))
            remarks.push_back(printable(kernel.label + ": " + sentence));
    }
    std::vector<ObservedKernel> observed;
    std::ranges::copy_if(kernels, std::back_inserter(observed),
                         [](const ObservedKernel& kernel) { return !kernel.report.launches.empty(); });
    std::vector<XrayTable> tables = xray_tables(kernels);
    const std::string marks = explain_marks(tables, kernels.size());
    for (XrayTable& table : gpu_tables(kernels)) tables.push_back(std::move(table));
    return object{{"has_undefined", !undefined.empty()},   {"undefined", list_of(undefined)},
                  {"tables", list_of(tables, table_part)}, {"has_maps", !observed.empty()},
                  {"maps", list_of(observed, maps_part)},  {"marks", text_or_false(marks)},
                  {"terms", xray_terms(kernels)},          {"remarks", list_of(remarks)}};
}

data comparison_part(const HtmlComparison& comparison) {
    const auto number = [](std::optional<std::size_t> line) { return line ? std::to_string(*line) : ""; };
    return object{{"heading", text_or_false(printable(comparison.heading))},
                  {"lead", text_or_false(printable(comparison.lead))},
                  {"left", printable(comparison.left)},
                  {"right", printable(comparison.right)},
                  {"rows", list_of(comparison.rows, [&](const HtmlComparison::Row& row) {
                       return object{{"different", row.is_different},
                                     {"left_line", number(row.left_line)},
                                     {"left", printable(row.left)},
                                     {"right_line", number(row.right_line)},
                                     {"right", printable(row.right)}};
                   })}};
}

}  // namespace

std::string html_report(const HtmlReport& report) {
    constexpr plot::Size kWideChart{960, 380};
    std::size_t index = 0;
    Told told;
    for (const HtmlSection& section : report.sections) told.left.insert(told.left.begin(), &section);
    data pictures(data::type::list);
    if (!report.light_svg.empty())
        pictures << object{{"light_svg", report.light_svg}, {"dark_svg", report.dark_svg}};
    for (const plot::Chart& chart : report.charts) pictures << chart_pictures(chart, kWideChart);
    const object page = {{"title", printable(report.title)},
                         {"made", printable(report.made)},
                         {"pictures", pictures},
                         {"tables", list_of(report.tables, table_part)},
                         {"version", kwb_version()},
                         {"sections", list_of(report.sections,
                                              [&](const HtmlSection& section) {
                                                  return section_part(section, index++, told);
                                              })},
                         {"observed", observed_part(report.observed)},
                         {"comparisons", list_of(report.comparisons, comparison_part)}};
    kainjow::mustache::mustache page_template(kReportTemplate);
    const std::string text = page_template.render(page);
    expects(page_template.is_valid(), "assets/report/report.mustache is no valid template");
    return text;
}

}  // namespace kwb
