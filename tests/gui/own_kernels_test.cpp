// SPDX-License-Identifier: Apache-2.0
// Other people's files in the window: each example of docs/own-kernels.md from opening it to its verdict,
// with the real judge and nothing but pointer and keyboard.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"
#include "base/text.hpp"
#include "gui/gui_driver.hpp"
#include "gui/stage.hpp"
#include "gui/workspace.hpp"
#include "support/watched_desk.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
namespace fs = std::filesystem;

constexpr int kMostClicks = 6;

struct Example {
    std::string file, line;
};

/// The commands of the document about the files that it comes with.
std::vector<Example> read_examples() {
    constexpr std::string_view kCommand = "kwb check ";
    std::vector<Example> examples;
    for (const std::string& line : split_lines(read_file(KWB_DOCS "/own-kernels.md"))) {
        if (!line.starts_with(kCommand)) continue;
        const std::string file = split(line.substr(kCommand.size()), ' ').front();
        if (fs::exists(fs::path(KWB_OWN_KERNELS) / file)) examples.push_back({file, line});
    }
    return examples;
}

/// The window as at the first start, with a folder of other people's files.
class Scene {
public:
    Scene() : folder_(temp_ / "theirs") {
        ::setenv("XDG_CACHE_HOME", KWB_TEST_CACHE, 1);
        fs::copy(KWB_OWN_KERNELS, folder_, fs::copy_options::recursive);
        desk.wait_for_rest();
        desk->perform(
            command::ChangeSettings{[&](Settings& settings) { settings.last_folder = folder_.string(); }});
    }

    /// With the pointer alone, in the dialog.
    void open(const std::string& file) {
        const std::size_t index = desk.state().choices.contestants.size();
        click("experiment/open");
        driver.wait_until("the dialog lists the folder", [&] { return desk.state().dialog.has_value(); });
        const auto& entries = desk.state().dialog->entries;
        const auto row = std::ranges::find(entries, file, &FolderEntry::name);
        REQUIRE(row != entries.end());
        driver.double_click("files/row/" + std::to_string(row - entries.begin()));
        clicks += 2;
        driver.wait_until("it takes part", [&] {
            return desk.state().choices.contestants.size() == index + 1 && preview().functions.size() > 0;
        });
        driver.settle();
    }

    void click(const std::string& id) {
        driver.wait_until("there is " + id, [&] { return driver.has(id); });
        driver.click(id);
        ++clicks;
    }

    void type_into(const std::string& field, const std::string& text) {
        click(field);
        driver.type(text);
        driver.key(plain(Key::Enter));
        driver.settle();
    }

    /// Not of interest here: how long a run takes.
    void shrink() {
        Experiment choices = desk.state().choices;
        for (auto& size : choices.sizes) size.value = std::min<std::int64_t>(size.value, 48);
        choices.time_budget_ms = 50;
        desk->perform(to_choices(choices));
        driver.settle();
    }

    void run() {
        driver.wait_until("its launch is complete",
                          [&] { return !preview().obstacle && !preview().notes.empty(); });
        click("experiment/run");
        driver.wait_until("it has its verdict", [&] { return !desk.state().is_busy && desk.state().shown; });
        driver.settle();
    }

    const Preview::Contestant& preview() const { return desk.state().preview.contestants.back(); }
    const KernelResult& result() const { return desk.state().shown->run.results.back(); }
    std::string own(const std::string& field) const {
        return "experiment/contestant/" + std::to_string(desk.state().choices.contestants.size() - 1) +
               "/own/" + field;
    }

private:
    static DeskOptions options() {
        DeskOptions options;
        options.judge.command = {KWB_JUDGE_PROGRAM};
        options.kernel_folders = {KWB_SHIPPED_KERNELS};
        return options;
    }

    TempFolder temp_;
    fs::path folder_;
    WindowlessStage stage_{1920, 1200};

public:
    WatchedDesk desk{options()};
    Workspace workspace{*desk};
    GuiDriver driver{stage_, workspace};
    int clicks = 0;
};

TEST_CASE("each example of docs/own-kernels.md is six clicks away from its verdict by its line of options") {
    const std::vector<Example> examples = read_examples();
    CHECK(examples.size() == 10);
    for (const Example& example : examples) {
        CAPTURE(example.line);
        Scene scene;
        scene.open(example.file);
        scene.click(scene.own("more"));
        scene.type_into(scene.own("line"), example.line);
        scene.shrink();
        scene.run();
        CHECK_MESSAGE(scene.result().verdict == Verdict::Correct, scene.result().reason);
        const std::string verdict =
            "experiment/contestant/" + std::to_string(scene.desk.state().choices.contestants.size() - 1);
        CHECK(scene.driver.has(verdict + "/verdict"));
        CHECK(scene.clicks <= kMostClicks);
        MESSAGE(scene.clicks << " clicks: " << example.line);
    }
}

/// The clicks in the form of each example, in the order of the document; "problem:…" and "numbers:…" choose
/// the problem, "a=b" an entry of the list of `a`.
const std::vector<std::vector<std::string>> kClicks = {
    {},
    {"problem:transpose", "local=16x16", "argument/block=local.x * (local.y + 1)"},
    {"problem:convolution", "macro/IMAGE_WIDTH=W + F - 1", "macro/OUT_WIDTH=W", "macro/OUT_HEIGHT=H",
     "macro/MASK_WIDTH=F"},
    {"problem:saxpy", "entry=saxpy"},
    {"problem:copy", "entry=scopy"},
    {"problem:saxpy", "entry=saxpby", "argument/ab=[alpha, 1]"},
    {"problem:histogram", "macro/NUM_BINS=BINS", "local=64", "global=1024", "argument/localBins=BINS",
     "init/H=0"},
    {"problem:matmul", "numbers:double", "entry=multiply", "macro/T=double", "global=N, M"},
    {"problem:convolution", "numbers:float4", "entry=convolve", "macro/T=float4", "global=W, H"},
    {"problem:scan", "numbers:uint", "entry=prefix", "macro/T=uint", "global=1"},
};

TEST_CASE("each example of docs/own-kernels.md gets from the drop to its verdict without typing") {
    const std::vector<Example> examples = read_examples();
    REQUIRE(examples.size() == kClicks.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
        CAPTURE(examples[i].line);
        Scene scene;
        scene.open(examples[i].file);
        for (const std::string& step : kClicks[i]) {
            CAPTURE(step);
            const std::size_t at = step.find_first_of(":=");
            const std::string what = step.substr(0, at), value = step.substr(at + 1);
            if (what == "problem" || what == "numbers") {
                scene.click("experiment/problem");
                if (what == "numbers") scene.click("experiment/problem/numbers");
                scene.click("experiment/problem/" + (what == "problem" ? "option" : what) + "/" + value);
                if (what == "numbers") scene.driver.key(plain(Key::Escape));
            } else {
                scene.click(scene.own(what));
                scene.click(scene.own(what + "/option/" + value));
            }
            scene.driver.settle();
        }
        scene.shrink();
        scene.driver.wait_until("it may run", [&] { return scene.driver.at(scene.own("run")).enabled; });
        scene.click(scene.own("run"));
        scene.driver.wait_until("it has its verdict", [&] {
            return !scene.desk.state().is_busy && scene.desk.state().shown &&
                   scene.desk.state().shown->finished;
        });
        CHECK_MESSAGE(scene.result().verdict == Verdict::Correct, scene.result().reason);
        MESSAGE(scene.clicks << " clicks: " << examples[i].line);
    }
}

}  // namespace
}  // namespace kwb::test
