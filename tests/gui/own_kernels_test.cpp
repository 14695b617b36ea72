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

constexpr int kMostClicks = 5;

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

TEST_CASE("each example of docs/own-kernels.md is five clicks away from its verdict") {
    const std::vector<Example> examples = read_examples();
    CHECK(examples.size() == 10);
    for (const Example& example : examples) {
        CAPTURE(example.line);
        Scene scene;
        scene.open(example.file);
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

TEST_CASE("lists and fields say the same as a line of options") {
    Scene scene;
    scene.open("numbers.cl");
    scene.click("experiment/problem");
    scene.click("experiment/problem/option/convolution");
    scene.click("experiment/problem");
    scene.click("experiment/problem/numbers");
    scene.click("experiment/problem/numbers/float4");
    scene.driver.key(plain(Key::Escape));
    scene.driver.settle();
    scene.click(scene.own("entry"));
    scene.click(scene.own("entry/option/convolve"));
    scene.type_into(scene.own("defines"), "T = float4");
    scene.type_into(scene.own("global"), "W, H");
    scene.shrink();
    scene.run();
    CHECK_MESSAGE(scene.result().verdict == Verdict::Correct, scene.result().reason);
}

}  // namespace
}  // namespace kwb::test
