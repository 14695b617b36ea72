// SPDX-License-Identifier: Apache-2.0
// Messages between front end, judge and runner. The records in them are tested in model/records_test.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ipc/judge_messages.hpp"
#include "ipc/runner_messages.hpp"
#include "model/recording_fields.hpp"
#include "model/result_fields.hpp"
#include "support/filled_record.hpp"

namespace kwb {
// Instantiated in lib/ipc, which has the descriptions of these.
extern template Json to_json(const RunnerRequest&);
extern template Json to_json(const RunnerReply&);
extern template Json to_json(const JudgeRequest&);
extern template Json to_json(const ExecuteRequest&);
}  // namespace kwb

using namespace kwb;
using test::filled;

namespace {

// --- One message of each type, with no field at its default ---

Launch launch() {
    Launch launch;
    launch.kernel = "step";
    launch.global = {64, 32};
    launch.local = {8, 8};
    launch.arguments = {BufferArgument{1}, ValueArgument{{1, 2, 255, 0}}, LocalArgument{1024}};
    launch.repeat = 10;
    launch.swap = {1, 2};
    return launch;
}

ExecuteRequest execute_request() {
    ExecuteRequest request;
    request.program = 7;
    request.launches = {launch(), {"plain", {1}, {}, {}, 1, std::nullopt}};
    request.before_first = {{2, {0, 0, 0xC0, 0x7F}, std::nullopt}};
    request.before_run = {{1, {}, 3}};
    request.inputs = {{1, 128}};
    request.download = {{2, 4352}};
    request.is_sampled = true;
    return request;
}

ObserveRequest observe_request() {
    ObserveRequest request;
    request.compiler = "/usr/bin/clang-15";
    request.folder = "/tmp/a";
    request.file_name = "k.cl";
    request.source_text = "__kernel void f() {}\n";
    request.includes = {{"near.h", "#define A 1\n"}};
    request.options = "-DTILE=16";
    request.functions = {filled<FunctionInfo>()};
    request.launches = {launch()};
    request.buffers = {{"A", {Scalar::Float32, 1}, {3, 5}, 4096},
                       {"C", {Scalar::Int32, 4}, {7}, std::nullopt}};
    request.before_run = {{1, {0, 0, 0, 0}, {}}};
    request.download = {{1, 8192}};
    request.xray = filled<XrayOptions>();
    return request;
}

std::vector<RunnerRequest> runner_requests() {
    return {DevicesRequest{"libpocl.so.2"},
            OpenRequest{3},
            BuildRequest{7, "tiled.cl", "__kernel void f() {}", {{"tile.h", "#define TILE 16"}}, "-DTILE=16"},
            BuffersRequest{{{1, 128, 4096, 256}, {2, 128, 1, 128}}, true, true},
            UploadRequest{{{1, 0}, {2, 4352}}},
            execute_request(),
            PrepareRequest{{{1, 128}}},
            LaunchRequest{},
            ConfineRequest{{{"/usr"}, {"/tmp/a"}, {"/dev/dri"}}},
            observe_request(),
            WarmUpRequest{}};
}

/// Of two work-items; all indices are those of something.
Recording recording() {
    Recording recorded = filled<Recording>();
    recorded.local = {2};
    ValueType type = filled<ValueType>();
    type.kind = ValueKind::Array;
    type.element = 1;
    type.bytes = 64;
    type.count = 16;
    type.members = {{"x", 4, 1}};
    ValueType number = filled<ValueType>();
    number.element = 1;
    number.kind = ValueKind::Signed;
    number.bytes = 4;
    number.members.clear();
    recorded.types = {ValueType{}, number, type};
    recorded.functions = {{"f", {filled<FrameVariable>()}}};
    recorded.functions[0].variables[0].type = 2;
    recorded.sites = {filled<RecordedSite>()};
    recorded.sites[0].function = 0;
    recorded.regions = {filled<RecordedRegion>()};
    recorded.regions[0].type = 1;
    recorded.pages = {{4096, 0, 8}};
    recorded.frames = {{kNoFrame, 0, 0, 0, 64, 32}};
    RecordedEvent event;
    event.bytes = 4;
    event.frame = 0;
    event.kind = RecordedKind::Write;
    recorded.events = {event};
    recorded.begin = 9;  // the event is a store before this part
    recorded.earlier = {3};
    recorded.steps_before = {1, 2};
    recorded.unfinished = {1};
    recorded.values = "12345678";
    return recorded;
}

std::vector<RunnerReply> runner_replies() {
    return {StageNote{"launch"},
            filled<DeviceList>(),
            OpenedReply{},
            BuiltReply{true, "1 warning", 12.5, {filled<FunctionInfo>()}},
            AllocatedReply{},
            UploadedReply{0.25},
            ExecutedReply{3.5, {1, 0.5, 2}, 4.5, 0.125, {{"/tmp/k.so", 64}}},
            PreparedReply{},
            FailedReply{"clEnqueueNDRangeKernel", "CL_OUT_OF_RESOURCES", -5, "too many", "use fewer", true},
            FaultNote{FaultNote::Access::Write, 3, -4, true, 4096, {{1, 2, 3}}},
            ConfinedReply{{true, 4, true, true, {"a gap"}, 5}},
            ObservedReply{filled<XrayReport>(), recording()},
            WarmedUpReply{}};
}

std::vector<JudgeRequest> judge_requests() {
    RunRequest run = filled<RunRequest>();
    // The contents of a declared problem are attached once.
    for (Contestant& contestant : run.contestants) contestant.xray_size->declared.reset();
    return {ListDevices{}, std::move(run), filled<XrayRequest>(), ExpectRuns{"pocl:0"}, StopRun{}};
}

ResultEvent partial_result() {
    ResultEvent event{2, {}, false, 40};
    event.result.kernel = "matmul/tiled";
    event.result.judged = false;
    event.result.samples_ms = {5.25, 0};
    event.result.median_ms = 5.5;
    return event;
}

std::vector<JudgeEvent> judge_events() {
    ResultEvent result{2, filled<KernelResult>(), false, 40};
    result.result.judged = false;
    result.result.error_map->rows = result.result.error_map->columns = 2;
    result.result.error_map->worst_share = {1, 2, 3, 4};
    BufferSpec buffer = filled<BufferSpec>();
    buffer.shape = {2, 1};
    return {filled<DeviceList>(),
            filled<Progress>(),
            OutputEvent{1, buffer, std::make_shared<const std::string>(buffer.bytes(), 'x')},
            std::move(result),
            DoneEvent{filled<Environment>(), true},
            XrayEvent{filled<XrayReport>(), filled<TargetReport>(), recording(), filled<WrongElement>()},
            ErrorEvent{"no memory"}};
}

// --- What is done with all of them ---

Json over_the_wire(const Json& json) {
    return parse_json(dump_json(json));
}

Message received(const JudgeEvent& event) {
    Outgoing sent = to_outgoing(event);
    return {sent.json.at("type"), sent.json, sent.attachment};
}

struct Sent {
    Json json;
    std::function<Json(const Json&)> trip;  ///< reads and writes
    Json empty;                             ///< the same type of message with its defaults
};

/// A message of the same type with its defaults.
template <class Variant>
Variant empty_of(const Variant& message) {
    return std::visit(
        []<class Record>(const Record&) {
            Record record{};
            if constexpr (std::is_same_v<Record, OutputEvent>)
                record.content = std::make_shared<const std::string>();
            return Variant(std::move(record));
        },
        message);
}

std::vector<Sent> all_messages() {
    std::vector<Sent> all;
    const auto add = [&](const auto& messages, const auto& write, const auto& read) {
        for (const auto& message : messages)
            all.push_back({over_the_wire(write(message)),
                           [=](const Json& json) { return over_the_wire(write(read(json, message))); },
                           over_the_wire(write(empty_of(message)))});
    };
    const auto write = [](const auto& message) { return to_json(message); };
    add(runner_requests(), write,
        [](const Json& json, const auto&) { return runner_request_from_json(json); });
    add(runner_replies(), write, [](const Json& json, const RunnerReply& sent) {
        const auto* const observed = std::get_if<ObservedReply>(&sent);
        return runner_reply_from_json(
            json, observed != nullptr && observed->recording ? recorded_bytes(*observed->recording) : "");
    });
    add(judge_requests(), write, [](const Json& json, const JudgeRequest& sent) {
        return judge_request_from({"", json, contents_of(sent)});
    });
    add(
        judge_events(), [](const JudgeEvent& event) { return to_outgoing(event).json; },
        [](const Json& json, const JudgeEvent& sent) {
            return judge_event_from({"", json, received(sent).attachment});
        });
    return all;
}

/// Calls `visit` with each place in an object of the message, at any depth.
void for_each_key(const Json& message, const std::function<void(const Json::json_pointer&)>& visit) {
    const Json leaves = message.flatten();
    std::set<std::string> visited;
    for (const auto& [pointer, leaf] : leaves.items())
        for (Json::json_pointer place(pointer); !place.empty() && visited.insert(place.to_string()).second;
             place = place.parent_pointer())
            if (message.at(place.parent_pointer()).is_object()) visit(place);
}

template <class Read>
bool is_refused(const Json& json, Read&& read) {
    try {
        read(json);
        return false;
    } catch (const ProtocolError&) {
        return true;
    }
}

}  // namespace

TEST_CASE("every message comes back as it was sent") {
    for (const Sent& sent : all_messages()) {
        CAPTURE(sent.json.at("type"));
        CHECK(sent.trip(sent.json) == sent.json);
        CHECK(join(test::unfilled(sent.json, sent.empty), "\n") == "");
    }
    CHECK(all_messages().size() == std::variant_size_v<RunnerRequest> + std::variant_size_v<RunnerReply> +
                                       std::variant_size_v<JudgeRequest> + std::variant_size_v<JudgeEvent>);
}

TEST_CASE("a missing field is a protocol error, or reads as missing, in every message") {
    for (const Sent& sent : all_messages())
        for_each_key(sent.json, [&](const Json::json_pointer& place) {
            Json changed = sent.json;
            changed.at(place.parent_pointer()).erase(place.back());
            try {
                const Json back = sent.trip(changed);
                // A value that is derived from others comes back.
                CHECK_MESSAGE((!back.contains(place) || back.at(place).is_null() || back == sent.json),
                              place.to_string());
            } catch (const ProtocolError&) {
            }
        });
}

TEST_CASE("a field of another type is a protocol error or keeps its meaning, never another exception") {
    const std::vector<Json> odd = {nullptr,          true,           -1,  1e300,      "text",
                                   Json::array(),    Json::object(), 1.5, UINT64_MAX, Json::array({nullptr}),
                                   Json::array({-1})};
    std::size_t refused = 0;
    for (const Sent& sent : all_messages()) {
        // Those of many fields are tested in model/records_test.cpp.
        if (sent.json.flatten().size() > 60) continue;
        for (const Json& value : odd)
            for_each_key(sent.json, [&](const Json::json_pointer& place) {
                Json changed = sent.json;
                changed[place] = value;
                try {
                    const Json back = sent.trip(over_the_wire(changed));
                    CHECK(back.size() == sent.json.size());
                } catch (const ProtocolError&) {
                    ++refused;
                }
            });
    }
    CHECK(refused > 1000);
}

TEST_CASE("a recording that is cut off, or refers to what it does not have, is refused") {
    const Recording sent = recording();
    const std::string bytes = recorded_bytes(sent);
    const auto read = [&](const std::string& attachment) {
        return is_refused(to_json(RunnerReply(ObservedReply{filled<XrayReport>(), sent})),
                          [&](const Json& json) { return runner_reply_from_json(json, attachment); });
    };
    CHECK(!read(bytes));
    Recording passed = sent;  // as the judge sends it on
    pass_recorded_bytes(passed, bytes);
    CHECK(recorded_bytes(passed) == bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        // What is left of the values must be enough for all events.
        CAPTURE(size);
        CHECK(read(bytes.substr(0, size)));
    }
    const auto is_refused_with = [&](const auto& change) {
        Recording changed = sent;
        change(changed);
        return read(recorded_bytes(changed));
    };
    CHECK(is_refused_with([](Recording& r) { r.events[0].site = 7; }));
    CHECK(is_refused_with([](Recording& r) { r.events[0].frame = 7; }));
    CHECK(is_refused_with([](Recording& r) { r.events[0].item = 7; }));
    CHECK(is_refused_with([](Recording& r) { r.events[0].value = 1; }));
    CHECK(is_refused_with([](Recording& r) { r.events[0].bytes = UINT32_MAX; }));
    CHECK(is_refused_with([](Recording& r) { r.events[0].kind = static_cast<RecordedKind>(9); }));
    CHECK(is_refused_with([](Recording& r) { r.frames[0].function = 7; }));
    CHECK(is_refused_with([](Recording& r) { r.frames[0].caller = 0; }));
    CHECK(is_refused_with([](Recording& r) { r.frames[0].site = 7; }));
    CHECK(is_refused_with([](Recording& r) { r.earlier = {9}; }));
    CHECK(is_refused_with([](Recording& r) { r.earlier = {2, 3}; }));
}

TEST_CASE("times that no clock can have measured are refused") {
    std::size_t tried = 0;
    for (const RunnerReply& reply : runner_replies()) {
        const Json sent = to_json(reply);
        for (const char* place :
             {"/build_ms", "/upload_ms", "/run_ms", "/wall_ms", "/download_ms", "/launch_ms/1"}) {
            const Json::json_pointer pointer(place);
            if (!sent.contains(pointer)) continue;
            for (const Json& time : {Json(-1.0), Json("nan"), Json("inf"), Json("-inf"), Json(nullptr)}) {
                Json changed = sent;
                changed[pointer] = time;
                CHECK(is_refused(changed, [](const Json& read) { return runner_reply_from_json(read); }));
                ++tried;
            }
        }
    }
    CHECK(tried == 6 * 5);
}

TEST_CASE("unknown types and values that mean nothing are refused") {
    CHECK(is_refused({{"type", "reboot"}}, runner_request_from_json));
    CHECK(is_refused({{"type", "reboot"}}, [](const Json& read) { return runner_reply_from_json(read); }));
    CHECK(is_refused(Json::array(), [](const Json& read) { return runner_reply_from_json(read); }));
    Json execute = to_json(execute_request());
    execute["before_first"][0]["pattern"] = {1, 2, 3};
    CHECK(is_refused(execute, runner_request_from_json));
    execute = to_json(execute_request());
    execute["launches"][0]["arguments"][1]["value"] = {256};
    CHECK(is_refused(execute, runner_request_from_json));
}

TEST_CASE("a failure names call, code, cause and next step") {
    CHECK(
        FailedReply{"clBuildProgram", "CL_OUT_OF_HOST_MEMORY", -6, "no memory is left", "Use a smaller size"}
            .describe() ==
        "clBuildProgram failed with CL_OUT_OF_HOST_MEMORY (-6): no memory is left. Use a smaller size");
    CHECK(FailedReply{"", "", 0, "no program 3", ""}.describe() == "no program 3");
}

TEST_CASE("a result says whether it is final, whether it is judged and where its samples belong") {
    const auto refuses = [](const std::string& key, const Json& value) {
        Message message = received(partial_result());
        message.json[Json::json_pointer(key)] = value;
        CAPTURE(key);
        CHECK_THROWS_AS(judge_event_from(message), ProtocolError);
    };
    refuses("/index", -1);
    refuses("/index", "a");
    refuses("/final", Json());
    refuses("/final", true);  // a final result needs a verdict
    refuses("/judged", 1);
    refuses("/samples_before", -1);
    refuses("/samples_before", 0.5);
    refuses("/result", 7);
    refuses("/result/samples_ms", 5.25);
    refuses("/result/samples_ms/0", Json());
    refuses("/result/samples_ms/0", "nan");
    refuses("/result/samples_ms/0", -1e-3);
}
