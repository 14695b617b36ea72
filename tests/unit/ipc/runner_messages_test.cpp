// SPDX-License-Identifier: Apache-2.0
#include "ipc/runner_messages.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "base/error.hpp"
#include "model/json.hpp"

using namespace kwb;

namespace {

Json over_the_wire(const Json& json) {
    return parse_json(dump_json(json));
}

BuildRequest build_request() {
    return {7, "tiled.cl", "__kernel void f() {}", {{"tile.h", "#define TILE 16"}, {"a.h", ""}}, "-DTILE=16"};
}

BuffersRequest buffers_request() {
    return {{{1, 128, 4096, 256}, {2, 128, 1, 128}}, true, true};
}

ExecuteRequest execute_request() {
    ExecuteRequest request;
    request.program = 7;
    Launch launch;
    launch.kernel = "step";
    launch.global = {64, 32};
    launch.local = {8, 8};
    launch.arguments = {BufferArgument{1}, ValueArgument{{1, 2, 255, 0}}, LocalArgument{1024}};
    launch.repeat = 10;
    launch.swap = {1, 2};
    request.launches = {launch, {"plain", {1}, {}, {}, 1, std::nullopt}};
    request.before_first = {{2, {0, 0, 0xC0, 0x7F}, std::nullopt}};
    request.before_run = {{1, {}, 3}};
    request.inputs = {{1, 128}};
    request.download = {{2, 4352}};
    return request;
}

BuiltReply built_reply() {
    FunctionInfo function;
    function.name = "matmul_tiled";
    using Space = AddressSpace;
    function.arguments = {{"A", "float*", Space::Global, true},        {"c", "float*", Space::Constant, true},
                          {"tile", "float*", Space::Local, false},     {"N", "int", Space::Private, false},
                          {"image", "image2d_t", Space::Image, false}, {"pipe", "pipe", Space::Other, false}};
    function.info = {256, 8, 2048, 64};
    function.required_local = {16, 16, 1};
    return {true, "1 warning", 12.5, {function}};
}

DeviceList devices() {
    DeviceList list;
    list.devices.resize(1);
    list.devices[0].id = "pocl:0";
    list.devices[0].max_work_item_sizes = {4096, 4096, 4096};
    list.failures = {{"broken.icd", "It ended with SIGABRT.", DriverFailure::Kind::Crashed},
                     {"x.icd", "it has no compiler", DriverFailure::Kind::NoCompiler, "Bare Device"}};
    list.idle_drivers = {{"mesa.icd", "Clover"}};
    return list;
}

ObserveRequest observe_request() {
    ObserveRequest request;
    request.compiler = "/usr/bin/clang-15";
    request.folder = "/tmp/a";
    request.file_name = "k.cl";
    request.source_text = "__kernel void f() {}\n";
    request.includes = {{"near.h", "#define A 1\n"}};
    request.options = "-DTILE=16";
    request.functions = built_reply().functions;
    request.launches = execute_request().launches;
    request.buffers = {{"A", {Scalar::Float32, 1}, {3, 5}, 4096},
                       {"C", {Scalar::Int32, 4}, {7}, std::nullopt}};
    request.before_run = {{1, {0, 0, 0, 0}, {}}};
    request.download = {{1, 8192}};
    request.xray.sub_group = 64;
    request.xray.order_seed = 3;
    request.xray.trace_group = {1, 2};
    return request;
}

XrayReport xray_report() {
    XrayReport report;
    report.sub_group = 64;
    report.launches = {{"f", {32, 8}, {16, 8}, 2, 1, 5}};
    report.events = 100;
    report.compile_ms = 200;
    report.run_ms = 3;
    report.undefined = {{.code = FindingCode::DataRace, .subject = "t[1]", .place = "k.cl:3:4"}};
    report.remarks = {{.code = FindingCode::XraySampled, .subject = "f"}};
    report.buffers = {{"A",
                       AddressSpace::Global,
                       "float",
                       4,
                       {3, 5},
                       true,
                       CountBasis::Scaled,
                       30,
                       15,
                       15,
                       10,
                       1,
                       2,
                       {3, 4},
                       {5, 6}}};
    XraySite site;
    site.place = {"near.h", 3, 4};
    site.kind = AccessKind::Atomic;
    site.adjacent = 7;
    report.sites = {site};
    report.lines = {{{"", 5, 1}, 10, 2, 128}};
    report.trace = XrayTrace{{1, 2}, {0, 0}, {4, 5}, {0, 1}, false};
    return report;
}

std::vector<Json> all_requests() {
    return {over_the_wire(to_json(DevicesRequest{"libpocl.so.2"})),
            over_the_wire(to_json(OpenRequest{3})),
            over_the_wire(to_json(build_request())),
            over_the_wire(to_json(buffers_request())),
            over_the_wire(to_json(UploadRequest{{{1, 0}, {2, 4352}}})),
            over_the_wire(to_json(execute_request())),
            over_the_wire(to_json(PrepareRequest{{{1, 128}}})),
            over_the_wire(to_json(LaunchRequest{})),
            over_the_wire(to_json(ConfineRequest{{{"/usr"}, {"/tmp/a"}, {"/dev/dri"}}})),
            over_the_wire(to_json(observe_request())),
            over_the_wire(to_json(WarmUpRequest{}))};
}

std::vector<Json> all_replies() {
    return {over_the_wire(to_json(StageNote{"launch"})),
            over_the_wire(to_json(devices())),
            over_the_wire(to_json(OpenedReply{})),
            over_the_wire(to_json(built_reply())),
            over_the_wire(to_json(AllocatedReply{})),
            over_the_wire(to_json(UploadedReply{0.25})),
            over_the_wire(to_json(ExecutedReply{3.5, {1, 0.5, 2}, 4.5, 0.125})),
            over_the_wire(to_json(PreparedReply{})),
            over_the_wire(to_json(
                FailedReply{"clEnqueueNDRangeKernel", "CL_OUT_OF_RESOURCES", -5, "too many", "use fewer"})),
            over_the_wire(to_json(FaultNote{FaultNote::Access::Write, 3, -4, false, 4096, {{1, 2, 3}}})),
            over_the_wire(to_json(ConfinedReply{{true, 4, true, true, {"a gap"}}})),
            over_the_wire(to_json(ObservedReply{xray_report()})),
            over_the_wire(to_json(WarmedUpReply{}))};
}

Json back_to_json(const RunnerRequest& request) {
    return std::visit([](const auto& plain) { return to_json(plain); }, request);
}

Json back_to_json(const RunnerReply& reply) {
    if (const auto* list = std::get_if<DeviceList>(&reply)) return to_json(*list);
    return std::visit(
        [](const auto& plain) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(plain)>, DeviceList>)
                return {};
            else
                return to_json(plain);
        },
        reply);
}

/// Call `visit` once for each key of the message, at any depth, with a copy that `change` modified at that
/// key.
void for_each_change(const Json& message,
                     const std::function<void(Json& object, const std::string& key)>& change,
                     const std::function<void(const Json& changed, const std::string& key)>& visit) {
    const Json leaves = message.flatten();
    for (const auto& [pointer, leaf] : leaves.items()) {
        Json::json_pointer place(pointer);
        for (; !place.empty(); place = place.parent_pointer()) {
            if (!message.at(place.parent_pointer()).is_object()) continue;
            Json changed = message;
            change(changed.at(place.parent_pointer()), place.back());
            visit(changed, place.to_string());
        }
    }
}

template <class Parse>
bool is_refused(const Json& json, Parse&& parse) {
    try {
        parse(json);
        return false;
    } catch (const ProtocolError&) {
        return true;
    }
}

const auto kParseRequest = [](const Json& json) { runner_request_from_json(json); };
const auto kParseReply = [](const Json& json) { runner_reply_from_json(json); };

}  // namespace

TEST_CASE("every request comes back as it was sent") {
    for (const Json& json : all_requests()) CHECK(back_to_json(runner_request_from_json(json)) == json);
    CHECK(all_requests().size() == std::variant_size_v<RunnerRequest>);
}

TEST_CASE("every reply comes back as it was sent") {
    for (const Json& json : all_replies()) CHECK(back_to_json(runner_reply_from_json(json)) == json);
    CHECK(all_replies().size() == std::variant_size_v<RunnerReply>);
}

TEST_CASE("no field of an execution is lost on the way") {
    const auto request =
        std::get<ExecuteRequest>(runner_request_from_json(over_the_wire(to_json(execute_request()))));
    CHECK(request.program == 7);
    REQUIRE(request.launches.size() == 2);
    const Launch& launch = request.launches[0];
    CHECK(launch.kernel == "step");
    CHECK(launch.global == std::vector<std::uint64_t>{64, 32});
    CHECK(launch.local == std::vector<std::uint64_t>{8, 8});
    REQUIRE(launch.arguments.size() == 3);
    CHECK(std::get<BufferArgument>(launch.arguments[0]).buffer == 1);
    CHECK(std::get<ValueArgument>(launch.arguments[1]).bytes == std::vector<std::uint8_t>{1, 2, 255, 0});
    CHECK(std::get<LocalArgument>(launch.arguments[2]).bytes == 1024);
    CHECK(launch.repeat == 10);
    CHECK(launch.swap == std::pair<std::uint32_t, std::uint32_t>{1, 2});
    CHECK(!request.launches[1].swap);
    CHECK(request.before_first.at(0).pattern.size() == 4);
    CHECK(request.before_run.at(0).copy_from == 3u);
    CHECK(request.inputs.at(0).offset == 128);
    CHECK(request.download.at(0).offset == 4352);
}

TEST_CASE("no field of a build is lost on the way") {
    const auto request =
        std::get<BuildRequest>(runner_request_from_json(over_the_wire(to_json(build_request()))));
    CHECK(request.program == 7);
    CHECK(request.file_name == "tiled.cl");
    CHECK(request.source_text == "__kernel void f() {}");
    CHECK(request.includes == build_request().includes);
    CHECK(request.options == "-DTILE=16");
    const auto reply = std::get<BuiltReply>(runner_reply_from_json(over_the_wire(to_json(built_reply()))));
    CHECK(reply.accepted);
    CHECK(reply.log == "1 warning");
    CHECK(reply.build_ms == 12.5);
    const FunctionInfo& function = reply.functions.at(0);
    CHECK(function.info.work_group_size == 256);
    CHECK(function.info.preferred_multiple == 8);
    CHECK(function.info.local_mem_bytes == 2048);
    CHECK(function.info.private_mem_bytes == 64);
    CHECK(function.required_local == std::vector<std::uint64_t>{16, 16, 1});
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
        const KernelParameter sent = built_reply().functions[0].arguments[i];
        CHECK(function.arguments[i].name == sent.name);
        CHECK(function.arguments[i].type_name == sent.type_name);
        CHECK(function.arguments[i].space == sent.space);
        CHECK(function.arguments[i].is_const == sent.is_const);
    }
}

TEST_CASE("a missing field is a protocol error, in every message") {
    const auto erase = [](Json& object, const std::string& key) { object.erase(key); };
    for (const Json& json : all_requests())
        for_each_change(json, erase, [&](const Json& changed, const std::string& key) {
            CAPTURE(key);
            // Optional keys are read as missing; without one of its includes, the request is a different
            // valid request.
            const bool optional = key.find("/swap") != std::string::npos || key == "/turn" ||
                                  key.find("/copy_from") != std::string::npos ||
                                  key.find("/includes/") == 0 || key.ends_with("/offset") ||
                                  key == "/xray/order_seed" || key.find("/xray/trace_group") == 0;
            CHECK((optional || is_refused(changed, kParseRequest)));
        });
    for (const Json& json : all_replies())
        for_each_change(json, erase, [&](const Json& changed, const std::string& key) {
            CAPTURE(key);
            const bool optional = key == "/buffer" || key.find("/work_item") == 0 ||
                                  key.ends_with("/images") || key == "/report/trace" ||
                                  key.ends_with("/remedy");
            CHECK((optional || is_refused(changed, kParseReply)));
        });
}

TEST_CASE("a field of another type is a protocol error or keeps its meaning, never another exception") {
    const std::vector<Json> odd = {nullptr,          true,           -1,  1e300,      "text",
                                   Json::array(),    Json::object(), 1.5, UINT64_MAX, Json::array({nullptr}),
                                   Json::array({-1})};
    const auto try_all = [&](const std::vector<Json>& messages, auto&& parse) {
        std::size_t refused = 0;
        for (const Json& json : messages)
            for (const Json& value : odd)
                for_each_change(
                    json, [&](Json& object, const std::string& key) { object[key] = value; },
                    [&](const Json& changed, const std::string&) {
                        const Json sent = over_the_wire(changed);
                        try {
                            const Json back = back_to_json(parse(sent));
                            CHECK(back.size() == sent.size());
                        } catch (const ProtocolError&) {
                            ++refused;
                        }
                    });
        CHECK(refused > 100);
    };
    try_all(all_requests(), runner_request_from_json);
    try_all(all_replies(), runner_reply_from_json);
}

TEST_CASE("times that no clock can have measured are refused") {
    for (const Json& time : {Json(-1.0), Json("nan"), Json("inf"), Json("-inf"), Json(nullptr)}) {
        Json built = all_replies()[3];
        built["build_ms"] = time;
        CHECK(is_refused(built, kParseReply));
        Json uploaded = all_replies()[5];
        uploaded["upload_ms"] = time;
        CHECK(is_refused(uploaded, kParseReply));
        for (const char* key : {"run_ms", "wall_ms", "download_ms"}) {
            Json executed = all_replies()[6];
            executed[key] = time;
            CHECK(is_refused(executed, kParseReply));
        }
        Json executed = all_replies()[6];
        executed["launch_ms"] = Json::array({1.0, time});
        CHECK(is_refused(executed, kParseReply));
    }
}

TEST_CASE("unknown enumeration values are rejected") {
    CHECK(is_refused({{"type", "reboot"}}, kParseRequest));
    CHECK(is_refused({{"type", "reboot"}}, kParseReply));
    CHECK(is_refused(Json::array(), kParseReply));
    Json built = all_replies()[3];
    built["functions"][0]["arguments"][0]["space"] = "outer";
    CHECK(is_refused(built, kParseReply));
    Json execute = all_requests()[5];
    execute["before_first"][0]["pattern"] = {1, 2, 3};
    CHECK(is_refused(execute, kParseRequest));
    execute = all_requests()[5];
    execute["launches"][0]["arguments"][1]["value"] = {256};
    CHECK(is_refused(execute, kParseRequest));
}

TEST_CASE("a failure names call, code, cause and next step") {
    CHECK(
        FailedReply{"clBuildProgram", "CL_OUT_OF_HOST_MEMORY", -6, "no memory is left", "Use a smaller size"}
            .describe() ==
        "clBuildProgram failed with CL_OUT_OF_HOST_MEMORY (-6): no memory is left. Use a smaller size");
    CHECK(FailedReply{"", "", 0, "no program 3", ""}.describe() == "no program 3");
}
