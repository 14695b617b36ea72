#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "plot/draw.hpp"
#include "report/chart_parts.hpp"
#include "report/figures.hpp"
#include "report/html_parts.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"
#include "report/report_template.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace html_parts {

data text_or_false(const std::string& text) {
    return text.empty() ? data(false) : data(text);
}

data list_of(const std::vector<std::string>& texts) {
    data list(data::type::list);
    for (const std::string& text : texts) list << data(text);
    return list;
}

std::string css_color(plot::Color color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

std::string tone_class(const KernelResult& result) {
    switch (verdict_cell(result).tone) {
        case Tone::Good:
            return "good";
        case Tone::Warning:
            return "warning";
        default:
            return "bad";
    }
}

std::string verdict_words(const KernelResult& result) {
    std::string words = verdict_cell(result).text;
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

data chart_pictures(const plot::Chart& chart, plot::Size size) {
    data pictures;
    plot::SvgOptions options;
    options.size = size;
    pictures.set("light_svg", plot::render_svg(chart, options));
    options.dark = true;
    pictures.set("dark_svg", plot::render_svg(chart, options));
    return pictures;
}

namespace {

constexpr const char* kMissing = "–";

class Table {
public:
    explicit Table(const HtmlSection& section, const std::vector<std::string>& labels) {
        const bool with_size = section.results.size() > 1;
        for (const auto& results : section.results)
            for (std::size_t k = 0; k < results.size(); ++k) add_row(results[k], labels[k], k, with_size);
    }

    data columns() const { return columns_; }
    data rows() const { return rows_; }

private:
    void add_row(const KernelResult& result, const std::string& label, std::size_t slot, bool with_size) {
        const bool first = columns_.is_empty_list();
        data cells(data::type::list);
        const auto add = [&](const char* name, bool is_number, const std::string& text,
                             const std::string& css_class = "") {
            if (first) {
                data column;
                column.set("name", name);
                column.set("number", is_number);
                columns_ << column;
            }
            data cell;
            cell.set("text", text);
            cell.set("class", text_or_false(is_number ? "number" : css_class));
            cell.set("swatch", std::string(name) == "kernel");
            cell.set("light", css_color(plot::light_theme().series_color(slot)));
            cell.set("dark", css_color(plot::dark_theme().series_color(slot)));
            cells << cell;
        };
        const auto add_figures = [&](ResultFigure::Kind kind) {
            for (const ResultFigure& figure : result_figures()) {
                if (figure.kind != kind) continue;
                const std::string text = figure_text(figure, result);
                add(figure.header, true, text.empty() ? kMissing : text);
            }
        };
        if (with_size) add("size", false, to_string(result.size));
        add("kernel", false, label);
        add_figures(ResultFigure::Kind::Cost);
        add("median (95 % interval)", true,
            result.median_ms ? format_time_ms(*result.median_ms, result.ci95_ms) : kMissing);
        add("rounds", true, std::to_string(result.samples_ms.size()));
        add_figures(ResultFigure::Kind::Rate);
        add("speed-up", false, result.speedup ? format_speedup(*result.speedup, Wording::Short) : kMissing);
        add("verdict", false, verdict_words(result), "verdict " + tone_class(result));
        data row;
        row.set("cells", std::move(cells));
        rows_ << row;
    }

    data columns_{data::type::list};
    data rows_{data::type::list};
};

std::vector<std::string> table_notes(const std::vector<KernelResult>& all) {
    std::vector<std::string> notes = {
        "Intervals hold the true median with 95 % confidence, within this run; drift between runs is "
        "larger."};
    for (const KernelResult& result : all)
        if (result.speedup) {
            notes.push_back("Speed-ups refer to " + printable(result.speedup->to) +
                            " (above 1: faster) and are medians of the ratios within each round.");
            break;
        }
    if (const std::string sizes = explain_sizes(all); !sizes.empty()) notes.push_back(sizes);
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
        return charts;
    }
    if (section.results.empty()) return charts;
    const ChartedRun run{section.results.front(), labels, section.baseline, section.environment.device};
    // Without any time these charts would show only verdicts, which are in the table already.
    const bool any_timed = std::any_of(run.results.begin(), run.results.end(), &chart_parts::is_timed);
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
        if (told->verdict != Verdict::Correct || !told->as_expected()) return told;
    }
    return told;
}

data kernel_parts(const HtmlSection& section, const std::vector<std::string>& labels) {
    data kernels(data::type::list);
    for (std::size_t k = 0; k < labels.size(); ++k) {
        const KernelResult* result = worth_telling(section, k);
        if (result == nullptr) continue;
        KernelPart part{*result, labels[k], k, nullptr, section.results.size() > 1};
        if (k < section.sources.size()) part.sources = &section.sources[k];
        kernels << kernel_part(part);
    }
    return kernels;
}

data environment_rows(const Environment& environment) {
    data rows(data::type::list);
    const auto add = [&](const char* name, const std::string& value) {
        if (value.empty()) return;
        data row;
        row.set("name", name);
        row.set("value", printable(value));
        rows << row;
    };
    add("Device", environment.device);
    add("Platform", environment.platform);
    add("Driver", environment.driver);
    add("OpenCL C", environment.opencl_c);
    add("Host processor", environment.host_cpu);
    add("Sandbox", environment.sandbox);
    add("Workbench", environment.kwb_version);
    return rows;
}

data section_part(const HtmlSection& section) {
    std::vector<KernelResult> all;
    std::vector<std::string> labels;
    for (const auto& results : section.results) {
        all.insert(all.end(), results.begin(), results.end());
        // If a sweep ended early, its last lists may be shorter than the first one.
        if (results.size() > labels.size()) labels = make_labels(results);
    }
    const Table table(section, labels);
    data part;
    part.set("heading", text_or_false(printable(section.heading)));
    part.set("when", text_or_false(printable(section.when)));
    part.set("lead", text_or_false(printable(section.lead)));
    part.set("columns", table.columns());
    part.set("rows", table.rows());
    part.set("table_notes", list_of(table_notes(all)));
    part.set("charts", run_charts(section, labels));
    part.set("kernels", kernel_parts(section, labels));
    part.set("environment", environment_rows(section.environment));
    return part;
}

}  // namespace
}  // namespace html_parts

std::string html_report(const HtmlReport& report) {
    using html_parts::data;
    data page;
    page.set("title", printable(report.title));
    page.set("made", printable(report.made));
    page.set("version", kwb_version());
    data sections(data::type::list);
    for (const HtmlSection& section : report.sections) sections << html_parts::section_part(section);
    page.set("sections", std::move(sections));
    kainjow::mustache::mustache page_template(kReportTemplate);
    const std::string text = page_template.render(page);
    expects(page_template.is_valid(), "assets/report/report.mustache is no valid template");
    return text;
}

}  // namespace kwb
