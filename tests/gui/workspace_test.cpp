// The whole window on a real desk over a scripted judge, without any display.
#include <doctest/doctest.h>

#include "gui/desk_stage.hpp"
#include "gui/gui_driver.hpp"
#include "gui/workspace.hpp"
#include "session/settings.hpp"
#include "support/watched_desk.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
namespace fs = std::filesystem;

constexpr const char* kKernel =
    "/*+++\ntitle = 'Mine'\nproblem = 'matmul'\n[params]\nTILE = [16, 8]\n[launch]\nkernel = 'k'\n"
    "local = ['TILE', 'TILE']\nglobal = ['round_up(N, TILE)', 'round_up(M, TILE)']\n+++*/\n"
    "__kernel void k(__global float* C) { }\n";

/// Two kernels of its own on a desk; the judge does as it is told.
struct Scene {
    TempFolder folder;
    fs::path mine = folder.write("kernels/matmul/01_mine.cl", kKernel);
    fs::path other = folder.write("kernels/matmul/02_other.cl", kKernel);
    fs::path outside = folder.write("outside.cl", kKernel);
    std::unique_ptr<WatchedDesk> desk;
    WindowlessStage stage{1600, 1000};
    int full_screens = 0;
    std::unique_ptr<Workspace> workspace;
    std::unique_ptr<GuiDriver> driver;

    /// @param judges  see tests/support/fake_judge.cpp
    explicit Scene(const std::string& judges) {
        Settings settings;
        settings.kernels = {"matmul/mine", "matmul/other"};
        settings.sizes = {{"M", 64}, {"N", 64}, {"K", 64}};
        save_settings(settings, folder / "settings.toml");
        open(judges);
    }
    void open(const std::string& judges) {
        driver.reset();
        workspace.reset();
        desk.reset();
        DeskOptions options;
        options.judge = {KWB_FAKE_JUDGE_PROGRAM, (folder / "log").string(), judges};
        options.kernel_folders = {folder / "kernels"};
        options.settings_file = folder / "settings.toml";
        options.history_file = folder / "history.sqlite";
        desk = std::make_unique<WatchedDesk>(std::move(options));
        desk->wait_for_rest();
        WorkspaceOptions choices;
        choices.actions.toggle_full_screen = [this] { ++full_screens; };
        workspace = std::make_unique<Workspace>(**desk, choices);
        driver = std::make_unique<GuiDriver>(stage, *workspace);
    }
    const DeskState& state() const { return desk->state(); }
    void resize(int width, int height) {
        stage.resize(width, height);
        driver->settle();
    }
    void rest() {
        driver->wait_until("nothing runs any more", [&] { return !state().is_busy; });
        driver->settle();
    }
    void run() {
        driver->key(plain(Key::F5));
        rest();
    }
    std::string judge_log() const { return (folder / "log").string(); }
};

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_CASE("F5 runs what is chosen, and times, verdicts and history show it") {
    Scene scene("timed");
    CHECK(scene.driver->at("shell/subject").label ==
          "Matrix multiplication, C = A \u00b7 B  /  mine and other");
    CHECK(scene.driver->at("shell/state").label.starts_with("Ready"));
    scene.run();
    REQUIRE(scene.state().shown != nullptr);
    CHECK(scene.state().shown->run.results.size() == 2);
    CHECK(scene.driver->has("times/chart"));
    scene.driver->click("workspace/tab/history");
    REQUIRE(scene.state().history.size() == 1);
    CHECK(scene.driver->has("history/row/" + std::to_string(scene.state().history[0].id)));
    scene.driver->click("workspace/tab/correctness");
    CHECK(scene.driver->at("experiment/run").enabled);
}

TEST_CASE("the button Run does the same, and Stop and Escape end what does not end") {
    Scene scene("endless");
    scene.driver->click("experiment/run");
    scene.driver->wait_until("it is timed", [&] { return scene.workspace->timing_runs(); });
    scene.driver->settle();
    CHECK(mentions(scene.driver->at("shell/state").label, "Time \u00b7 mine"));
    scene.driver->click("experiment/stop");
    scene.rest();
    CHECK_FALSE(scene.workspace->timing_runs());
    scene.driver->key(plain(Key::F5));
    scene.driver->wait_until("it is timed again", [&] { return scene.workspace->timing_runs(); });
    scene.driver->key(plain(Key::Escape));
    scene.rest();
    REQUIRE(scene.state().shown != nullptr);
    CHECK(scene.state().shown->stopped);
}

TEST_CASE("live runs again on every change, and not without one") {
    Scene scene("timed");
    scene.driver->click("experiment/live");
    CHECK(scene.state().choices.live);
    scene.driver->click_at("experiment/size/slider", 0.6, 0.5);
    scene.rest();
    CHECK(scene.state().history.size() == 1);
    scene.driver->click("experiment/live");
    scene.driver->click_at("experiment/size/slider", 0.1, 0.5);
    scene.rest();
    CHECK(scene.state().history.size() == 1);
}

TEST_CASE("a judge that dies, hangs up or talks nonsense is a sentence, and the next run works") {
    for (const char* fault : {"run-segv", "run-exit", "run-garbage", "run-error", "run-cut", "too-few"}) {
        CAPTURE(fault);
        Scene scene(std::string(fault) + ";timed");
        scene.run();
        REQUIRE(scene.state().shown != nullptr);
        CHECK_FALSE(scene.state().shown->error.empty());
        CHECK(scene.driver->at("experiment/run").enabled);
        for (const std::string& layout : check_layout(scene.stage.look().probes(), 1600, 1000))
            FAIL_CHECK(layout);
    }
}

TEST_CASE("thousands of events do not keep the window from drawing") {
    Scene scene("chatty");
    scene.run();
    CHECK(scene.state().shown != nullptr);
}

TEST_CASE("Ctrl and a digit give a panel the keyboard, and bring it to the front") {
    Scene scene("good");
    CHECK_FALSE(scene.driver->has("history/filter"));
    scene.driver->key(ctrl(Key::Num5));
    scene.driver->settle();
    CHECK(scene.driver->has("history/filter"));
    CHECK(scene.driver->at("history/filter").active);
    scene.driver->key(ctrl(Key::Num1));
    scene.driver->settle();
    CHECK(scene.driver->at("experiment/device").focused);
    scene.driver->key(ctrl(Key::Num2));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->at("experiment/device").focused);
    scene.driver->key(ctrl(Key::Tab));
    scene.driver->key(ctrl_shift(Key::Tab));
    scene.driver->key(ctrl_shift(Key::Tab));
    scene.driver->settle();
    CHECK(scene.driver->at("experiment/device").focused);
}

TEST_CASE("panels are hidden and shown from View, and stay so") {
    Scene scene("good");
    scene.driver->click("workspace/view");
    scene.driver->click("workspace/view/source");
    CHECK_FALSE(scene.driver->has("workspace/area/top"));
    CHECK(scene.driver->has("workspace/area/bottom"));
    scene.open("good");
    CHECK_FALSE(scene.driver->has("workspace/area/top"));
    scene.driver->key(ctrl(Key::Num2));
    scene.driver->settle();
    CHECK(scene.driver->has("workspace/area/top"));
    for (const char* panel : {"experiment", "source", "times", "correctness", "history"}) {
        scene.driver->click("workspace/view");
        scene.driver->click("workspace/view/" + std::string(panel));
    }
    CHECK(scene.driver->has("workspace/nothing/title"));
}

TEST_CASE("splitters move by mouse and by keyboard, and are remembered") {
    Scene scene("good");
    const auto width = [&] { return scene.driver->at("workspace/area/left").full.width(); };
    const float before = width();
    scene.driver->drag("workspace/split/columns/left", "workspace/area/top");
    CHECK(width() > before + 100);
    const float dragged = width();
    REQUIRE(find_named(scene.state().settings.splits, "columns/left") != nullptr);
    scene.driver->key(plain(Key::Left));
    scene.driver->settle();
    CHECK(width() < dragged);
    const float moved = width();
    scene.open("good");
    CHECK(width() == doctest::Approx(moved).epsilon(0.01));
    scene.driver->double_click("workspace/split/columns/left");
    CHECK(width() == doctest::Approx(before).epsilon(0.01));
    const float height = scene.driver->at("workspace/area/top").full.height();
    scene.driver->drag("workspace/split/rows/middle", "workspace/area/bottom");
    CHECK(scene.driver->at("workspace/area/top").full.height() > height + 100);
}

TEST_CASE("theme and scale are remembered") {
    Scene scene("good");
    scene.driver->click("shell/theme");
    scene.driver->key(ctrl(Key::Equal));
    scene.driver->settle();
    CHECK(scene.state().settings.theme == kwb::Theme::Light);
    CHECK(scene.state().settings.scale == doctest::Approx(1.1));
    scene.stage.look().set_theme(gui::Theme::Dark);
    scene.stage.look().set_scale(1);
    scene.open("good");
    CHECK(scene.stage.look().theme() == gui::Theme::Light);
    CHECK(scene.stage.look().scale() == doctest::Approx(1.1));
}

TEST_CASE("Ctrl+O opens the file dialog, F1 the keys, F11 the full screen") {
    Scene scene("good");
    scene.driver->key(ctrl(Key::O));
    scene.driver->settle();
    CHECK(scene.driver->has("files/title"));
    scene.driver->key(plain(Key::F5));  // not for the window behind
    CHECK_FALSE(scene.state().is_busy);
    scene.driver->key(plain(Key::Escape));
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("files/title"));
    scene.driver->key(plain(Key::F1));
    scene.driver->settle();
    CHECK(scene.driver->has("keys/title"));
    scene.driver->click("keys/close");
    scene.driver->key(plain(Key::F11));
    CHECK(scene.full_screens == 1);
}

TEST_CASE("a file dropped onto the window is opened and compared") {
    Scene scene("good");
    scene.workspace->open_files({scene.outside});
    scene.driver->settle();
    REQUIRE(scene.state().choices.contestants.size() == 3);
    CHECK(scene.state().choices.contestants[2].kernel == scene.outside.string());
    CHECK(scene.driver->at("experiment/contestant/2/kernel").label == "outside");
}

TEST_CASE("a file dropped that is not there is a notice") {
    Scene scene("good");
    scene.workspace->open_files({scene.folder / "gone.cl"});
    scene.driver->settle();
    CHECK(!scene.state().notices.empty());
}

TEST_CASE("the window does not close over unsaved edits without asking") {
    Scene scene("good");
    CHECK(scene.workspace->may_close());
    scene.workspace->open_files({scene.outside});
    scene.driver->settle();
    REQUIRE(scene.state().front.has_value());
    for (const auto& document : scene.state().documents)
        if (document->path() == scene.outside) {
            document->buffer().type("x");
            (**scene.desk).perform(command::Edited{document->id()});
        }
    CHECK_FALSE(scene.workspace->may_close());
    scene.driver->settle();
    CHECK(scene.driver->has("question/title"));
    CHECK_FALSE(scene.workspace->wants_to_end());
    scene.driver->key(ctrl(Key::Q));
    CHECK_FALSE(scene.workspace->wants_to_end());
}

TEST_CASE("in a small window the panels share a place, and results come to the front") {
    Scene scene("timed");
    scene.resize(1024, 640);
    CHECK(scene.driver->has("workspace/area/main"));
    scene.driver->click("workspace/tab/source");
    CHECK_FALSE(scene.driver->has("times/chart"));
    scene.run();
    CHECK(scene.driver->has("times/chart"));
    scene.resize(600, 640);
    CHECK(scene.driver->has("workspace/area/only"));
}

TEST_CASE("nothing overlaps, is cut or outside, before and after a run, at every size, scale and theme") {
    Scene scene("timed");
    const auto look_at = [&](const std::string& when) {
        at_every_size(scene.stage, [&](int width, int height, float scale) {
            scene.driver->settle();
            CAPTURE(when);
            CAPTURE(width);
            CAPTURE(scale);
            for (const std::string& fault : check_layout(
                     scene.stage.look().probes(), static_cast<float>(width), static_cast<float>(height)))
                FAIL_CHECK(fault);
        });
        scene.stage.resize(1600, 1000);
        scene.stage.look().set_scale(1);
        scene.driver->settle();
    };
    look_at("before");
    scene.run();
    look_at("after");
    scene.driver->click("workspace/tab/history");
    look_at("history");
    scene.resize(1024, 640);
    for (const char* tab : {"times", "correctness", "history", "source"}) {
        scene.resize(1024, 640);
        scene.driver->click("workspace/tab/" + std::string(tab));
        look_at(tab);
    }
}

}  // namespace
}  // namespace kwb::test
