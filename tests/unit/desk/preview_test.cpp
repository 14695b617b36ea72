// SPDX-License-Identifier: Apache-2.0
#include "desk/preview.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "experiment/check_names.hpp"
#include "experiment/opened_experiment.hpp"
#include "model/finding_words.hpp"
#include "model/json.hpp"
#include "problems/problem.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using kwb::test::TempFolder;

namespace {

constexpr const char* kNaive =
    "/*+++\ntitle = 'Naive'\nproblem = 'matmul'\n[launch]\nkernel = 'k'\nlocal = [16, 16]\n"
    "global = ['round_up(N, local.x)', 'round_up(M, local.y)']\n+++*/\n__kernel void k(__global float* C) { "
    "}\n";
constexpr const char* kTiled =
    "/*+++\ntitle = 'Tiled'\nproblem = 'matmul'\n[params]\nTILE = [16, 8, 32, 128]\nPAD = [0, 1]\n[launch]\n"
    "kernel = 'k'\nlocal = ['TILE', 'TILE']\nglobal = ['round_up(N, TILE)', 'round_up(M, TILE)']\n"
    "[require]\nfits = 'TILE * TILE <= device.max_work_group_size'\n+++*/\n__kernel void k(__global float* "
    "C) { }\n";
constexpr const char* kExact =  // runs only if the work-group size divides the global size
    "/*+++\nproblem = 'matmul'\n[launch]\nkernel = 'k'\nlocal = [16, 16]\nglobal = ['N', 'M']\n+++*/\n"
    "__kernel void k(__global float* C) { }\n";
constexpr const char* kScratchy =
    "/*+++\nproblem = 'matmul'\n[launch]\nkernel = 'k'\nlocal = [16, 16]\nglobal = ['round_up(N, 16)', "
    "'round_up(M, 16)']\n"
    "local_mem = {t = 20000}\n+++*/\n__kernel void k(__global float* C, __local float2* restrict t) { }\n";
constexpr const char* kCopy =
    "/*+++\nproblem = 'copy'\n[launch]\nkernel = 'k'\nlocal = [64]\nglobal = ['round_up(N, 64)']\n+++*/\n"
    "__kernel void k(__global float* Y) { }\n";

DeviceInfo test_device() {
    DeviceInfo device;
    device.id = "pocl:0";
    device.name = "the device";
    device.max_work_group_size = 1024;
    device.max_work_item_sizes = {1024, 1024, 64};
    device.local_mem_bytes = 64 << 10;
    device.global_mem_bytes = 1u << 30;
    device.max_alloc_bytes = 1u << 28;
    return device;
}

/// Kernels by short name, and previews of choices among them.
struct Screen {
    TempFolder folder;
    OpenedKernels kernels;
    Experiment choices;
    DeviceInfo here = test_device();

    Screen() {
        add("naive", kNaive);
        add("tiled", kTiled);
        add("exact", kExact);
        add("scratchy", kScratchy);
        add("copy", kCopy);
        add("bare", "__kernel void k(__global float* C) { }\n");
        kernels.push_back({"gone", {std::nullopt, "gone.cl: no such file"}});
        choices.problem = "matmul";
        choices.sizes = {{"M", 512}, {"N", 512}, {"K", 512}};
    }
    void add(const std::string& name, const char* text) {
        OpenedKernel opened{open_kernel_file(folder.write(name + ".cl", text), name), ""};
        opened.functions = find_kernel_functions(source_text_of(*opened.kernel));
        kernels.push_back({name, std::move(opened)});
    }
    Preview choose(std::vector<Experiment::Contestant> contestants) {
        choices.contestants = std::move(contestants);
        return make_preview(choices, kernels, &here);
    }
    Preview::Contestant one(const Experiment::Contestant& contestant) {
        return choose({contestant}).contestants.at(0);
    }
};

bool has(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

bool preview_says(const std::optional<std::string>& sentence, std::initializer_list<const char*> parts) {
    if (!sentence) return false;
    for (const char* part : parts)
        if (sentence->find(part) == std::string::npos) {
            MESSAGE(*sentence);
            return false;
        }
    return true;
}

}  // namespace

TEST_CASE("the default time budget, and any longer one, may be extended until there are intervals") {
    Screen scene;
    for (const double budget_ms : {kDefaultTimeBudgetMs, 3 * kDefaultTimeBudgetMs}) {
        scene.choices.time_budget_ms = budget_ms;
        const Preview preview = scene.choose({{"naive", {}, ""}});
        REQUIRE(preview.request);
        CHECK(preview.request->interval_budget_ms == kDefaultIntervalBudgetMs);
    }
}

TEST_CASE("a choice that fits becomes a request of just what was chosen") {
    Screen scene;
    scene.choices.seed = 7;
    scene.choices.baseline = 1;
    scene.choices.time_budget_ms = 250;
    scene.choices.timeout_ms = 5000;
    const Preview preview =
        scene.choose({{"naive", {}, "32x8"}, {"tiled", {{"PAD", "1"}}, "8x8"}, {kHostBlasName, {}, ""}});
    CHECK(!preview.obstacle);
    REQUIRE(preview.request);
    const RunRequest& request = *preview.request;
    CHECK(request.device == "pocl:0");
    CHECK(request.seed == 7);
    CHECK(request.baseline == 1);
    CHECK(request.time_budget_ms == 250);
    CHECK(!request.interval_budget_ms);  // because the time budget is short
    CHECK(request.timeout_ms == 5000);
    REQUIRE(request.contestants.size() == 3);
    CHECK(*request.contestants[0].kernel->launches[0].local == std::vector<std::uint64_t>{32, 8});
    const KernelPlan& tiled = *request.contestants[1].kernel;
    CHECK(tiled.params == ParamChoice{{"TILE", std::int64_t{8}}, {"PAD", std::int64_t{1}}});
    CHECK(*tiled.launches[0].local == std::vector<std::uint64_t>{8, 8});
    CHECK(!request.contestants[2].kernel);
    CHECK(preview.device_bytes == 3u * 512 * 512 * 4);
    CHECK(preview.contestants[0].geometry == "16 \u00d7 64 work-groups of 32 \u00d7 8");
    CHECK(preview.contestants[0].launch.global == std::vector<std::uint64_t>{512, 512});
    CHECK(preview.contestants[0].launch.local == std::vector<std::uint64_t>{32, 8});
    CHECK(preview.contestants[0].launch.along == std::vector<std::string>{"N", "M"});
    CHECK(preview.contestants[2].launch.global.empty());
    CHECK(preview.contestants[1].params[0].chosen == "8");
    CHECK(preview.contestants[1].params[0].values == std::vector<std::string>{"16", "8", "32", "128"});
    CHECK(preview.contestants[1].label == "tiled");
}

TEST_CASE("the same choices become the same request in a window and in a terminal") {
    Screen scene;
    scene.choices.seed = 7;
    scene.choices.timeout_ms = 5000;
    scene.choices.unreadable_pages = true;
    scene.choices.contestants = {{"naive", {}, "8x8"}, {"tiled", {{"PAD", "1"}}, "8x8"}};
    const Preview preview = make_preview(scene.choices, scene.kernels, &scene.here, {}, PreviewFor::Run);
    REQUIRE(preview.request);
    OpenedExperiment experiment;
    experiment.contestants = {find_named(scene.kernels, "naive")->kernel,
                              find_named(scene.kernels, "tiled")->kernel};
    experiment.choices.params = {{"PAD", "1"}};
    experiment.choices.local = {8, 8};
    experiment.seed = 7;
    experiment.timeout_ms = 5000;
    experiment.unreadable_pages = true;
    const RunRequest typed = make_request(experiment, get_problem("matmul"), scene.choices.sizes, scene.here);
    CHECK(dump_json(to_json(typed)) == dump_json(to_json(*preview.request)));
}

TEST_CASE("what a terminal refuses is an obstacle in a window, each in its own words") {
    Screen scene;
    const Preview::Contestant shown = scene.one({"tiled", {{"TILE", "7"}}, ""});
    CHECK(
        preview_says(shown.obstacle, {"tiled: parameter TILE cannot be 7. Choose one of 16, 8, 32 and 128"}));
    OpenedExperiment experiment;
    experiment.contestants = {find_named(scene.kernels, "tiled")->kernel};
    experiment.choices.params = {{"TILE", "7"}};
    CHECK_THROWS_WITH_AS(
        make_request(experiment, get_problem("matmul"), scene.choices.sizes, scene.here),
        "tiled: parameter TILE cannot be 7. Choose one of 16, 8, 32 and 128 (--force accepts others)",
        Refused);
}

TEST_CASE("each contestant has its own work-group and parameters, also of one kernel") {
    Screen scene;
    const Preview preview =
        scene.choose({{"tiled", {}, ""}, {"tiled", {}, "8x8"}, {"tiled", {{"TILE", "32"}}, ""}});
    REQUIRE(preview.request);
    CHECK(preview.contestants[0].label == "tiled 16x16");
    CHECK(preview.contestants[1].label == "tiled 8x8");
    CHECK(preview.contestants[2].label == "tiled 32x32");
}

TEST_CASE("work-groups offered for a literal one are powers of two that fit the device, the own one first") {
    Screen scene;
    const auto offered = scene.one({"naive", {}, ""}).locals;
    REQUIRE(!offered.empty());
    CHECK(offered.front() == "16x16");
    for (const char* good : {"8x8", "32x32", "32x8", "64x1", "1024x1", "auto"}) CHECK(has(offered, good));
    for (const char* bad : {"64x32", "2048x1"}) CHECK(!has(offered, bad));
    CHECK(std::set<std::string>(offered.begin(), offered.end()).size() == offered.size());
    scene.here.max_work_item_sizes = {1024, 4, 64};
    CHECK(!has(scene.one({"naive", {}, ""}).locals, "8x8"));
}

TEST_CASE("work-groups that do not divide are not offered") {
    Screen scene;
    scene.choices.sizes = {{"M", 520}, {"N", 520}, {"K", 16}};
    const auto offered = scene.one({"exact", {}, ""}).locals;
    CHECK(has(offered, "8x8"));
    CHECK(!has(offered, "32x32"));
}

TEST_CASE(
    "work-groups offered for an expression are what the listed values yield and the requirements allow") {
    Screen scene;
    CHECK(scene.one({"tiled", {}, ""}).locals == std::vector<std::string>{"16x16", "8x8", "32x32"});
    scene.here.max_work_group_size = 256;
    CHECK(scene.one({"tiled", {}, ""}).locals == std::vector<std::string>{"16x16", "8x8"});
}

TEST_CASE("every work-group that is offered can be run") {
    Screen scene;
    for (const char* kernel : {"naive", "tiled", "exact"})
        for (const std::int64_t edge : {512, 520, 7}) {
            scene.choices.sizes = {{"M", edge}, {"N", edge}, {"K", edge}};
            const auto offered = scene.one({kernel, {}, ""}).locals;
            for (std::size_t i = 1; i < offered.size(); ++i) {
                CAPTURE(kernel);
                CAPTURE(edge);
                CAPTURE(offered[i]);
                CHECK(!scene.one({kernel, {}, offered[i]}).obstacle);
            }
        }
}

TEST_CASE("what a kernel cannot be run with is said in the words of a window, and the others run") {
    Screen scene;
    const Preview preview = scene.choose({{"naive", {}, ""},
                                          {"naive", {}, "64x64"},
                                          {"naive", {}, "nonsense"},
                                          {"tiled", {}, "10x10"},
                                          {"tiled", {{"TILE", "7"}}, ""},
                                          {"tiled", {{"TILE", "128"}}, ""},
                                          {"bare", {}, ""},
                                          {"gone", {}, ""}});
    CHECK(!preview.obstacle);
    REQUIRE(preview.request);
    const auto& all = preview.contestants;
    CHECK(!all[0].obstacle);
    CHECK(preview_says(all[1].obstacle, {"4096 work-items", "at most 1024", "32x32"}));
    CHECK(preview_says(all[2].obstacle, {"nonsense", "16x16"}));
    CHECK(preview_says(all[3].obstacle, {"10x10", "Possible: 16x16, 8x8"}));
    CHECK(preview_says(all[4].obstacle, {"TILE", "7", "16, 8, 32 and 128"}));
    CHECK(preview_says(all[5].obstacle, {"fits", "TILE * TILE"}));
    CHECK(preview_says(all[6].obstacle, {"front matter", "problem", "kwb adopt"}));
    CHECK(preview_says(all[7].obstacle, {"gone.cl: no such file"}));
    for (const Preview::Contestant& one : all) {
        if (!one.obstacle) continue;
        std::string text = *one.obstacle;
        // Except in commands to be typed in a terminal.
        for (std::size_t command; (command = text.find("'kwb ")) != std::string::npos;)
            text.erase(command, text.find('\'', command + 1) + 1 - command);
        CHECK(text.find("--") == std::string::npos);
    }
    // Even so they are in the request, and the judge gives them a verdict.
    REQUIRE(preview.request->contestants.size() == 8);
    for (std::size_t i = 1; i < 8; ++i) {
        const auto& plan = preview.request->contestants[i].kernel;
        REQUIRE(plan);
        REQUIRE(plan->refusal);
        CHECK(sentence_of(*plan->refusal, Face::Window) == all[i].obstacle);
    }
}

TEST_CASE("where nothing can run, the preview says why and has no request") {
    Screen scene;
    CHECK(preview_says(scene.choose({}).obstacle, {"No kernel is chosen"}));
    CHECK(preview_says(scene.choose(std::vector<Experiment::Contestant>(9, {"naive", {}, ""})).obstacle,
                       {"9", "at most 8"}));
    CHECK(preview_says(scene.choose({{"bare", {}, ""}}).obstacle, {"front matter"}));
    CHECK(preview_says(scene.choose({{"bare", {}, ""}, {"gone", {}, ""}}).obstacle, {"None of these"}));
    CHECK(preview_says(scene.choose({{"copy", {}, ""}}).obstacle,
                       {"copy solves copy", "the chosen problem is matmul"}));
    CHECK(preview_says(make_preview(scene.choices, scene.kernels, nullptr).obstacle, {"No OpenCL device"}));
    scene.choices.sizes = {{"M", 0}, {"N", 1}, {"K", 1}};
    CHECK(preview_says(scene.choose({{"naive", {}, ""}}).obstacle, {"M is 0", "at least 1"}));
    scene.choices.sizes = {{"N", 1}};
    CHECK(preview_says(scene.choose({{"naive", {}, ""}}).obstacle, {"M, N and K"}));
    scene.choices.problem = "nothing";
    CHECK(preview_says(scene.choose({{"naive", {}, ""}}).obstacle, {"unknown problem 'nothing'"}));
    CHECK(!scene.choose({{"naive", {}, ""}}).request);
}

TEST_CASE("buffers that the device cannot hold are an obstacle before anything runs") {
    Screen scene;
    scene.choices.sizes = {{"M", 16384}, {"N", 16384}, {"K", 16}};
    const Preview large = scene.choose({{"naive", {}, ""}});
    CHECK(preview_says(large.obstacle, {"buffer C needs 1 GiB", "256 MiB", "smaller size"}));
    CHECK(large.obstacle->find("--size") == std::string::npos);
    CHECK(large.device_bytes > 1u << 30);
    scene.choices.sizes = {{"M", 2048}, {"N", 2048}, {"K", 2048}};
    CHECK(!scene.choose({{"naive", {}, ""}}).obstacle);
    scene.here.global_mem_bytes = 40u << 20;
    CHECK(preview_says(scene.choose({{"naive", {}, ""}}).obstacle, {"all buffers together need 48 MiB"}));
}

TEST_CASE("a size that is too large to be checked is an obstacle before anything runs") {
    Screen scene;
    scene.choices.sizes = {{"M", 2048}, {"N", 2048}, {"K", 2048}};
    scene.choices.contestants = {{"naive", {}, ""}};
    const auto obstacle = [&](std::uint64_t free_mib) {
        const DeviceList known{.free_memory_bytes = free_mib << 20};
        return make_preview(scene.choices, scene.kernels, &scene.here, known).obstacle;
    };
    // 4 Mi elements each: inputs 3 * 4 bytes, the output 4 * 4 + 2 * (8 + 4), and 4 of each shared with the
    // runner.
    CHECK(!obstacle(0));
    CHECK(!obstacle(304));
    CHECK(preview_says(obstacle(303),
                       {"checking the result needs 304 MiB", "303 MiB are free", "smaller size"}));
    scene.choices.sizes = {{"M", 1}, {"N", 1}, {"K", (1 << 23) + 1}};
    CHECK(preview_says(obstacle(0), {"K = 8388609 is too long to check", "8388608", "smaller size"}));
}

TEST_CASE("local memory of arguments is counted where its type is plain") {
    Screen scene;
    CHECK(preview_says(scene.one({"scratchy", {}, ""}).obstacle, {"156.2 KiB", "local memory", "64 KiB"}));
    scene.here.local_mem_bytes = 1 << 20;
    const Preview::Contestant fits = scene.one({"scratchy", {}, ""});
    CHECK(!fits.obstacle);
    REQUIRE(fits.warnings.size() == 1);
    CHECK(preview_says(fits.warnings[0], {"many GPUs have only 48 KiB"}));
    // Nothing is known about local memory before the source has been analysed.
    scene.here.local_mem_bytes = 64 << 10;
    for (auto& [name, opened] : scene.kernels) opened.functions.reset();
    CHECK(!scene.one({"scratchy", {}, ""}).obstacle);
}

TEST_CASE("a parameter that an edit removed from the file is ignored") {
    Screen scene;
    const Preview preview = scene.choose({{"naive", {{"TILE", "8"}}, ""}});
    CHECK(!preview.obstacle);
    CHECK(preview.contestants[0].params.empty());
}

TEST_CASE("a file without a problem is referred to the file that declares the chosen one") {
    Screen scene;
    scene.add(
        "own",
        "/*+++\n[problem]\nname = 'twice'\nsizes = {N = 64}\nreference = 'simple.cl'\n[problem.buffers]\n"
        "x = {shape = ['N']}\ny = {shape = ['N'], output = true}\n[launch]\nkernel = 'k'\nlocal = [16]\n"
        "global = ['round_up(N, 16)']\n+++*/\n__kernel void k(__global const float* x, __global float* y) "
        "{}\n");
    scene.choices.problem = "twice";
    scene.choices.sizes = {{"N", 100}};
    const Preview preview = scene.choose({{"own", {}, ""}, {"bare", {}, ""}});
    CHECK(preview_says(preview.contestants.at(1).obstacle, {"own.cl'", "problem = \"own.cl\""}));
}

TEST_CASE("a declared problem is available while its kernel is chosen") {
    Screen scene;
    const std::string head =
        "/*+++\n[problem]\nname = 'twice'\nsizes = {N = 64}\nreference = 'simple.cl'\n[problem.buffers]\n"
        "x = {shape = ['N']}\ny = {shape = ['N'], output = true}\n";
    const std::string rest =
        "[launch]\nkernel = 'k'\nlocal = [16]\nglobal = ['round_up(N, 16)']\n+++*/\n"
        "__kernel void k(__global const float* x, __global float* y) { }\n";
    scene.add("own", (head + rest).c_str());
    scene.choices.problem = "twice";
    scene.choices.sizes = {{"N", 100}};
    Preview preview = scene.choose({{"own", {}, ""}});
    REQUIRE(preview.obstacle);
    CHECK(preview.obstacle->find("simple.cl: cannot read") != std::string::npos);

    scene.folder.write("simple.cl",
                       "/*+++\n[launch]\nkernel = 's'\nglobal = ['N']\n+++*/\n__kernel void s() {}\n");
    preview = scene.choose({{"own", {}, ""}});
    REQUIRE(preview.request);
    REQUIRE(preview.request->declared);
    CHECK(preview.request->declared->instance.buffers.at(1).shape == std::vector<std::uint64_t>{100});
    CHECK(preview.request->declared->reference->launches.at(0).global == std::vector<std::uint64_t>{100});
    CHECK(preview.device_bytes == 800);

    preview = scene.choose({{"own", {}, ""}, {"naive", {}, ""}});
    REQUIRE(preview.contestants[1].obstacle);
    CHECK(preview.contestants[1].obstacle->find("solves matmul, but the chosen problem is twice") !=
          std::string::npos);
}

TEST_CASE("cpu:blas is offered for each problem that the processor's library solves, and for no other") {
    Screen scene;
    scene.choices.problem = "copy";
    scene.choices.sizes = {{"N", 1000}};
    CHECK(!scene.choose({{"copy", {}, ""}, {kHostBlasName, {}, ""}}).contestants.at(1).obstacle);
    scene.choices.problem = "scan";
    CHECK(preview_says(scene.one({kHostBlasName, {}, ""}).obstacle,
                       {"no routine for scan", "Remove cpu:blas", "matmul, transpose or copy"}));
}

TEST_CASE("a file without a problem is advised to take the chosen one") {
    Screen scene;
    scene.choices.problem = "scan";
    scene.choices.sizes = {{"N", 1000}};
    CHECK(preview_says(scene.one({"bare", {}, ""}).obstacle, {"does not name the problem that it solves",
                                                              "--problem scan'", "problem = \"scan\""}));
}
