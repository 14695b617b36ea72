// Other people's files in the window: each example of docs/own-kernels.md from opening it to its verdict,
// with the real judge and nothing but pointer and keyboard.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gui/gui_driver.hpp"
#include "gui/stage.hpp"
#include "gui/workspace.hpp"
#include "support/watched_desk.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
namespace fs = std::filesystem;

struct Field {
    const char* name;  ///< of the form
    const char* text;
};

struct Example {
    const char *file, *problem;
    const char* numbers;  ///< null: those of the problem
    const char* entry;    ///< null: the file has one function
    Sizes sizes;          ///< empty: those of the problem
    std::vector<Field> fields;
};

const std::vector<Example>& examples() {
    static const std::vector<Example> all = {
        {"gemm_rows.cl",
         "matmul",
         nullptr,
         nullptr,
         {{"M", 33}, {"N", 17}, {"K", 20}},
         {{"args", "M, N, K"}}},
        {"transpose_block.cl",
         "transpose",
         nullptr,
         nullptr,
         {{"M", 48}, {"N", 48}},
         {{"args", "offset = 0"}, {"local", "16x16"}, {"local_mem", "block = 16*17"}}},
        {"convolve.cl",
         "convolution",
         nullptr,
         nullptr,
         {},
         {{"defines", "IMAGE_WIDTH = W+F-1; OUT_WIDTH = W; OUT_HEIGHT = H; MASK_WIDTH = F"}}},
        {"level1.cl", "saxpy", nullptr, "saxpy", {{"N", 1000}}, {}},
        {"level1.cl", "copy", nullptr, "scopy", {{"N", 1000}}, {}},
        {"level1.cl",
         "saxpy",
         nullptr,
         "saxpby",
         {{"N", 1000}},
         {{"args", "ab = [alpha, 1], xv = X, yv = Y"}}},
        {"histogram256.cl",
         "histogram",
         nullptr,
         nullptr,
         {},
         {{"defines", "NUM_BINS = BINS"},
          {"local", "64"},
          {"global", "1024"},
          {"local_mem", "localBins = BINS"},
          {"init", "H = 0"}}},
        {"numbers.cl",
         "matmul",
         "double",
         "multiply",
         {{"M", 33}, {"N", 17}, {"K", 20}},
         {{"defines", "T = double"}, {"global", "N, M"}}},
        {"numbers.cl",
         "convolution",
         "float4",
         "convolve",
         {},
         {{"defines", "T = float4"}, {"global", "W, H"}}},
        {"numbers.cl", "scan", "uint", "prefix", {{"N", 1000}}, {{"defines", "T = uint"}, {"global", "1"}}},
    };
    return all;
}

TEST_CASE("each example of docs/own-kernels.md reaches its verdict with pointer and keyboard alone") {
    ::setenv("XDG_CACHE_HOME", KWB_TEST_CACHE, 1);
    for (const Example& example : examples()) {
        CAPTURE(example.file);
        CAPTURE(example.problem);
        if (example.entry != nullptr) CAPTURE(example.entry);
        TempFolder folder;
        fs::copy(KWB_OWN_KERNELS, folder / "theirs", fs::copy_options::recursive);
        WindowlessStage stage(1800, 1500);
        DeskOptions options;
        options.judge = {KWB_JUDGE_PROGRAM};
        options.kernel_folders = {KWB_SHIPPED_KERNELS};
        WatchedDesk desk(std::move(options));
        desk.wait_for_rest();
        Workspace workspace(*desk);
        GuiDriver driver(stage, workspace);
        if (example.problem != desk.state().choices.problem) {
            driver.click("experiment/problem");
            driver.click("experiment/problem/option/" + std::string(example.problem));
        }
        if (example.numbers != nullptr) {
            driver.click("experiment/problem");
            driver.click("experiment/problem/numbers");
            driver.click("experiment/problem/numbers/" + std::string(example.numbers));
            driver.key(plain(Key::Escape));
            driver.settle();
        }
        Choices choices = desk.state().choices;
        if (!example.sizes.empty()) choices.sizes = example.sizes;
        choices.time_budget_ms = 50;
        desk->perform(command::Choose{choices});

        const std::size_t index = desk.state().choices.contestants.size();
        workspace.open_files({folder / "theirs" / example.file});
        driver.wait_until("it takes part",
                          [&] { return desk.state().preview.contestants.size() == index + 1; });
        const auto preview = [&]() -> const Preview::Contestant& {
            return desk.state().preview.contestants.back();
        };
        driver.wait_until("the form is shown", [&] {
            return preview().is_bare && (example.entry == nullptr || preview().functions.size() > 1);
        });
        driver.settle();
        const std::string id = "experiment/contestant/" + std::to_string(index);
        if (example.entry != nullptr) {
            driver.click(id + "/own/entry");
            driver.click(id + "/own/entry/option/" + example.entry);
        }
        for (const auto& [name, text] : example.fields) {
            const std::string field = id + "/own/" + name;
            driver.wait_until("there is the field " + field, [&] { return driver.has(field); });
            driver.click(field);
            driver.type(text);
            driver.key(plain(Key::Enter));
            driver.settle();
        }
        driver.wait_until("its launch is complete",
                          [&] { return !preview().obstacle && !preview().notes.empty(); });
        driver.click(id + "/more");
        driver.click(id + "/run");
        driver.wait_until(
            "it has its verdict", [&] { return !desk.state().is_busy && desk.state().shown; }, 60);
        driver.settle();
        REQUIRE(desk.state().shown->run.results.size() == 1);
        const KernelResult& result = desk.state().shown->run.results[0];
        CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
        CHECK(driver.at("answer/verdict/0").label.find("correct") != std::string::npos);
    }
}

}  // namespace
}  // namespace kwb::test
