// SPDX-License-Identifier: Apache-2.0
// kwb profile with a program that uses OpenCL as other people's do (tests/captured/host_program.cpp).
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "base/file.hpp"
#include "base/text.hpp"
#include "capture/profile.hpp"
#include "capture/recording.hpp"
#include "kwb.hpp"
#include "support/schema_check.hpp"

namespace kwb::test {
namespace {

const NamedList<std::string> kProgramCache = {{"POCL_CACHE_DIR", KWB_TEST_CACHE}};

Finished profile(const Args& options, const std::string& name) {
    Args args = {"profile"};
    args.insert(args.end(), options.begin(), options.end());
    args.insert(args.end(), {KWB_HOST_PROGRAM, name});
    return run_kwb(args, kProgramCache);
}

/// The processes of the profile.
nlohmann::json profile_json(const std::string& name, int exit_code) {
    const TempFolder folder;
    const std::string file = (folder.path() / "profile.json").string();
    const Finished finished = profile({"--json", file}, name);
    INFO(name, ": ", finished.err);
    CHECK(finished.exit_code == exit_code);
    return nlohmann::json::parse(read_file(file)).at("processes");
}

/// The cases of the program with a fault, and the lines below their marks.
std::map<std::string, int> marked_lines() {
    std::map<std::string, int> lines;
    const std::vector<std::string> source = split_lines(read_file(KWB_CAPTURED "/host_program.cpp"));
    for (std::size_t i = 0; i < source.size(); ++i)
        if (const std::size_t at = source[i].find("// here: "); at != std::string::npos && i > 10)
            lines[source[i].substr(at + 9)] = static_cast<int>(i) + 2;
    return lines;
}

/// The code of each fault and error of the process that is at this line.
std::vector<std::string> named_at(const nlohmann::json& process, int line) {
    std::vector<std::string> codes;
    const auto add = [&](const char* list, const char* key) {
        for (const nlohmann::json& row : process.at(list))
            if (row.at("place").at("line") == line &&
                row.at("place").at("file").get<std::string>().ends_with("host_program.cpp"))
                codes.push_back(row.at(key).get<std::string>());
    };
    add("faults", "code");
    add("errors", "code_name");
    add("unreleased", "kind");
    return codes;
}

}  // namespace

TEST_CASE("kernels, transfers, builds and gaps of a program, whose own output and code stay") {
    const TempFolder folder;
    const std::string trace = (folder.path() / "trace.json").string();
    const Finished finished = profile({"--trace", trace}, "right_simple");
    INFO(finished.err);
    CHECK(finished.exit_code == 0);
    CHECK(finished.out == "");
    CHECK_SAYS(finished.err, "2 commands in", "scale", "100.0 %", "1024 in 64", "read", "4 KiB",
               "clBuildProgram", "built", "busy for");
    CHECK(finished.err.find("Faults") == std::string::npos);
    CHECK(finished.err.find("Never released") == std::string::npos);

    const nlohmann::json events = nlohmann::json::parse(read_file(trace)).at("traceEvents");
    const auto has = [&](const char* category, const char* name) {
        return std::ranges::any_of(events, [&](const nlohmann::json& event) {
            return event.value("cat", "") == category && event.at("name") == name && event.at("ph") == "X" &&
                   event.at("dur").get<double>() > 0;
        });
    };
    CHECK(has("kernel", "scale"));
    CHECK(has("read", "clEnqueueReadBuffer"));
    CHECK(has("host", "clBuildProgram"));
}

TEST_CASE("the page of a profile has a timeline and tables, and its JSON is as the schema says") {
    const TempFolder folder;
    const std::string page = (folder.path() / "page.html").string(),
                      json = (folder.path() / "profile.json").string();
    const Finished finished = profile({"--report", page, "--json", json}, "right_simple");
    INFO(finished.err);
    CHECK(finished.exit_code == 0);
    const std::string html = read_file(page);
    CHECK_SAYS(html, "<svg", "queue 1", "Kernels", "scale", "clBuildProgram");
    // To accept a change: KWB_WRITE_SCHEMAS=$PWD/schema
    if (const char* into = std::getenv("KWB_WRITE_SCHEMAS"))
        write_file(std::filesystem::path(into) / "profile.schema.json", capture::profile_schema());
    CHECK(read_file(KWB_SCHEMA_DIR "/profile.schema.json") == capture::profile_schema());
    CHECK(schema_complaints("profile.schema.json", nlohmann::json::parse(read_file(json))) == "");
}

TEST_CASE("a loader without layers gets the recorder by LD_PRELOAD") {
    const Finished finished = profile({"--preload"}, "right_simple");
    INFO(finished.err);
    CHECK(finished.exit_code == 0);
    CHECK_SAYS(finished.err, "2 commands in", "scale", "host_program.cpp:");
}

TEST_CASE("the workbench's own runs have a trace without the sandbox") {
    const TempFolder folder;
    const std::filesystem::path trace = folder.path() / "run.json";
    const Finished finished = run_kwb({"profile", "--trace", trace.string(), KWB_PROGRAM, "run",
                                       "--no-sandbox", "matmul/tiled", "--size", "16", "--rounds", "1"});
    INFO(finished.err);
    CHECK(finished.exit_code == 0);
    CHECK_SAYS(finished.err, "kwb-runner", "matmul_tiled");
    CHECK(read_text(trace).find("matmul_tiled") != std::string::npos);
}

TEST_CASE("no fault is named in right programs") {
    for (const char* name :
         {"right_simple", "right_events", "right_finish", "right_map", "right_probe", "right_out_of_order",
          "right_local", "right_struct", "right_shared_memory", "values", "image", "offset"}) {
        const nlohmann::json processes = profile_json(name, 0);
        INFO(name, ": ", processes.dump());
        REQUIRE(processes.size() == 1);
        CHECK(processes[0]["faults"].empty());
        CHECK(processes[0]["unreleased"].empty());
        CHECK(processes[0]["is_complete"] == true);
        CHECK(processes[0]["untimed"] == 0);
        for (const nlohmann::json& error : processes[0]["errors"]) {
            CHECK(std::string(name) == "right_probe");
            CHECK(error["is_unseen"] == false);
            CHECK(error["next"] == "");
        }
    }
}

TEST_CASE("each fault of the host is named at its line") {
    const std::map<std::string, std::string> kCodes = {
        {"argument_buffer_size", "CL_INVALID_ARG_SIZE"},  {"argument_handle", "argument_mismatch"},
        {"argument_index", "CL_INVALID_ARG_INDEX"},       {"argument_never_set", "CL_INVALID_KERNEL_ARGS"},
        {"argument_size", "CL_INVALID_ARG_SIZE"},         {"argument_space", "CL_INVALID_ARG_VALUE"},
        {"build_ignored", "CL_BUILD_PROGRAM_FAILURE"},    {"error_ignored", "CL_INVALID_BUFFER_SIZE"},
        {"host_pointer", "CL_INVALID_HOST_PTR"},          {"kernel_name", "CL_INVALID_KERNEL_NAME"},
        {"mapped_argument", "mapped_argument"},           {"never_released", "buffer"},
        {"read_not_awaited", "read_not_awaited"},         {"read_too_long", "CL_INVALID_VALUE"},
        {"released_argument", "released_argument"},       {"released_twice", "released_twice"},
        {"unordered_commands", "unordered_commands"},     {"unordered_queues", "unordered_commands"},
        {"unset_argument_read", "unset_buffer_read"},     {"unset_buffer_read", "unset_buffer_read"},
        {"work_group_size", "CL_INVALID_WORK_GROUP_SIZE"}};
    const std::map<std::string, int> lines = marked_lines();
    CHECK(lines.size() == kCodes.size());
    for (const auto& [name, code] : kCodes) {
        const std::string& shown_name = name;  // clang 15 captures no bindings
        CAPTURE(shown_name);
        const TempFolder folder;
        const std::string file = (folder.path() / "profile.json").string();
        const Finished finished =
            profile({"--json", file}, name);  // how such a program ends is up to the driver
        INFO(finished.err);
        const nlohmann::json processes = nlohmann::json::parse(read_file(file)).at("processes");
        REQUIRE(processes.size() == 1);
        REQUIRE(lines.contains(name));
        const std::vector<std::string> named = named_at(processes[0], lines.at(name));
        CHECK(std::ranges::find(named, code) != named.end());
    }
}

TEST_CASE("an error says what the program passed, and where it went on") {
    const Finished size = profile({}, "argument_size");
    CHECK_SAYS(size.err, "argument 1 (factor) of scale is float of 4 bytes, and 8 bytes are passed");
    const Finished ignored = profile({}, "error_ignored");
    CHECK_SAYS(ignored.err, "0 bytes. The program did not ask for the code");
    const Finished build = profile({}, "build_ignored");
    CHECK_SAYS(build.err, "the build log has the reason. The program went on with clCreateKernel at");
    const Finished unset = profile({}, "argument_never_set");
    CHECK_SAYS(unset.err, "scale: never set: argument 1 (factor)", "went on with clEnqueueReadBuffer");
}

TEST_CASE("what was recorded is kept however the program ends, and its exit code stays") {
    for (const auto& [name, code] : std::map<std::string, int>{
             {"ends_by_abort", 128 + SIGABRT}, {"ends_by_exit", 5}, {"ends_by_signal", 128 + SIGKILL}}) {
        const nlohmann::json processes = profile_json(name, code);
        const std::string& shown_name = name;  // clang 15 captures no bindings
        CAPTURE(shown_name);
        REQUIRE(processes.size() == 1);
        CHECK(processes[0]["is_complete"] == false);
        CHECK(processes[0]["kernels"][0]["name"] == "scale");
        CHECK(processes[0]["kernels"][0]["timed"] == 1);
    }
}

TEST_CASE("a child process has a profile of its own, and a program that becomes another one has that one's") {
    const nlohmann::json forked = profile_json("forks", 0);
    REQUIRE(forked.size() == 2);
    for (const nlohmann::json& process : forked) CHECK(process["kernels"][0]["launches"] == 1);
    const nlohmann::json executed = profile_json("executes", 0);
    REQUIRE(executed.size() == 1);
    CHECK(executed[0]["kernels"][0]["launches"] == 1);
}

TEST_CASE("Ctrl-C ends the program, and its profile is printed") {
    ProcessOptions options = kwb_command({"profile", KWB_HOST_PROGRAM, "never_ends"});
    options.environment.push_back({"POCL_CACHE_DIR", KWB_TEST_CACHE});
    options.is_terminal = true;
    Process kwb(options);
    kwb.wait_for_stdout([](std::string_view out) { return out.find("running") != std::string_view::npos; });
    kwb.write("\x03");
    const Finished finished = kwb.finish();
    CHECK(finished.exit_code == 130);
    CHECK_SAYS(finished.out, "scale", "100.0 %", "ended without its exit handlers");
}

TEST_CASE("a program of many launches is recorded in bounded memory, and its trace is a sample") {
    const TempFolder folder;
    const std::string trace = (folder.path() / "trace.json").string();
    const Finished finished = profile({"--trace", trace}, "many_launches");
    INFO(finished.err);
    CHECK(finished.exit_code == 0);
    CHECK_SAYS(finished.err, "200001 commands", "200,000", "random sample",
               "The trace has one of every 8 events");
    CHECK(std::filesystem::file_size(trace) < (32u << 20));
    CHECK_SAYS(nlohmann::json::parse(read_file(trace, 64u << 20)).at("otherData").dump(),
               "one of every 8 events");
}

TEST_CASE("a program without OpenCL, a missing one, and what else cannot be profiled") {
    const Finished none = profile({}, "no_opencl");
    CHECK(none.exit_code == 4);
    CHECK_SAYS(none.err, "No OpenCL call was recorded", "uses no OpenCL");
    CHECK_REFUSED(run_kwb({"profile", "/nonexistent/program"}), 2, "cannot start /nonexistent/program",
                  "No such file");
    CHECK_REFUSED(run_kwb({"profile"}), 2, "name the program to run");
    CHECK_REFUSED(run_kwb({"profile", "--wrong", "ls"}), 2, "unknown option --wrong",
                  "Options of the program follow its name");
    CHECK_REFUSED(run_kwb({"profile", "--json", "/nonexistent/x.json", KWB_HOST_PROGRAM}), 2, "/nonexistent");
    CHECK_REFUSED(run_kwb({"profile", KWB_HOST_PROGRAM}, {{"TMPDIR", "/nonexistent"}}), 3, "set TMPDIR");
    const TempFolder folder;
    // Options behind the program's name are the program's.
    const Finished options = run_kwb({"profile", KWB_HOST_PROGRAM, "--json"}, kProgramCache);
    CHECK(options.exit_code == 9);
    CHECK_SAYS(options.err, "there is no case --json");
}

TEST_CASE("a recording is read like any stranger's file") {
    const TempFolder folder;
    folder.write("1-0.kwbrec", "short");
    folder.write("2.failed-28", "");
    folder.write("other", "file");
    std::string bytes(sizeof(capture::Recording), '\0');
    std::mt19937 random(1);
    for (char& byte : bytes) byte = static_cast<char>(random());
    std::memcpy(bytes.data() + offsetof(capture::Recording, magic), capture::kRecordingMagic,
                sizeof capture::kRecordingMagic);
    const std::uint64_t size = bytes.size();
    std::memcpy(bytes.data() + offsetof(capture::Recording, bytes), &size, sizeof size);
    folder.write("3-0.kwbrec", bytes);
    const capture::ReadProfiles found = capture::read_profiles(folder.path());
    CHECK(found.processes.size() == 1);
    REQUIRE(found.problems.size() == 2);
    CHECK_SAYS(found.problems[0], "1-0.kwbrec is no recording of this version");
    CHECK_SAYS(found.problems[1], "process 2 could not be recorded", "No space left");
    CHECK(!capture::profile_to_json(found.processes).empty());
    CHECK(!capture::trace_to_json(found.processes).empty());
}

}  // namespace kwb::test
