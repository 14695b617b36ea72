// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>

#include "support/watched_desk.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

struct Scene {
    TempFolder folder;
    std::unique_ptr<WatchedDesk> desk;

    explicit Scene(std::vector<std::string> files = {}) {
        ::setenv("XDG_CACHE_HOME", KWB_TEST_CACHE, 1);
        DeskOptions options;
        options.judge.command = {KWB_JUDGE_PROGRAM};
        options.kernel_folders = {KWB_SHIPPED_KERNELS};
        for (const std::string& file : files) options.files.push_back(folder / file);
        desk = std::make_unique<WatchedDesk>(std::move(options));
        desk->wait_for_rest();
        Experiment choices = state().choices;
        choices.device = "pocl:0";
        choices.sizes = {{"M", 48}, {"N", 48}, {"K", 48}};
        choices.time_budget_ms = 100;
        (**desk).perform(to_choices(choices));
    }
    const DeskState& state() const { return desk->state(); }
    void run() {
        (**desk).perform(command::Run{});
        desk->wait_for_rest();
    }
};

}  // namespace

TEST_CASE("the kernels of a first start run on a real device, one of them with several work-groups") {
    Scene scene;
    REQUIRE(scene.state().choices.contestants.size() == 2);
    Experiment choices = scene.state().choices;
    choices.contestants.push_back({"matmul/tiled", {}, "8x8"});
    (**scene.desk).perform(to_choices(choices));
    CHECK(scene.state().preview.obstacle.value_or("") == "");
    scene.run();
    REQUIRE(scene.state().shown);
    const ShownRun& shown = *scene.state().shown;
    CHECK_MESSAGE(shown.error.empty(), shown.error);
    CHECK(shown.labels == std::vector<std::string>{"naive", "tiled 16x16", "tiled 8x8"});
    REQUIRE(shown.run.results.size() == 3);
    for (const KernelResult& result : shown.run.results) {
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        CHECK(result.median_ms);
    }
    CHECK(shown.run.environment.device == scene.state().device->name);
    CHECK(make_preview(scene.state().choices, {}, scene.state().device).contestants.size() == 3);
    // Each work-group size brings its own TILE, and so its own arrays.
    scene.desk->wait_until([](const DeskState& state) {
        const auto& previewed = state.preview.contestants;
        return previewed[1].launch.local_arrays.size() == 2 && previewed[2].launch.local_arrays.size() == 2;
    });
    const auto extents = [&](std::size_t i) {
        return scene.state().preview.contestants[i].launch.local_arrays[0].extents;
    };
    CHECK(extents(1) == std::vector<std::uint64_t>{16, 16});
    CHECK(extents(2) == std::vector<std::uint64_t>{8, 8});
    CHECK(scene.state().preview.contestants[0].launch.local_arrays.empty());
}

TEST_CASE("real kernels are experimented with after a run; the next run ends that, and is as sound as any") {
    Scene scene;
    scene.run();
    scene.desk->wait_until([](const DeskState& state) {
        return state.explaining && state.session->progress && state.session->progress->stage == "what if";
    });
    const auto asked = std::chrono::steady_clock::now();
    (**scene.desk).perform(command::Run{});
    scene.desk->wait_until(
        [](const DeskState& state) { return state.session->phase == Snapshot::Phase::Running; });
    const std::chrono::duration<double, std::milli> pause = std::chrono::steady_clock::now() - asked;
    MESSAGE("a run begins after " << pause.count() << " ms");
    scene.desk->wait_for_rest();
    REQUIRE(scene.state().shown);
    CHECK_MESSAGE(scene.state().shown->error.empty(), scene.state().shown->error);
    for (const KernelResult& result : scene.state().shown->run.results)
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
    scene.desk->wait_until([](const DeskState& state) {
        return std::ranges::all_of(state.shown->run.results,
                                   [](const KernelResult& result) { return result.effects.has_value(); });
    });
    for (const KernelResult& result : scene.state().shown->run.results) {
        CHECK(result.samples_ms.size() > 5);
        CHECK(std::ranges::any_of(*result.effects,
                                  [](const Effect& effect) { return effect.as_it_is_ms.has_value(); }));
    }
}

TEST_CASE("the same kernel is compared with itself on two devices") {
    ::setenv("POCL_DEVICES", "pthread pthread", 1);  // "basic" of PoCL 3.1 deadlocks in user events
    Scene scene;
    REQUIRE(scene.state().session->devices->devices.size() == 2);
    Experiment choices = scene.state().choices;
    choices.contestants = {{"matmul/tiled", {}, ""}, {"matmul/tiled", {}, "", "pocl:1"}};
    (**scene.desk).perform(to_choices(choices));
    CHECK(scene.state().preview.contestants[1].label == "tiled on pocl:1");
    scene.run();
    ::unsetenv("POCL_DEVICES");
    REQUIRE(scene.state().shown);
    const ShownRun& shown = *scene.state().shown;
    CHECK_MESSAGE(shown.error.empty(), shown.error);
    CHECK(shown.labels == std::vector<std::string>{"tiled on pocl:0", "tiled on pocl:1"});
    REQUIRE(shown.run.results.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const KernelResult& result = shown.run.results[i];
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        CHECK(result.median_ms);
        CHECK(result.device == "pocl:" + std::to_string(i));
    }
    for (const DeviceInfo& device : scene.state().session->devices->devices)
        CHECK(shown.run.environment.device.find(device.name) != std::string::npos);

    choices.contestants[1].device = "pocl:7";
    (**scene.desk).perform(to_choices(choices));
    CHECK(scene.state().preview.contestants[1].obstacle.value_or("").find("pocl:7 was not found") !=
          std::string::npos);
}

TEST_CASE("while a real run is under way every finished turn is in sight, and none is judged") {
    Scene scene;
    Experiment choices = scene.state().choices;
    choices.time_budget_ms = 600'000;
    for (auto& size : choices.sizes) size.value = 256;  // turns of about 100 ms: the run lasts long
    (**scene.desk).perform(to_choices(choices));
    (**scene.desk).perform(command::Run{});
    const auto rounds = [](const DeskState& state, std::size_t i) {
        return state.shown && i < state.shown->run.results.size()
                   ? state.shown->run.results[i].samples_ms.size()
                   : 0;
    };
    scene.desk->wait_until([&](const DeskState& state) {
        return state.shown && !state.shown->finished && rounds(state, 0) >= 2 && rounds(state, 1) >= 2;
    });
    const auto growing = scene.state().shown;
    CHECK(!growing->finished);
    for (const KernelResult& result : growing->run.results) {
        CHECK(!result.judged);
        CHECK(result.median_ms > 0.0);
    }
    (**scene.desk).perform(command::Stop{});
    scene.desk->wait_for_rest();
    const auto ended = scene.state().shown;
    for (std::size_t i = 0; i < growing->run.results.size(); ++i) {
        const std::vector<double>& early = growing->run.results[i].samples_ms;
        const std::vector<double>& all = ended->run.results.at(i).samples_ms;
        CHECK_MESSAGE(ended->run.results[i].verdict == Verdict::Correct, ended->run.results[i].reason);
        REQUIRE(all.size() >= early.size());
        CHECK(std::equal(early.begin(), early.end(), all.begin()));  // all early samples, once and in order
    }
}

TEST_CASE("a mistake is marked at its line, and its correction on disk runs by itself when live") {
    const std::string text = read_text(fs::path(KWB_SHIPPED_KERNELS) / "matmul" / "01_naive.cl");
    std::string broken = text;
    broken.replace(broken.find("float sum = 0.0f;"), 17, "float sum = zero;");
    TempFolder folder;
    Scene scene;
    const fs::path file = scene.folder.write("mine.cl", broken);
    Experiment choices = scene.state().choices;
    choices.contestants.clear();
    (**scene.desk).perform(to_choices(choices));
    (**scene.desk).perform(command::OpenFiles{{file}, true});
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK(scene.state().shown->run.results.at(0).verdict == Verdict::CompileError);
    const Document* shown = scene.state().find_document(*scene.state().front);
    REQUIRE(shown != nullptr);
    REQUIRE(!shown->marks().empty());
    CHECK(shown->buffer().line(shown->marks()[0].line).find("zero") != std::string::npos);

    choices = scene.state().choices;
    choices.live = true;
    (**scene.desk).perform(to_choices(choices));
    scene.folder.write("mine.cl", text);
    scene.desk->wait_until([](const DeskState& state) {
        return state.shown && state.shown->finished &&
               state.shown->run.results.at(0).verdict == Verdict::Correct;
    });
    CHECK(shown->marks().empty());
}

TEST_CASE("a barrier that somebody deletes is missed where X-ray sees the race, without a run") {
    Scene scene;
    const fs::path file =
        scene.folder.write("mine.cl", read_text(fs::path(KWB_SHIPPED_KERNELS) / "matmul" / "02_tiled.cl"));
    Experiment choices = scene.state().choices;
    choices.contestants.clear();
    (**scene.desk).perform(to_choices(choices));
    (**scene.desk).perform(command::OpenFiles{{file}, true});
    const auto shown = *std::ranges::find(scene.state().documents, file, &Document::path);
    editor::TextBuffer& text = shown->buffer();
    std::size_t line = text.line_count() - 1;
    while (text.line(line).find("barrier(") == std::string::npos) --line;
    text.replace({{line, 0}, {line, text.line_length(line)}}, "");
    (**scene.desk).perform(command::Edited{shown->id()});
    scene.desk->wait_until([&](const DeskState&) { return !shown->marks().empty(); });
    const LineMark mark = shown->marks().front();
    CHECK(mark.origin == LineMark::Origin::Xray);
    CHECK(mark.text.find("without a barrier between them") != std::string::npos);
    CHECK(scene.state().shown == nullptr);
    text.undo();
    (**scene.desk).perform(command::Edited{shown->id()});
    scene.desk->wait_until([&](const DeskState&) { return shown->marks().empty(); });
}

TEST_CASE("a long run stops when it is told to, and a sweep over two sizes follows") {
    Scene scene;
    Experiment choices = scene.state().choices;
    choices.time_budget_ms = 600'000;
    (**scene.desk).perform(to_choices(choices));
    (**scene.desk).perform(command::Run{});
    scene.desk->wait_until([](const DeskState& state) { return state.session->progress.has_value(); });
    (**scene.desk).perform(command::Stop{});
    scene.desk->wait_for_rest();
    CHECK(scene.state().shown->stopped);
    choices.time_budget_ms = 50;
    (**scene.desk).perform(to_choices(choices));
    (**scene.desk).perform(command::Sweep{{16, 32}});
    scene.desk->wait_for_rest();
    REQUIRE(scene.state().sweep->sizes.size() == 2);
    CHECK(scene.state().sweep->results[1].at(0).median_ms);
}

TEST_CASE("a declared problem is chosen with the first kernel that declares it, and runs") {
    Scene scene;
    const std::string arguments =
        "__global const float* x, __global float* y) { size_t i = get_global_id(0); ";
    const auto write_reference = [&](const std::string& body) {
        scene.folder.write("simple.cl",
                           "/*+++\n[launch]\nkernel = 's'\nglobal = ['N']\n+++*/\n__kernel void s(" +
                               arguments + body + " }\n");
    };
    write_reference("y[i] = x[i] + x[i];");
    const fs::path mine =
        scene.folder.write("mine.cl",
                           "/*+++\n[problem]\nname = 'twice'\nsizes = {N = 1000}\nreference = 'simple.cl'\n"
                           "[problem.buffers]\nx = {shape = ['N']}\ny = {shape = ['N'], output = true}\n"
                           "[launch]\nkernel = 'k'\nglobal = ['N']\n+++*/\n__kernel void k(" +
                               arguments + "y[i] = 2 * x[i]; }\n");
    Experiment choices = scene.state().choices;
    choices.contestants.clear();
    (**scene.desk).perform(to_choices(choices));
    (**scene.desk).perform(command::OpenFiles{{mine}});
    CHECK(scene.state().choices.problem == "twice");
    CHECK(scene.state().choices.sizes == Sizes{{"N", 1000}});
    CHECK(
        std::ranges::any_of(scene.state().problems, [](const auto& entry) { return entry.name == "twice"; }));
    CHECK(scene.state().preview.obstacle.value_or("") == "");
    scene.run();
    REQUIRE(scene.state().shown);
    CHECK_MESSAGE(scene.state().shown->run.results.at(0).verdict == Verdict::Correct,
                  scene.state().shown->run.results.at(0).reason);

    write_reference("y[i] = x[i];");
    scene.run();
    CHECK(scene.state().shown->run.results.at(0).verdict == Verdict::Wrong);
    write_reference("oops");
    scene.run();
    CHECK(scene.state().shown->run.results.at(0).verdict == Verdict::Skipped);
    CHECK(scene.state().shown->run.results.at(0).reason.find("does not compile") != std::string::npos);
    fs::remove(scene.folder / "simple.cl");
    scene.run();
    REQUIRE(scene.state().preview.obstacle);
    CHECK(scene.state().preview.obstacle->find("simple.cl: cannot read") != std::string::npos);
}

TEST_CASE("a blank of every problem can be run as it stands, and is told to be wrong") {
    Scene scene;
    for (const ProblemEntry& problem : std::vector(scene.state().problems)) {
        CAPTURE(problem.name);
        // Those before, which say no problem, would be taken to solve this one.
        Experiment cleared = scene.state().choices;
        cleared.contestants.clear();
        (**scene.desk).perform(to_choices(cleared));
        const fs::path file = scene.folder / ("blank_" + problem.name + ".cl");
        (**scene.desk).perform(command::NewKernel{file, {}, problem.name, command::NewKernel::Start::Blank});
        REQUIRE(scene.state().choices.contestants.back().kernel == file.string());
        scene.desk->wait_until([](const DeskState& state) {
            return !state.preview.contestants.back().obstacle.value_or("").ends_with("is being read");
        });
        CHECK(scene.state().preview.contestants.back().obstacle.value_or("") == "");
    }
    Experiment choices = scene.state().choices;
    for (auto& size : choices.sizes) size.value = std::min<std::int64_t>(size.value, 32);
    (**scene.desk).perform(to_choices(choices));
    (**scene.desk).perform(command::Run{choices.contestants.size() - 1});
    scene.desk->wait_for_rest();
    REQUIRE(scene.state().shown);
    CHECK(scene.state().shown->run.results.at(0).verdict == Verdict::Wrong);
}

// Other people's files, without a terminal.

TEST_CASE("each example of docs/own-kernels.md reaches its verdict from what a person says in the window") {
    const struct {
        const char *file, *problem;
        Sizes sizes;
        OwnText own;
    } examples[] = {
        {"gemm_rows.cl", "matmul", {{"M", 33}, {"N", 17}, {"K", 20}}, {.args = "M, N, K"}},
        {"transpose_block.cl",
         "transpose",
         {{"M", 48}, {"N", 48}},
         {.args = "offset = 0", .local = "16x16", .local_mem = "block = 16 * 17"}},
        {"convolve.cl",
         "convolution",
         {},
         {.defines = "IMAGE_WIDTH = W + F - 1; OUT_WIDTH = W; OUT_HEIGHT = H; MASK_WIDTH = F"}},
        {"level1.cl", "saxpy", {{"N", 1000}}, {.entry = "saxpy"}},
        {"level1.cl", "copy", {{"N", 1000}}, {.entry = "scopy"}},
        {"level1.cl", "saxpy", {{"N", 1000}}, {.entry = "saxpby", .args = "ab = [alpha, 1], xv = X, yv = Y"}},
        {"histogram256.cl",
         "histogram",
         {},
         {.global = "1024",
          .local = "64",
          .local_mem = "localBins = BINS",
          .defines = "NUM_BINS = BINS",
          .init = "H = 0"}},
    };
    for (const auto& [file, problem, sizes, own] : examples) {
        const auto& shown_file = file;
        CAPTURE(shown_file);
        const auto& shown_problem = problem;
        CAPTURE(shown_problem);
        const auto& shown_entry = own.entry;
        CAPTURE(shown_entry);
        Scene scene;
        const fs::path folder = scene.folder / "theirs";
        fs::copy(KWB_OWN_KERNELS, folder, fs::copy_options::recursive);
        const std::string kernel = (folder / file).string();
        Experiment choices = scene.state().choices;
        choices.problem = problem;
        (**scene.desk).perform(to_choices(choices));
        (**scene.desk).perform(command::OpenFiles{{kernel}, true});
        choices = scene.state().choices;
        choices.contestants = {{kernel, {}, ""}};
        choices.baseline = 0;
        if (!sizes.empty()) choices.sizes = sizes;
        put_named(choices.own, kernel, own);
        (**scene.desk).perform(to_choices(choices));
        scene.desk->wait_until(
            [](const DeskState& state) { return !state.preview.contestants.at(0).notes.empty(); });
        CHECK(scene.state().preview.contestants.at(0).obstacle.value_or("") == "");
        scene.run();
        REQUIRE(scene.state().shown);
        REQUIRE(scene.state().shown->run.results.size() == 1);
        const KernelResult& result = scene.state().shown->run.results[0];
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
    }
}
