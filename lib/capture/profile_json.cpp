// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "base/record_json.hpp"
#include "base/record_schema.hpp"
#include "base/version.hpp"
#include "capture/profile_fields.hpp"

namespace kwb {

namespace capture {
namespace {

constexpr double kNsPerUs = 1e3;
/// Perfetto shows devices as processes of their own.
constexpr std::int64_t kDevicePids = 1'000'000'000;

double us(std::uint64_t ns) {
    return static_cast<double>(ns) / kNsPerUs;
}

Json name_of(const char* what, std::int64_t pid, std::int64_t tid, const std::string& name) {
    return {{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", tid}, {"args", {{"name", name}}}};
}

void add_process(Json& events, const Profile& profile, std::int64_t number) {
    const std::map<std::uint32_t, std::int64_t> offsets = clock_offsets(profile);
    const auto device_pid = [&](std::uint32_t device) { return kDevicePids + 100 * number + device; };
    events.push_back(name_of("process_name", profile.pid, 0, profile.program));
    for (std::uint32_t i = 0; i < profile.devices.size(); ++i)
        events.push_back(name_of("process_name", device_pid(i), 0, profile.devices[i].name));
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> named;
    for (const TraceEvent& event : profile.trace) {
        if (event.kind.empty()) {
            events.push_back({{"ph", "X"},
                              {"name", event.name},
                              {"cat", "host"},
                              {"pid", profile.pid},
                              {"tid", event.thread},
                              {"ts", us(event.host_ns)},
                              {"dur", us(event.host_duration_ns)}});
            continue;
        }
        const std::int64_t offset = offsets.at(event.device);
        if (!std::exchange(named[{event.device, event.queue}], true))
            events.push_back(name_of("thread_name", device_pid(event.device), event.queue,
                                     "queue " + std::to_string(event.queue)));
        Json args = {{"queued_us", us(event.start_ns - event.queued_ns)}};
        if (event.bytes > 0) args["bytes"] = event.bytes;
        events.push_back({{"ph", "X"},
                          {"name", event.name},
                          {"cat", event.kind},
                          {"pid", device_pid(event.device)},
                          {"tid", event.queue},
                          {"ts", us(event.start_ns + static_cast<std::uint64_t>(offset))},
                          {"dur", us(event.end_ns - event.start_ns)},
                          {"args", std::move(args)}});
    }
}

}  // namespace

std::string profile_to_json(const std::vector<Profile>& processes) {
    return dump_json(write_json(ProfileDocument{.kwb_version = kwb_version(), .processes = processes},
                                JsonUse::Document),
                     2) +
           "\n";
}

std::vector<Profile> profile_from_json(const std::string& text) {
    const Json json = parse_json(text);
    const JsonPlace place(json, "profile");
    ProfileDocument document;
    read_json(place, document);
    if (document.kind != ProfileDocument{}.kind) place.at("kind").refuse("\"profile\"");
    if (document.format != ProfileDocument{}.format)
        place.at("format").refuse(fmt::format("{}, which this version reads", ProfileDocument{}.format));
    for (const Profile& profile : document.processes)
        for (const ProfiledKernel& kernel : profile.kernels)
            if (kernel.device >= profile.devices.size())
                place.refuse("a profile whose kernels have a device");
    return std::move(document.processes);
}

std::string profile_schema() {
    return dump_json(Schema().document<ProfileDocument>("Profile of kwb profile, written by --json"), 2) +
           "\n";
}

std::string trace_to_json(const std::vector<Profile>& processes) {
    Json events = Json::array();
    Json notes = Json::array();
    for (std::size_t i = 0; i < processes.size(); ++i) {
        add_process(events, processes[i], static_cast<std::int64_t>(i));
        if (processes[i].trace_stride > 1)
            notes.push_back("one of every " + std::to_string(processes[i].trace_stride) + " events, of " +
                            std::to_string(processes[i].trace_seen) + ", of process " +
                            std::to_string(processes[i].pid));
    }
    return dump_json({{"displayTimeUnit", "ns"},
                      {"otherData", {{"made_by", "kwb profile"}, {"sampled", std::move(notes)}}},
                      {"traceEvents", std::move(events)}}) +
           "\n";
}

}  // namespace capture
}  // namespace kwb
