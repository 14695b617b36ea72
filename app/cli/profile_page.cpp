// SPDX-License-Identifier: Apache-2.0
#include "profile_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.hpp"
#include "plot/palette.hpp"
#include "plot/svg_canvas.hpp"
#include "report/html.hpp"
#include "report/numbers.hpp"

namespace kwb::cli {
namespace {

using capture::Profile;
using capture::TraceEvent;

constexpr std::size_t kMostTimelineRows = 24;
constexpr std::size_t kMostTableRows = 200;
constexpr float kLabelPx = 150, kPlotPx = 850, kRowPx = 22, kLegendPx = 22;

struct TimelineRow {
    std::string label;
    /// By pixel: which name took most of it, and for how long.
    std::vector<std::pair<std::size_t, double>> pixels{static_cast<std::size_t>(kPlotPx)};
};

/// What a profile did when; each pixel shows what took most of its time.
class Timeline {
public:
    explicit Timeline(const Profile& profile) : profile_(profile), offsets_(capture::clock_offsets(profile)) {
        for (const TraceEvent& event : profile.trace) {
            const auto [begin, end] = times_of(event);
            begin_ = std::min(begin_, begin);
            end_ = std::max(end_, end);
        }
        for (const capture::ProfiledKernel& kernel : profile.kernels)
            slot_of(kernel.name);  // the longest first
        for (const TraceEvent& event : profile.trace) add(event);
    }

    bool is_empty() const { return rows_.empty() || end_ <= begin_; }

    std::string svg(const plot::Theme& theme) const {
        const float height = kRowPx * static_cast<float>(rows_.size()) + 2 * kLegendPx + 8;
        plot::SvgCanvas canvas({kLabelPx + kPlotPx, height}, "Timeline");
        float y = 4;
        for (const auto& [key, row] : rows_) {
            canvas.text({0, y + kRowPx / 2}, row.label, {}, theme.text,
                        {plot::AlignX::Left, plot::AlignY::Middle, false});
            canvas.fill_rect({kLabelPx, y + 2, kPlotPx, kRowPx - 4}, theme.grid);
            for (std::size_t from = 0, to = 0; from < row.pixels.size(); from = to) {
                while (to < row.pixels.size() && is_same(row.pixels[to], row.pixels[from])) ++to;
                if (row.pixels[from].second > 0)
                    canvas.fill_rect({kLabelPx + static_cast<float>(from), y + 2,
                                      static_cast<float>(to - from), kRowPx - 4},
                                     color(theme, row.pixels[from].first));
            }
            y += kRowPx;
        }
        canvas.text({kLabelPx, y + 4}, "0", {}, theme.muted, {});
        canvas.text({kLabelPx + kPlotPx, y + 4}, format_time_ms((end_ - begin_) / 1e6), {}, theme.muted,
                    {plot::AlignX::Right, plot::AlignY::Top, false});
        y += kLegendPx;
        float x = kLabelPx;
        for (std::size_t slot = 0; slot < std::min(names_.size(), plot::kSeriesColors); ++slot) {
            const bool is_rest = slot + 1 == plot::kSeriesColors && names_.size() > plot::kSeriesColors;
            const std::string name = is_rest ? "others" : names_[slot].substr(0, 24);
            canvas.fill_rect({x, y + 4, 12, 12}, color(theme, slot));
            canvas.text({x + 16, y + 2}, name, {}, theme.text, {});
            x += 28 + canvas.text_width(name, {});
        }
        return canvas.finish();
    }

private:
    static bool is_same(const std::pair<std::size_t, double>& a, const std::pair<std::size_t, double>& b) {
        return (a.second > 0) == (b.second > 0) && (a.second <= 0 || a.first == b.first);
    }
    static plot::Color color(const plot::Theme& theme, std::size_t slot) {
        return theme.series_color(std::min(slot, plot::kSeriesColors - 1));
    }

    std::size_t slot_of(const std::string& name) {
        const auto [known, is_new] = slots_.emplace(name, names_.size());
        if (is_new) names_.push_back(name);
        return known->second;
    }

    /// By the host's clock.
    std::pair<double, double> times_of(const TraceEvent& event) const {
        if (event.kind.empty()) {
            const auto begin = static_cast<double>(event.host_ns);
            return {begin, begin + static_cast<double>(event.host_duration_ns)};
        }
        const auto offset = static_cast<double>(offsets_.at(event.device));
        return {static_cast<double>(event.start_ns) + offset, static_cast<double>(event.end_ns) + offset};
    }

    void add(const TraceEvent& event) {
        const bool is_host = event.kind.empty();
        const std::tuple key(is_host, event.device, is_host ? event.thread : event.queue);
        if (!rows_.contains(key) && rows_.size() == kMostTimelineRows) return;
        TimelineRow& row = rows_[key];
        if (row.label.empty())
            row.label =
                is_host ? "thread " + std::to_string(event.thread) : "queue " + std::to_string(event.queue);
        const auto [begin, end] = times_of(event);
        const double scale = kPlotPx / std::max(end_ - begin_, 1.0);
        const double from = (begin - begin_) * scale, to = std::max((end - begin_) * scale, from + 1e-3);
        const std::size_t slot = slot_of(event.name);
        const std::size_t last = std::min(static_cast<std::size_t>(to), row.pixels.size() - 1);
        for (auto pixel = std::min(static_cast<std::size_t>(from), last); pixel <= last; ++pixel) {
            const double part =
                std::min(to, static_cast<double>(pixel + 1)) - std::max(from, static_cast<double>(pixel));
            if (part > row.pixels[pixel].second) row.pixels[pixel] = {slot, part};
        }
    }

    const Profile& profile_;
    std::map<std::uint32_t, std::int64_t> offsets_;
    double begin_ = 1e300, end_ = 0;
    std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, TimelineRow> rows_;  ///< queues first
    std::map<std::string, std::size_t> slots_;
    std::vector<std::string> names_;
};

template <class Rows, class Row>
XrayTable table(const std::string& title, const Rows& rows,
                const std::vector<std::pair<std::string, std::string (*)(const Row&)>>& columns) {
    XrayTable made;
    made.title = title;
    for (const auto& [header, text_of] : columns) {
        XrayTable::Column column{.header = header, .is_number = !made.columns.empty()};
        for (std::size_t i = 0; i < std::min(rows.size(), kMostTableRows); ++i)
            column.cells.push_back(text_of(rows[i]));
        made.columns.push_back(std::move(column));
    }
    return made;
}

void add_tables(const Profile& profile, std::vector<XrayTable>& tables) {
    using namespace capture;
    const auto add = [&](XrayTable one) {
        if (!one.columns.front().cells.empty()) tables.push_back(std::move(one));
    };
    add(table<std::vector<ProfiledKernel>, ProfiledKernel>(
        "Kernels", profile.kernels,
        {{"kernel", [](const ProfiledKernel& k) { return k.name; }},
         {"launches", [](const ProfiledKernel& k) { return group_thousands(std::to_string(k.launches)); }},
         {"total", [](const ProfiledKernel& k) { return format_time_ms(k.total_ms); }},
         {"median", [](const ProfiledKernel& k) { return k.median_ms ? format_time_ms(*k.median_ms) : "-"; }},
         {"share", [](const ProfiledKernel& k) { return fmt::format("{:.1f} %", 100 * k.share); }},
         {"place", [](const ProfiledKernel& k) { return k.place.describe(); }}}));
    add(table<std::vector<ProfiledTransfers>, ProfiledTransfers>(
        "Transfers", profile.transfers,
        {{"transfer", [](const ProfiledTransfers& t) { return t.kind; }},
         {"commands", [](const ProfiledTransfers& t) { return group_thousands(std::to_string(t.count)); }},
         {"bytes", [](const ProfiledTransfers& t) { return format_bytes(t.bytes); }},
         {"total", [](const ProfiledTransfers& t) { return format_time_ms(t.total_ms); }},
         {"GB/s",
          [](const ProfiledTransfers& t) { return t.gb_per_s ? format_digits(*t.gb_per_s) : "-"; }}}));
    add(table<std::vector<ProfiledBuild>, ProfiledBuild>(
        "Builds", profile.builds,
        {{"build", [](const ProfiledBuild& b) { return b.call; }},
         {"time", [](const ProfiledBuild& b) { return format_time_ms(b.ms); }},
         {"result", [](const ProfiledBuild& b) { return b.code == 0 ? std::string("built") : b.code_name; }},
         {"place", [](const ProfiledBuild& b) { return b.place.describe(); }}}));
    add(table<std::vector<ProfiledFault>, ProfiledFault>(
        "Faults of the program", profile.faults,
        {{"place", [](const ProfiledFault& f) { return f.place.describe(); }},
         {"fault", [](const ProfiledFault& f) { return f.words; }},
         {"times", [](const ProfiledFault& f) { return std::to_string(f.count); }}}));
    add(table<std::vector<ProfiledError>, ProfiledError>(
        "Errors that the program got", profile.errors,
        {{"place", [](const ProfiledError& e) { return e.place.describe(); }},
         {"call", [](const ProfiledError& e) { return e.call; }},
         {"code", [](const ProfiledError& e) { return e.code_name; }},
         {"meaning",
          [](const ProfiledError& e) { return e.detail.empty() ? e.words : e.words + "; " + e.detail; }},
         {"times", [](const ProfiledError& e) { return std::to_string(e.count); }}}));
}

}  // namespace

std::string profile_page(const std::string& program, const std::vector<Profile>& processes) {
    HtmlReport report;
    report.title = "Profile of " + program;
    for (const Profile& profile : processes) {
        report.made += fmt::format("{}process {}: {}{}", report.made.empty() ? "" : "; ", profile.pid,
                                   counted(profile.commands, "command"),
                                   profile.span_ms ? " in " + format_time_ms(*profile.span_ms) : "");
        add_tables(profile, report.tables);
    }
    const auto busiest = std::ranges::max_element(processes, {}, &Profile::commands);
    if (busiest == processes.end()) return html_report(report);
    if (const Timeline timeline(*busiest); !timeline.is_empty()) {
        report.light_svg = timeline.svg(plot::light_theme());
        report.dark_svg = timeline.svg(plot::dark_theme());
    }
    return html_report(report);
}

}  // namespace kwb::cli
