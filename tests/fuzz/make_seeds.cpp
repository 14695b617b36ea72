// SPDX-License-Identifier: Apache-2.0
// fuzz_seeds FOLDER: writes the initial corpus of each fuzz target to FOLDER/<target>.
//
// This file contains the messages: one of every kind with all fields set, written by the program's own
// encoders, so that they stay valid when messages change.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>

#include "ipc/channel.hpp"
#include "ipc/judge_messages.hpp"
#include "ipc/runner_messages.hpp"
#include "seeds.hpp"
#include "source/compiler.hpp"

namespace kwb::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

DeviceList device_list() {
    DeviceInfo device;
    device.id = "pocl:0";
    device.kind = DeviceKind::Gpu;
    device.max_work_item_sizes = {4, 5, 6};
    device.global_mem_bytes = UINT64_MAX;
    return {{device}, {{"broken.icd", "It ended."}}};
}

KernelPlan plan() {
    KernelPlan plan;
    plan.name = "matmul/tiled";
    plan.source_text = "__kernel void f() {}\n";
    plan.includes = {{"a.h", ""}};
    plan.defines = {{"TWICE", "2"}};
    plan.params = {{"TILE", std::int64_t{16}}, {"MODE", std::string("fast")}};
    LaunchPlan launch;
    launch.kernel = "f";
    launch.global = {64, 32};
    launch.local = std::vector<std::uint64_t>{8, 8};
    launch.args = {{"src", BufferName{"X"}}, {"n", ScalarValue(std::int64_t{-5})}, {"w", ScalarValue(0.5)}};
    launch.local_mem = {{"tile", 256}};
    launch.swap = {"X", "Y"};
    plan.launches = {launch};
    plan.scratch = {{"X", {{Scalar::Float32, 4}, 100}}};
    plan.init = {{"C", {false, -1.5}}, {"H", {true, 0}}};
    plan.flops = 1e9;
    plan.refusal = remark("too large");
    plan.expected = Expectation{{Verdict::Wrong, Verdict::OutOfBounds}, "the edge"};
    return plan;
}

RunRequest run_request() {
    RunRequest request;
    request.device = "pocl:0";
    request.problem = "matmul";
    request.sizes = {{"M", 3}, {"N", 2}, {"K", 1}};
    request.contestants = {{plan()}, {std::nullopt}};
    request.baseline = 1;
    request.rounds = 6;
    request.time_budget_ms = 250;
    return request;
}

RunRequest declared_request() {
    auto declared = std::make_shared<DeclaredInstance>();
    ProblemInstance& instance = declared->instance;
    instance.buffers = {{"x", {Scalar::Float32, 2}, Access::Read, {2}},
                        {"y", {Scalar::Int8, 1}, Access::ReadWrite, {3, 1}}};
    instance.scalars = {{"N", {Scalar::Int32, 1}, std::int64_t{3}}, {"a", {Scalar::Float32, 1}, 0.5}};
    instance.cost = {6, 18};
    declared->inputs = {{"x", {{FillKind::Array, 0, 0}, std::make_shared<const std::string>(16, 'x')}},
                        {"y", {{FillKind::Integers, -1, 1}, nullptr}}};
    declared->outputs = {{"y", {{1, 0.5, 4}, true, nullptr}}};
    declared->reference = plan();
    RunRequest request = run_request();
    request.problem = "mine";
    request.declared = std::move(declared);
    request.keep_outputs = true;
    return request;
}

KernelResult result() {
    KernelResult result;
    result.kernel = "matmul/tiled";
    result.size = {{"M", 3}, {"N", 2}};
    result.params = {{"TILE", std::int64_t{16}}};
    result.launches = {{"f", {16, 16}, {8, 8}, 0.5}};
    result.verdict = Verdict::Wrong;
    result.expected = Expectation{{Verdict::Wrong}, "why"};
    result.evidence = Evidence{"launch", "SIGSEGV", "C", "write", -7, std::vector<std::uint64_t>{1, 2, 3}};
    result.samples_ms = {5, 5.5};
    result.median_ms = 5.5;
    result.ci95_ms = Interval{5, kInfinity};
    result.speedup = Speedup{"matmul/naive", 5.1, Interval{4.9, 5.3}};
    result.wrong_elements = 2;
    result.first_wrong = {{{2, 1}, 12, -kInfinity, "C"}};
    result.kernel_info = KernelInfo{1, 2, 3, 4};
    result.diagnostics = {{Severity::Warning, "a.cl", 3, 4, "warning"}};
    result.hints = {{12, "hint"}};
    result.warnings = {remark("noisy")};
    result.output = "printed\n";
    result.error_map = ErrorMap{"C", 1, 2, {0.5f, 1.5f}, MapExtents{1, 4}};
    result.error_map->worst_elements = {{1, 2, 2.5}, {3, 12, -kInfinity}};
    return result;
}

ExecuteRequest execute_request() {
    ExecuteRequest request;
    request.program = 1;
    Launch launch;
    launch.kernel = "f";
    launch.global = {64};
    launch.local = {8};
    launch.arguments = {BufferArgument{1}, ValueArgument{{1, 0, 0, 0}}, LocalArgument{1024}};
    launch.swap = {1, 2};
    request.launches = {launch};
    request.before_first = {{1, {255, 255, 255, 127}, std::nullopt}};
    request.before_run = {{2, {}, 3}};
    request.inputs = {{1, 128}};
    request.download = {{1, 4096}};
    return request;
}

BuiltReply built_reply() {
    FunctionInfo function;
    function.name = "f";
    function.arguments = {{"A", "float*", AddressSpace::Global, true}};
    function.required_local = {8, 8, 1};
    return {true, "a.cl:1:1: warning: w", 12.5, {function}};
}

FaultNote fault_note() {
    FaultNote note;
    note.access = FaultNote::Access::Write;
    note.buffer = 2;
    note.offset = -4;
    note.address = UINT64_MAX;
    note.work_item = std::vector<std::uint64_t>{1, 2, 3};
    return note;
}

void put(const fs::path& file, const Json& json, const std::string& attachment = "") {
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out << dump_json(json);
    if (!attachment.empty()) out << '\n' << attachment;
}

void put_judge_messages(const fs::path& folder) {
    put(folder / "hello", make_hello("kwb-judge"));
    put(folder / "ask_devices", to_json(JudgeRequest(ListDevices{})));
    put(folder / "run", to_json(JudgeRequest(run_request())));
    const JudgeRequest declared = declared_request();
    put(folder / "run_declared", to_json(declared), contents_of(declared));
    put(folder / "stop", to_json(JudgeRequest(StopRun{})));
    put(folder / "expect", to_json(JudgeRequest(ExpectRuns{"pocl:0"})));
    const auto put_event = [&](const char* name, const JudgeEvent& event) {
        const Outgoing outgoing = to_outgoing(event);
        put(folder / name, outgoing.json, outgoing.attachment);
    };
    put_event("output", OutputEvent{1,
                                    {"y", {Scalar::Int8, 1}, Access::Write, {3}},
                                    std::make_shared<const std::string>("abc")});
    put_event("devices", device_list());
    put_event("progress", Progress{"time", "matmul/tiled", 3, 40, 5.5, Interval{5, 6}});
    put_event("result", ResultEvent{0, result()});
    put_event("result_empty", ResultEvent{});
    put_event("done", DoneEvent{});
    put_event("error", ErrorEvent{"no device"});
}

void put_runner_messages(const fs::path& folder) {
    put(folder / "confine", to_json(ConfineRequest{{{"/usr"}, {"/tmp"}, {"/dev/dri"}}}));
    put(folder / "ask_devices", to_json(DevicesRequest{}));
    put(folder / "open", to_json(OpenRequest{1}));
    put(folder / "warm_up", to_json(WarmUpRequest{}));
    put(folder / "build", to_json(BuildRequest{1, "a.cl", "void f() {}", {{"a.h", "text"}}, "-DTILE=16"}));
    put(folder / "buffers", to_json(BuffersRequest{{{1, 128, 4096, 128}}, true, true}));
    put(folder / "upload", to_json(UploadRequest{{{1, 4096}}}));
    put(folder / "execute", to_json(execute_request()));
    put(folder / "prepare", to_json(PrepareRequest{{{1, 128}}}));
    put(folder / "launch", to_json(LaunchRequest{}));
    put(folder / "confined", to_json(ConfinedReply{}));
    put(folder / "devices", to_json(device_list()));
    put(folder / "opened", to_json(OpenedReply{}));
    put(folder / "built", to_json(built_reply()));
    put(folder / "allocated", to_json(AllocatedReply{}));
    put(folder / "uploaded", to_json(UploadedReply{1.5}));
    put(folder / "executed", to_json(ExecutedReply{2, {2, 2.5}, 3, 4}));
    put(folder / "stage", to_json(StageNote{kFirstLaunchStage}));
    put(folder / "fault", to_json(fault_note()));
    put(folder / "failed", to_json(FailedReply{"clBuildProgram", "CL_OUT_OF_RESOURCES", -5, "a", "b"}));
}

void put_seeds(const fs::path& folder, const std::vector<Seed>& seeds) {
    fs::create_directories(folder);
    for (const Seed& seed : seeds) std::ofstream(folder / seed.name, std::ios::binary) << seed.bytes;
}

/// The compiler's syntax tree of a source as expected by the target `syntax_tree`: without the leading
/// built-in declarations, and with the files in /f/.
std::string tree_of(const std::string& compiler, const std::string& source) {
    const source::CompilerAnswer answer = source::read_syntax_tree(compiler, {source});
    const std::size_t start = answer.output.find('{');
    if (start == std::string::npos) throw std::runtime_error("no tree: " + answer.failure + answer.messages);
    Json tree = Json::parse(answer.output.substr(start));
    Json own = Json::array();
    for (Json& declaration : tree["inner"])
        if (!own.empty() || dump_json(declaration).find(source::kMainName) != std::string::npos)
            own.push_back(std::move(declaration));
    tree["inner"] = std::move(own);
    std::string text = dump_json(tree);
    for (std::size_t at = text.find(answer.folder); at != std::string::npos; at = text.find(answer.folder))
        text.replace(at, answer.folder.size(), "/f/");
    return text;
}

void put_trees(const fs::path& folder, const std::vector<Seed>& sources) {
    const auto compiler = source::find_compiler();
    if (!compiler) throw std::runtime_error(source::explain_missing_compiler());
    std::vector<Seed> trees;
    for (const Seed& source : sources) trees.push_back({source.name, tree_of(*compiler, source.bytes)});
    put_seeds(folder, trees);
}

}  // namespace
}  // namespace kwb::fuzz

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: fuzz_seeds FOLDER\n";
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    using namespace kwb::fuzz;
    put_seeds(folder / "build_log", build_logs());
    put_seeds(folder / "expression", expressions());
    put_seeds(folder / "frame", frames());
    put_seeds(folder / "front_matter", front_matters());
    put_trees(folder / "syntax_tree", odd_sources());
    put_seeds(folder / "npy", arrays());
    put_seeds(folder / "png", pictures());
    put_seeds(folder / "t1", t1_files());
    put_judge_messages(folder / "judge_messages");
    put_runner_messages(folder / "runner_messages");
    return 0;
}
