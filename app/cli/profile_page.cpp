// SPDX-License-Identifier: Apache-2.0
#include "profile_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.hpp"
#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/timeline.hpp"

namespace kwb::cli {
namespace {

using capture::Profile;
using capture::TraceEvent;

constexpr std::size_t kMostTimelineRows = 24;
constexpr std::size_t kMostTableRows = 200;
constexpr double kNsPerMs = 1e6;

/// Queues first, then threads of the host, by the host's clock.
std::vector<TimelineRow> timeline_rows(const Profile& profile) {
    const std::map<std::uint32_t, std::int64_t> offsets = capture::clock_offsets(profile);
    std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, TimelineRow> rows;
    // Times of nanoseconds since the system's start have too many digits.
    const std::uint64_t zero = profile.trace.empty() ? 0 : profile.trace.front().host_ns;
    const auto ms_of = [&](std::uint64_t ns, std::int64_t offset) {
        return static_cast<double>(static_cast<std::int64_t>(ns - zero) + offset) / kNsPerMs;
    };
    for (const TraceEvent& event : profile.trace) {
        const bool is_host = event.kind.empty();
        const std::tuple key(is_host, event.device, is_host ? event.thread : event.queue);
        if (!rows.contains(key) && rows.size() == kMostTimelineRows) continue;
        TimelineRow& row = rows[key];
        row.label = is_host ? fmt::format("thread {}", event.thread) : fmt::format("queue {}", event.queue);
        if (is_host)
            row.spans.push_back(
                {event.name, ms_of(event.host_ns, 0), ms_of(event.host_ns + event.host_duration_ns, 0)});
        else
            row.spans.push_back({event.name, ms_of(event.start_ns, offsets.at(event.device)),
                                 ms_of(event.end_ns, offsets.at(event.device))});
    }
    std::vector<TimelineRow> list;
    for (auto& [key, row] : rows) list.push_back(std::move(row));
    return list;
}

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
    std::vector<std::string> names;  // the longest first
    for (const capture::ProfiledKernel& kernel : busiest->kernels) names.push_back(kernel.name);
    ThemedSvg timeline = timeline_svg(timeline_rows(*busiest), std::move(names));
    report.light_svg = std::move(timeline.light);
    report.dark_svg = std::move(timeline.dark);
    return html_report(report);
}

}  // namespace kwb::cli
