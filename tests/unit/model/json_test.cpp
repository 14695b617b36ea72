// SPDX-License-Identifier: Apache-2.0
#include "model/json.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/error.hpp"

using namespace kwb;

namespace {

Json over_the_wire(const Json& json) {
    return parse_json(dump_json(json));
}

DeviceInfo device() {
    DeviceInfo info;
    info.id = "pocl:0";
    info.name = "name";
    info.vendor = "vendor";
    info.kind = DeviceKind::Gpu;
    info.platform = "platform";
    info.platform_version = "platform version";
    info.device_version = "device version";
    info.driver_version = "driver version";
    info.opencl_c = "OpenCL C 1.2";
    info.driver_file = "/etc/OpenCL/vendors/pocl.icd";
    info.compute_units = 1;
    info.max_clock_mhz = 2;
    info.max_work_group_size = 3;
    info.max_work_item_sizes = {4, 5, 6};
    info.local_mem_bytes = 7;
    info.local_mem_dedicated = true;
    info.global_mem_bytes = UINT64_MAX;
    info.max_alloc_bytes = 9;
    info.max_constant_bytes = 10;
    info.base_align_bytes = 128;
    info.cache_line_bytes = 12;
    info.native_float_width = 13;
    info.timer_resolution_ns = 14;
    info.has_fp64 = true;
    info.has_fp16 = true;
    info.has_work_group_functions = true;
    info.has_sub_groups = true;
    info.extensions = "cl_khr_fp64";
    return info;
}

KernelPlan plan() {
    KernelPlan plan;
    plan.name = "matmul/tiled";
    plan.file = "tiled.cl";
    plan.source_text = "__kernel void f() {}\n";
    plan.source_sha256 = std::string(64, 'a');
    plan.includes = {{"z.h", "#define Z"}, {"a.h", ""}};
    plan.build_options = "-cl-mad-enable";
    plan.defines = {{"SECOND", "2"}, {"FIRST", "1"}};
    plan.params = {{"TILE", std::int64_t{16}}, {"MODE", std::string("fast")}};
    LaunchPlan launch;
    launch.kernel = "step";
    launch.global = {64, 32};
    launch.local = std::vector<std::uint64_t>{8, 8};
    launch.args = {{"src", BufferName{"X"}}, {"n", ScalarValue(std::int64_t{-5})}, {"w", ScalarValue(0.5)}};
    launch.local_mem = {{"tile", 256}};
    launch.repeat = 10;
    launch.swap = {"X", "Y"};
    plan.launches = {launch, {"plain", {1}, std::nullopt, {}, {}, 1, std::nullopt, 3}};
    plan.scratch = {{"X", {{Scalar::Float32, 4}, 100}}};
    plan.init = {{"C", {false, -1.5}}, {"H", {true, 0}}};
    plan.flops = 1e9;
    plan.bytes = 1e6;
    plan.refusal = Finding{.code = FindingCode::WorkGroupTooLarge,
                           .subject = "32x32",
                           .place = "mine.cl:3:7",
                           .numbers = {{"items", 1024}, {"most", 256}},
                           .texts = {{"device", "a GPU"}},
                           .remedy = Remedy{RemedyKind::WorkGroup, "16x16"}};
    plan.expected = Expectation{{Verdict::Wrong, Verdict::OutOfBounds}, "the edge is not guarded"};
    return plan;
}

RunRequest request() {
    RunRequest request;
    request.mode = RunRequest::Mode::Check;
    request.device = "pocl:0";
    request.problem = "matmul";
    request.sizes = {{"M", 3}, {"N", 2}, {"K", 1}};
    request.seed = UINT64_MAX;
    request.contestants = {{plan()}, {std::nullopt}};
    request.baseline = 1;
    request.rounds = 6;
    request.time_budget_ms = 250;
    request.interval_budget_ms = 750;
    request.races = true;
    request.timeout_ms = 1500;
    return request;
}

KernelResult result() {
    KernelResult result;
    result.kernel = "matmul/tiled";
    result.file = "tiled.cl";
    result.source_sha256 = std::string(64, 'a');
    result.problem = "matmul";
    result.size = {{"M", 3}, {"N", 2}, {"K", 1}};
    result.params = {{"TILE", std::int64_t{16}}};
    result.launches = {{"f", {16, 16}, {8, 8}, 0.5}, {"g", {1}, {}, std::nullopt}};
    result.device = "pocl:0";
    result.verdict = Verdict::Wrong;
    result.expected = Expectation{{Verdict::Wrong}, "why"};
    result.reason = "reason";
    result.evidence = Evidence{"launch", "SIGSEGV", "C", "write", -7};
    result.build_ms = 1;
    result.upload_ms = 2;
    result.download_ms = 3;
    result.first_run_ms = 4;
    result.unsaved = true;
    result.samples_ms = {5, 6, 5.5};
    result.median_ms = 5.5;
    result.ci95_ms = Interval{5, 6};
    result.gflops = 7;
    result.gbytes_s = 8;
    result.speedup = Speedup{"matmul/naive", 5.1, Interval{4.9, 5.3}};
    result.wrong_elements = 2;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    result.first_wrong = {{{2, 1}, 12, nan, "C"}, {{2, 2}, 1, 2, "C"}};
    result.max_error_share = std::numeric_limits<double>::infinity();
    result.random_check = RandomCheck{32, 0x1p-32, 0.25, 70000};
    result.kernel_info = KernelInfo{1, 2, 3, 4};
    result.diagnostics = {{Severity::Note, "a.cl", 1, 2, "note"},
                          {Severity::Warning, "a.cl", 3, 4, "warning"},
                          {Severity::Error, "a.cl", 5, 6, "error"}};
    result.hints = {{12, "hint"}};
    result.too_few_rounds = TooFewRounds{9000};
    result.warnings = {remark("noisy")};
    result.output = "printed\n";
    result.log = "log\n";
    result.error_map = ErrorMap{"C", 2, 3, {}, MapExtents{5, 3}};
    return result;
}

/// Call `visit` once for each key of the record, at any depth, with a copy that lacks this key.
void for_each_erased(const Json& record, const std::function<void(const Json&, const std::string&)>& visit) {
    const Json leaves = record.flatten();
    for (const auto& [pointer, leaf] : leaves.items()) {
        for (Json::json_pointer place(pointer); !place.empty(); place = place.parent_pointer()) {
            if (!record.at(place.parent_pointer()).is_object()) continue;
            Json changed = record;
            changed.at(place.parent_pointer()).erase(place.back());
            visit(changed, place.to_string());
        }
    }
}

}  // namespace

TEST_CASE("every record comes back as it was sent") {
    const Json list = over_the_wire(
        to_json(DeviceList{{device()}, {{"broken.icd", "It ended."}}, {{"mesa.icd", "Clover"}}, 5}));
    CHECK(to_json(from_json<DeviceList>(list)) == list);
    const Json sent_plan = over_the_wire(to_json(plan()));
    CHECK(to_json(from_json<KernelPlan>(sent_plan)) == sent_plan);
    const Json sent_request = over_the_wire(to_json(request()));
    CHECK(to_json(from_json<RunRequest>(sent_request)) == sent_request);
    const Json sent_result = over_the_wire(to_json(result()));
    CHECK(to_json(from_json<KernelResult>(sent_result)) == sent_result);
    Progress progress{"time", "matmul/tiled", 3, 40, 5.5, Interval{5, 6}};
    progress.elapsed_ms = 12'000;
    progress.limit_ms = 30'000;
    const Json sent_progress = over_the_wire(to_json(progress));
    CHECK(to_json(from_json<Progress>(sent_progress)) == sent_progress);
    const Json environment = over_the_wire(to_json(Environment{"1", "2", "3", "4", "5", "6", "7"}));
    CHECK(to_json(from_json<Environment>(environment)) == environment);
}

TEST_CASE("empty records come back as they were sent: missing stays missing") {
    const Json sent_result = over_the_wire(to_json(KernelResult{}));
    CHECK(to_json(from_json<KernelResult>(sent_result)) == sent_result);
    CHECK(!from_json<KernelResult>(sent_result).median_ms);
    CHECK(!from_json<KernelResult>(sent_result).evidence);
    const Json sent_plan = over_the_wire(to_json(KernelPlan{}));
    CHECK(to_json(from_json<KernelPlan>(sent_plan)) == sent_plan);
    const Json sent_progress = over_the_wire(to_json(Progress{}));
    CHECK(to_json(from_json<Progress>(sent_progress)) == sent_progress);
}

TEST_CASE("no field of a device is lost on the way") {
    const DeviceInfo back = from_json<DeviceInfo>(over_the_wire(to_json(device())));
    CHECK(back.id == "pocl:0");
    CHECK(back.name == "name");
    CHECK(back.vendor == "vendor");
    CHECK(back.kind == DeviceKind::Gpu);
    CHECK(back.platform == "platform");
    CHECK(back.platform_version == "platform version");
    CHECK(back.device_version == "device version");
    CHECK(back.driver_version == "driver version");
    CHECK(back.opencl_c == "OpenCL C 1.2");
    CHECK(back.driver_file == "/etc/OpenCL/vendors/pocl.icd");
    CHECK(back.compute_units == 1);
    CHECK(back.max_clock_mhz == 2);
    CHECK(back.max_work_group_size == 3);
    CHECK(back.max_work_item_sizes == std::vector<std::uint64_t>{4, 5, 6});
    CHECK(back.local_mem_bytes == 7);
    CHECK(back.local_mem_dedicated);
    CHECK(back.global_mem_bytes == UINT64_MAX);
    CHECK(back.max_alloc_bytes == 9);
    CHECK(back.max_constant_bytes == 10);
    CHECK(back.base_align_bytes == 128);
    CHECK(back.cache_line_bytes == 12);
    CHECK(back.native_float_width == 13);
    CHECK(back.timer_resolution_ns == 14);
    CHECK(back.has_fp64);
    CHECK(back.has_fp16);
    CHECK(back.has_work_group_functions);
    CHECK(back.has_sub_groups);
    CHECK(back.extensions == "cl_khr_fp64");
}

TEST_CASE("no field of a plan is lost on the way, and lists keep their order") {
    const KernelPlan back = from_json<KernelPlan>(over_the_wire(to_json(plan())));
    CHECK(back.name == "matmul/tiled");
    CHECK(back.file == "tiled.cl");
    CHECK(back.source_text == "__kernel void f() {}\n");
    CHECK(back.source_sha256 == plan().source_sha256);
    CHECK(back.includes == plan().includes);
    CHECK(back.build_options == "-cl-mad-enable");
    CHECK(back.defines == plan().defines);
    CHECK(back.params == plan().params);
    REQUIRE(back.launches.size() == 2);
    const LaunchPlan& launch = back.launches[0];
    CHECK(launch.kernel == "step");
    CHECK(launch.global == std::vector<std::uint64_t>{64, 32});
    CHECK(launch.local == std::vector<std::uint64_t>{8, 8});
    REQUIRE(launch.args.size() == 3);
    CHECK(launch.args[0].name == "src");
    CHECK(std::get<BufferName>(launch.args[0].value).name == "X");
    CHECK(std::get<ScalarValue>(launch.args[1].value) == ScalarValue(std::int64_t{-5}));
    CHECK(std::get<ScalarValue>(launch.args[2].value) == ScalarValue(0.5));
    CHECK(launch.local_mem == plan().launches[0].local_mem);
    CHECK(launch.repeat == 10);
    CHECK(launch.swap == std::pair<std::string, std::string>{"X", "Y"});
    CHECK(!back.launches[1].local);
    CHECK(back.scratch.at(0).value.type == ElementType{Scalar::Float32, 4});
    CHECK(back.scratch.at(0).value.elements == 100);
    CHECK(!back.init.at(0).value.to_input);
    CHECK(back.init.at(0).value.value == -1.5);
    CHECK(back.init.at(1).value.to_input);
    CHECK(back.flops == 1e9);
    CHECK(back.bytes == 1e6);
    CHECK(back.refusal == plan().refusal);
    REQUIRE(back.expected.has_value());
    CHECK(back.expected->verdicts == plan().expected->verdicts);
    CHECK(back.expected->why == "the edge is not guarded");
}

TEST_CASE("a whole number given to a floating argument stays what it was") {
    KernelPlan sent = plan();
    sent.launches[0].args = {{"w", ScalarValue(2.0)}, {"x", ScalarValue(std::nan(""))}};
    const KernelPlan back = from_json<KernelPlan>(over_the_wire(to_json(sent)));
    CHECK(std::get<ScalarValue>(back.launches[0].args[0].value) == ScalarValue(2.0));
    CHECK(std::isnan(std::get<double>(std::get<ScalarValue>(back.launches[0].args[1].value))));
}

TEST_CASE("a vector argument comes back with the kinds of its numbers") {
    KernelPlan sent = plan();
    sent.launches[0].args = {{"v", VectorValue{std::int64_t{3}, 0.5}}};
    const KernelPlan back = from_json<KernelPlan>(to_json(sent));
    const auto vector = std::get<VectorValue>(back.launches[0].args[0].value);
    REQUIRE(vector.size() == 2);
    CHECK(vector[0] == ScalarValue(std::int64_t{3}));
    CHECK(vector[1] == ScalarValue(0.5));
}

TEST_CASE("no field of a request is lost on the way") {
    const RunRequest back = from_json<RunRequest>(over_the_wire(to_json(request())));
    CHECK(back.mode == RunRequest::Mode::Check);
    CHECK(back.device == "pocl:0");
    CHECK(back.problem == "matmul");
    CHECK(back.sizes == request().sizes);
    CHECK(back.seed == UINT64_MAX);
    REQUIRE(back.contestants.size() == 2);
    CHECK(back.contestants[0].name() == "matmul/tiled");
    CHECK(back.contestants[1].name() == kHostBlasName);
    CHECK(back.baseline == 1);
    CHECK(back.rounds == 6u);
    CHECK(back.time_budget_ms == 250.0);
    CHECK(back.interval_budget_ms == 750.0);
    CHECK(back.races);
    CHECK(back.timeout_ms == 1500);
}

TEST_CASE("no field of a result is lost on the way") {
    const KernelResult back = from_json<KernelResult>(over_the_wire(to_json(result())));
    CHECK(back.size == result().size);
    CHECK(back.params == result().params);
    CHECK(back.launches.at(0).local == std::vector<std::uint64_t>{8, 8});
    CHECK(back.launches.at(0).median_ms == 0.5);
    CHECK(back.launches.at(1).local.empty());
    CHECK(back.verdict == Verdict::Wrong);
    CHECK(back.as_expected());
    REQUIRE(back.evidence.has_value());
    CHECK(back.evidence->stage == "launch");
    CHECK(back.evidence->signal == "SIGSEGV");
    CHECK(back.evidence->buffer == "C");
    CHECK(back.evidence->access == "write");
    CHECK(back.evidence->element == -7);
    CHECK(back.build_ms == 1.0);
    CHECK(back.upload_ms == 2.0);
    CHECK(back.download_ms == 3.0);
    CHECK(back.first_run_ms == 4.0);
    CHECK(back.unsaved);
    CHECK(back.samples_ms == std::vector<double>{5, 6, 5.5});
    CHECK(back.median_ms == 5.5);
    CHECK(back.ci95_ms == Interval{5, 6});
    CHECK(back.gflops == 7.0);
    CHECK(back.gbytes_s == 8.0);
    CHECK(back.speedup->to == "matmul/naive");
    CHECK(back.speedup->value == 5.1);
    CHECK(back.speedup->interval == Interval{4.9, 5.3});
    CHECK(back.wrong_elements == 2u);
    CHECK(back.first_wrong.at(0).index == std::vector<std::uint64_t>{2, 1});
    CHECK(back.first_wrong.at(0).expected == 12);
    CHECK(std::isnan(back.first_wrong.at(0).got));
    CHECK(back.first_wrong.at(1).buffer == "C");
    CHECK(std::isinf(*back.max_error_share));
    REQUIRE(back.random_check);
    CHECK(back.random_check->vectors == 32);
    CHECK(back.random_check->miss_chance == 0x1p-32);
    CHECK(back.random_check->visible_error == 0.25);
    CHECK(back.random_check->compared_elements == 70000);
    CHECK(back.kernel_info->private_mem_bytes == 4);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(back.diagnostics.at(i).severity == result().diagnostics[i].severity);
        CHECK(back.diagnostics.at(i).message == result().diagnostics[i].message);
        CHECK(back.diagnostics.at(i).line == result().diagnostics[i].line);
        CHECK(back.diagnostics.at(i).column == result().diagnostics[i].column);
    }
    CHECK(back.hints.at(0).line == 12);
    CHECK(back.hints.at(0).sentence == "hint");
    REQUIRE(back.too_few_rounds);
    CHECK(back.too_few_rounds->needed_ms == 9000.0);
    CHECK(back.warnings == result().warnings);
    CHECK(back.output == "printed\n");
    CHECK(back.log == "log\n");
    CHECK(back.error_map->rows == 2);
    CHECK(back.error_map->columns == 3);
    CHECK(back.error_map->extents->rows == 5);
    CHECK(back.error_map->extents->columns == 3);
}

TEST_CASE("a record that lacks a key is a protocol error, or reads as not measured") {
    const auto try_all = [](const Json& record, const std::function<Json(const Json&)>& trip) {
        std::size_t refused = 0;
        for_each_erased(record, [&](const Json& changed, const std::string& key) {
            CAPTURE(key);
            try {
                const Json back = trip(changed);
                // An accepted record has no invented value for the missing key. The first wrong element and
                // the warnings are stored in two places.
                const Json::json_pointer place(key);
                CHECK((!back.contains(place) || back.at(place).is_null() || key == "/first_wrong" ||
                       key.starts_with("/first_wrong/") || key == "/warnings" || key == "/warning_findings"));
            } catch (const ProtocolError&) {
                ++refused;
            }
        });
        return refused;
    };
    CHECK(try_all(over_the_wire(to_json(device())),
                  [](const Json& j) { return to_json(from_json<DeviceInfo>(j)); }) >= 26);
    CHECK(try_all(over_the_wire(to_json(plan())),
                  [](const Json& j) { return to_json(from_json<KernelPlan>(j)); }) > 10);
    CHECK(try_all(over_the_wire(to_json(request())),
                  [](const Json& j) { return to_json(from_json<RunRequest>(j)); }) > 10);
    CHECK(try_all(over_the_wire(to_json(result())),
                  [](const Json& j) { return to_json(from_json<KernelResult>(j)); }) > 10);
    const Progress progress{"time", "a", 3, 40, 5.5, Interval{5, 6}};
    CHECK(try_all(over_the_wire(to_json(progress)),
                  [](const Json& j) { return to_json(from_json<Progress>(j)); }) >= 5);
}

TEST_CASE("values that a record cannot mean are protocol errors") {
    const auto refuses_result = [](const std::string& key, const Json& value) {
        Json json = over_the_wire(to_json(result()));
        json[Json::json_pointer(key)] = value;
        CAPTURE(key);
        CHECK_THROWS_AS(from_json<KernelResult>(over_the_wire(json)), ProtocolError);
    };
    refuses_result("/verdict", "fine");
    refuses_result("/expected/verdicts", {"fine"});
    refuses_result("/ci95_ms", {1, 2, 3});
    refuses_result("/samples_ms", {1, "x"});
    refuses_result("/wrong_elements", -1);
    refuses_result("/size/M", 0);
    refuses_result("/params/TILE", 1.5);
    refuses_result("/error_map/rows", 257);
    refuses_result("/error_map/extents", {5, 3});
    refuses_result("/error_map/extents/rows", 1);
    refuses_result("/error_map/extents/columns", -3);
    refuses_result("/error_map/extents/columns", std::uint64_t{1} << 47);
    refuses_result("/diagnostics/0/severity", "dreadful");
    refuses_result("/diagnostics/0/line", -1);
    const auto refuses_request = [](const std::string& key, const Json& value) {
        Json json = over_the_wire(to_json(request()));
        json[Json::json_pointer(key)] = value;
        CAPTURE(key);
        CHECK_THROWS_AS(from_json<RunRequest>(over_the_wire(json)), ProtocolError);
    };
    refuses_request("/mode", "walk");
    refuses_request("/sizes/M", -5);
    refuses_request("/contestants", Json::array());
    refuses_request("/contestants/1", "gpu:blas");
    refuses_request("/baseline", 2);
    refuses_request("/rounds", 1e9);
    refuses_request("/timeout_ms", 0);
    refuses_request("/timeout_ms", "nan");
    refuses_request("/time_budget_ms", "nan");
    refuses_request("/time_budget_ms", -1);
    refuses_request("/interval_budget_ms", -1);
    refuses_request("/contestants/0/kernel/launches/0/global", Json::array());
    refuses_request("/contestants/0/kernel/launches/0/local", {8});
    refuses_request("/contestants/0/kernel/launches/0/repeat", 1u << 30);
    refuses_request("/contestants/0/kernel/scratch/X/type", "float5");
    const auto refuses_progress = [](const std::string& key, const Json& value) {
        Json json = over_the_wire(to_json(Progress{"time", "a", 3, 40, 5.5, {}}));
        json[Json::json_pointer(key)] = value;
        CAPTURE(key);
        CHECK_THROWS_AS(from_json<Progress>(over_the_wire(json)), ProtocolError);
    };
    refuses_progress("/rounds", -1);
    refuses_progress("/elapsed_ms", -1);
    refuses_progress("/elapsed_ms", "inf");
    refuses_progress("/limit_ms", -1);
    Json kind = over_the_wire(to_json(device()));
    kind["kind"] = "toaster";
    CHECK_THROWS_AS(from_json<DeviceInfo>(kind), ProtocolError);
}

TEST_CASE("an error map kept before extents were known has none") {
    Json old = over_the_wire(to_json(result()));
    old["error_map"].erase("extents");
    CHECK(from_json<KernelResult>(old).error_map);
    CHECK(!from_json<KernelResult>(old).error_map->extents);
}

TEST_CASE("a timeout may be endless") {
    RunRequest sent = request();
    sent.timeout_ms = std::numeric_limits<double>::infinity();
    CHECK(std::isinf(from_json<RunRequest>(over_the_wire(to_json(sent))).timeout_ms));
}
