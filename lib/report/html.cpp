// SPDX-License-Identifier: Apache-2.0
#include "report/html.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <kainjow/mustache.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "plot/draw.hpp"
#include "plot/palette.hpp"
#include "plot/png.hpp"
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

using kainjow::mustache::data;
using kainjow::mustache::object;

/// The text, or false if it is empty, so that the template leaves out its section.
data text_or_false(const std::string& text) {
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
data list_of(const std::vector<std::string>& texts) {
    return list_of(texts, [](const std::string& text) { return text; });
}

/// A chart colour in CSS notation, "#0072b2".
std::string css_color(plot::Color color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

/// The CSS class for the verdict: "good", "bad", "undefined", "warning" or none.
std::string tone_class(const KernelResult& result) {
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
std::string verdict_words(const KernelResult& result) {
    std::string words = verdict_cell(result).text;
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

/// The chart as SVG, in the light and in the dark theme.
data chart_pictures(const plot::Chart& chart, plot::Size size) {
    return object{{"light_svg", plot::render_svg(chart, {.size = size})},
                  {"dark_svg", plot::render_svg(chart, {.size = size, .dark = true})}};
}

// The section about one contestant.

/// The id of a line of a contestant's source, for links: "1-0-line-49".
std::string line_id(const std::string& part, std::size_t file, std::size_t line) {
    return fmt::format("{}-{}-line-{}", part, file, line);
}

struct KernelPart {
    const KernelResult& result;
    const std::string& label;
    std::string id;  ///< of the page's parts, "1"
    std::size_t slot = 0;
    bool is_linked = false;                           ///< its lines
    const NamedList<std::string>* sources = nullptr;  ///< null: unknown
    bool names_size = false;
};

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

// The page.

constexpr const char* kNotMeasured = "–";

/// The table of all results of a section.
struct Table {
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
        add("median (95 % interval)", true,
            result.median_ms ? format_time_ms(*result.median_ms, result.ci95_ms) : kNotMeasured);
        add("rounds", true, std::to_string(result.samples_ms.size()));
        add_figures(ResultFigure::Kind::Rate);
        add("speed-up", false,
            result.speedup ? format_speedup(*result.speedup, Wording::Short) : kNotMeasured);
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
    Table table;
    for (const auto& results : section.results) {
        all.insert(all.end(), results.begin(), results.end());
        // If a sweep ended early, its last lists may be shorter than the first one.
        if (results.size() > labels.size()) labels = make_labels(results);
    }
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
    std::size_t index = 0;
    Told told;
    for (const HtmlSection& section : report.sections) told.left.insert(told.left.begin(), &section);
    const object page = {
        {"title", printable(report.title)},
        {"made", printable(report.made)},
        {"picture", report.light_svg.empty()
                        ? data(false)
                        : data(object{{"light_svg", report.light_svg}, {"dark_svg", report.dark_svg}})},
        {"tables", list_of(report.tables, table_part)},
        {"version", kwb_version()},
        {"sections",
         list_of(report.sections,
                 [&](const HtmlSection& section) { return section_part(section, index++, told); })},
        {"observed", observed_part(report.observed)},
        {"comparisons", list_of(report.comparisons, comparison_part)}};
    kainjow::mustache::mustache page_template(kReportTemplate);
    const std::string text = page_template.render(page);
    expects(page_template.is_valid(), "assets/report/report.mustache is no valid template");
    return text;
}

}  // namespace kwb
