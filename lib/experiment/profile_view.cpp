// SPDX-License-Identifier: Apache-2.0
#include "experiment/profile_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "report/numbers.hpp"

namespace kwb {
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

/// Of a trace: what took how long.
struct TracedName {
    std::string name, kind;
    std::vector<double> ms = {};
    double total_ms = 0;
};

XrayTable events_table(std::vector<TracedName> names) {
    for (TracedName& one : names) std::ranges::sort(one.ms);
    return table<std::vector<TracedName>, TracedName>(
        "Events", names,
        {{"name", [](const TracedName& t) { return t.name; }},
         {"kind", [](const TracedName& t) { return t.kind; }},
         {"events", [](const TracedName& t) { return group_thousands(std::to_string(t.ms.size())); }},
         {"total", [](const TracedName& t) { return format_time_ms(t.total_ms); }},
         {"median", [](const TracedName& t) { return format_time_ms(t.ms[t.ms.size() / 2]); }},
         {"longest", [](const TracedName& t) { return format_time_ms(t.ms.back()); }}});
}

/// Source: "Trace Event Format", Google, 2016: complete events (X), and names of processes and threads (M).
ProfileView view_of_trace(const Json& events) {
    constexpr double kUsPerMs = 1000;
    const auto text_of = [](const Json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const auto number_of = [](const Json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
    };
    std::map<double, std::string> processes;
    std::map<std::pair<double, double>, std::string> threads;
    std::map<std::pair<double, double>, TimelineRow> rows;
    std::map<std::pair<std::string, std::string>, TracedName> names;
    for (const Json& event : events) {
        if (!event.is_object()) continue;
        const double process = number_of(event, "pid"), thread = number_of(event, "tid");
        const std::string phase = text_of(event, "ph"), name = text_of(event, "name");
        if (phase == "M" && event.contains("args") && event["args"].is_object()) {
            if (name == "process_name") processes[process] = text_of(event["args"], "name");
            if (name == "thread_name") threads[{process, thread}] = text_of(event["args"], "name");
        }
        if (phase != "X") continue;
        const double begin_ms = number_of(event, "ts") / kUsPerMs, ms = number_of(event, "dur") / kUsPerMs;
        TracedName& traced = names[{name, text_of(event, "cat")}];
        traced.name = name;
        traced.kind = text_of(event, "cat");
        traced.ms.push_back(ms);
        traced.total_ms += ms;
        if (rows.size() < kMostTimelineRows || rows.contains({process, thread}))
            rows[{process, thread}].spans.push_back({name, begin_ms, begin_ms + ms});
    }
    ProfileView view;
    for (auto& [key, row] : rows) {
        const std::string& thread = threads[key];
        row.label =
            processes[key.first] + " " + (thread.empty() ? fmt::format("thread {:g}", key.second) : thread);
        view.rows.push_back(std::move(row));
    }
    std::vector<TracedName> all;
    std::size_t count = 0;
    for (auto& [key, traced] : names) {
        count += traced.ms.size();
        all.push_back(std::move(traced));
    }
    std::ranges::stable_sort(all, std::greater(), &TracedName::total_ms);
    for (const TracedName& one : all)
        if (one.kind != "host") view.names.push_back(one.name);
    view.summary = counted(count, "event");
    if (!all.empty()) view.tables.push_back(events_table(std::move(all)));
    return view;
}

}  // namespace

ProfileView profile_view(const std::string& program, const std::vector<Profile>& processes) {
    ProfileView view;
    view.title = "Profile of " + program;
    for (const Profile& profile : processes) {
        view.summary += fmt::format("{}process {}: {}{}", view.summary.empty() ? "" : "; ", profile.pid,
                                    counted(profile.commands, "command"),
                                    profile.span_ms ? " in " + format_time_ms(*profile.span_ms) : "");
        add_tables(profile, view.tables);
    }
    const auto busiest = std::ranges::max_element(processes, {}, &Profile::commands);
    if (busiest == processes.end()) return view;
    for (const capture::ProfiledKernel& kernel : busiest->kernels) view.names.push_back(kernel.name);
    view.rows = timeline_rows(*busiest);
    return view;
}

ProfileView read_profile_view(const std::filesystem::path& file) {
    constexpr std::uintmax_t kMostProfileBytes = std::uintmax_t{64} << 20;
    try {
        const std::string text = read_file(file, kMostProfileBytes);
        const Json json = parse_json(text);
        const Json* const events = json.is_array()                                    ? &json
                                   : json.is_object() && json.contains("traceEvents") ? &json["traceEvents"]
                                                                                      : nullptr;
        if (events != nullptr && events->is_array()) {
            ProfileView view = view_of_trace(*events);
            view.title = "Trace " + file.filename().string();
            return view;
        }
        const std::vector<Profile> processes = capture::profile_from_json(text);
        return profile_view(processes.empty() ? file.filename().string() : processes.front().program,
                            processes);
    } catch (const ProtocolError& error) {
        throw BadInput(fmt::format("{}: it is neither a profile of 'kwb profile --json' nor a trace: {}",
                                   file.string(), error.what()));
    }
}

}  // namespace kwb
