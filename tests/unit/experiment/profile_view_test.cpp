// SPDX-License-Identifier: Apache-2.0
#include "experiment/profile_view.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

std::string complaint(const std::filesystem::path& file) {
    try {
        read_profile_view(file);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a profile is read as it was written") {
    const TempFolder folder;
    capture::Profile profile;
    profile.program = "./program";
    profile.pid = 7;
    profile.commands = 2;
    profile.devices.push_back({.name = "Some CPU"});
    profile.kernels.push_back({.name = "scale", .launches = 1234, .total_ms = 5});
    profile.faults.push_back({.code = "released_twice", .words = "it was released twice", .count = 1});
    const ProfileView view = read_profile_view(folder.write("p.json", capture::profile_to_json({profile})));
    CHECK(view.title == "Profile of ./program");
    CHECK(view.summary == "process 7: 2 commands");
    CHECK(view.rows.empty());
    REQUIRE(view.tables.size() == 2);
    CHECK(view.tables[0].columns[0].cells == std::vector<std::string>{"scale"});
    CHECK(view.tables[1].title == "Faults of the program");
}

TEST_CASE("a trace has a row for each thread, and a table of its events") {
    const TempFolder folder;
    const ProfileView view = read_profile_view(folder.write("t.json", R"({"traceEvents": [
        {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "GPU"}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "queue 2"}},
        {"ph": "X", "name": "scale", "cat": "kernel", "pid": 1, "tid": 2, "ts": 1000, "dur": 500},
        {"ph": "X", "name": "scale", "cat": "kernel", "pid": 1, "tid": 2, "ts": 2000, "dur": 1500},
        {"ph": "X", "name": "clFinish", "cat": "host", "pid": 9, "tid": 9, "ts": 0, "dur": 10},
        {"ph": "i", "name": "mark"}, 5, {"ph": "X", "ts": "odd"}
    ]})"));
    CHECK(view.title == "Trace t.json");
    CHECK(view.names.front() == "scale");
    const auto queue = std::ranges::find(view.rows, "GPU queue 2", &TimelineRow::label);
    REQUIRE(queue != view.rows.end());
    REQUIRE(queue->spans.size() == 2);
    CHECK(queue->spans[1].begin_ms == 2.0);
    CHECK(queue->spans[1].end_ms == 3.5);
    const XrayTable& events = view.tables.front();
    CHECK(events.columns[0].cells.front() == "scale");
    CHECK(events.columns[2].cells.front() == "2");
    // Other programs write the list alone.
    CHECK(read_profile_view(folder.write("l.json", R"([{"ph": "X", "name": "a", "ts": 0, "dur": 1}])"))
              .rows.size() == 1);
    CHECK(read_profile_view(folder.write("e.json", R"({"traceEvents": []})")).tables.empty());
}

TEST_CASE("a file that is neither a profile nor a trace is refused by its name") {
    const TempFolder folder;
    for (const char* text : {"", "{", "{}", "7", R"({"kind": "other"})", R"({"traceEvents": 7})",
                             R"({"kind": "profile", "format": 2, "kwb_version": "1", "processes": []})"}) {
        INFO(text);
        const std::string words = complaint(folder.write("x.json", text));
        CHECK(words.find("x.json: it is neither a profile") != std::string::npos);
    }
    CHECK(complaint(folder.path() / "missing.json").find("missing.json") != std::string::npos);
}
