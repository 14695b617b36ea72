// SPDX-License-Identifier: Apache-2.0
// Pixels of the history, the dialogs and the notices, kept as build artefacts for inspection.
#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>

#include "gui/desk_stage.hpp"
#include "gui/dialogs/file_dialog.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/gui_driver.hpp"
#include "gui/panels/history_panel.hpp"
#include "gui/picture_stage.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

std::vector<RunSummary> some_runs() {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    std::vector<RunSummary> runs;
    const auto now = std::chrono::system_clock::from_time_t(1795185125);
    for (int i = 0; i < 30; ++i) {
        RunSummary run;
        run.id = 30 - i;
        run.when = now - std::chrono::minutes(i * i * 17);
        run.device = i % 3 == 0 ? "pthread-Intel Xeon Platinum 8488C" : "NVIDIA H200";
        run.problem = i % 4 == 3 ? "transpose" : "matmul";
        run.sizes = i % 2 == 0 ? Sizes{{"M", 1024}, {"N", 1024}, {"K", 1024}}
                               : Sizes{{"M", 512}, {"N", 256}, {"K", 1024}};
        run.kernels = {{"matmul/naive", "", Verdict::Correct, true, 18.1 + i},
                       {"matmul/tiled", "", Verdict::Correct, true, 0.421 * (i + 1)}};
        if (i % 3 == 1) run.kernels.push_back({"/home/me/my_kernel.cl", "", Verdict::Wrong, false, {}});
        if (i % 5 == 2) run.kernels.push_back({"matmul/missing_barrier", "", Verdict::Wrong, true, {}});
        if (i % 7 == 4) run.kernels = {{"/home/me/loop.cl", "", Verdict::Timeout, false, {}}};
        if (i == 2 || i == 5) {
            for (std::int64_t edge = 16; edge <= 1024; edge *= 2)
                run.steps.push_back({{"M", edge}, {"N", edge}, {"K", edge}});
            run.sizes = run.steps.back();
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

std::shared_ptr<const ShownRun> shown_of(const RunSummary& run) {
    auto shown = std::make_shared<ShownRun>();
    shown->run.id = run.id;
    shown->run.when = run.when;
    shown->run.problem = run.problem;
    shown->run.sizes = run.sizes;
    return shown;
}

struct Wanted {
    const char* name;
    int width, height;
    float scale;
    gui::Theme theme;
};
constexpr Wanted kWanted[] = {
    {"dark", 1600, 1000, 1, gui::Theme::Dark},           {"light", 1600, 1000, 1, gui::Theme::Light},
    {"small", 1024, 640, 1, gui::Theme::Dark},           {"wide", 2400, 1500, 1, gui::Theme::Light},
    {"small_large", 1024, 640, 1.5f, gui::Theme::Light},
};

void check(GuiDriver& driver, const Wanted& wanted) {
    for (const std::string& fault :
         check_layout(driver.stage().look().probes(), static_cast<float>(wanted.width),
                      static_cast<float>(wanted.height)))
        FAIL_CHECK(fault);
}

TEST_CASE("the history and the dialogs before it, in both themes and at several sizes") {
    TempFolder folder;
    for (const char* file : {"naive.cl", "tiled.cl", "register_blocked.cl", "vec4.cl", "matmul_2d.cl",
                             "matmul_10d.cl", "lessons/a.cl", "transpose/b.cl"})
        folder.write(file, std::string(1500, 'k'));
    for (const Wanted& wanted : kWanted) {
        CAPTURE(wanted.name);
        DeskState state = make_state();
        state.history = some_runs();
        state.shown = shown_of(state.history[1]);
        state.compared = shown_of(state.history[3]);
        state.history_filter.problem = "matmul";
        state.choices.problem = "matmul";
        DeviceInfo device;
        device.name = "NVIDIA H200";
        state.device = &device;
        PendingSave pending;
        HistoryPanel panel(pending, [] { return std::chrono::system_clock::from_time_t(1795185125); });
        FileDialog files(pending);
        KeysDialog keys;
        QuestionDialog question;
        DeskProgram program(
            state, [&](const DeskState& s, Commands& c) { panel.draw(s, c); },
            [&](const DeskState& s, Commands& c) {
                files.draw(s, c);
                keys.draw(s, c);
                draw_notices(s, c);
                question.draw(c);
            });
        program.width = 460 * wanted.scale;
        PictureStage stage(wanted.width, wanted.height, {.theme = wanted.theme, .scale = wanted.scale});
        stage.look().probes().set_enabled(true);
        GuiDriver driver(stage, program);
        const auto keep = [&](const std::string& what) {
            driver.settle();
            driver.settle();
            check(driver, wanted);
            stage.keep(what + "_" + wanted.name);
        };
        using Kind = Notice::Kind;
        state.notices = {
            {Kind::Information, 1, "/home/me/results/matmul.csv was written", "/home/me/results/matmul.csv"},
            {Kind::Warning, 2,
             "The settings file was damaged; the defaults are in force, and the old file is "
             "~/.config/kwb/window.toml.damaged-1."},
            {Kind::Error, 3, "No space left on /home; free some and save again."}};
        keep("history");
        state.notices.clear();
        driver.click("history/row/29/more");
        check(driver, wanted);
        stage.keep(std::string("history_menu_") + wanted.name);
        driver.key(plain(Key::Escape));
        driver.park_pointer();
        keys.open();
        keep("keys");
        driver.key(plain(Key::Escape));
        state.dialog = list_folder(folder.path(), FolderListing::Purpose::OpenKernels, false, {".cl"});
        ++state.revision;
        driver.settle();
        driver.key(plain(Key::Down));
        driver.key(plain(Key::Down));
        driver.key(plain(Key::Down));
        keep("files_open");
        state.dialog.reset();
        driver.settle();
        Commands commands;
        pending.ask_document(1, "tiled.cl", commands);
        state.dialog = list_folder(folder.path(), FolderListing::Purpose::SaveSource, false, {".cl"});
        state.dialog->name = "tiled.cl";
        ++state.revision;
        keep("files_save");
        driver.click("files/ok");
        driver.park_pointer();
        keep("files_replace");
        state.dialog.reset();
        driver.settle();
        state.history.clear();
        state.shown.reset();
        state.compared.reset();
        state.history_filter = {};
        state.history_is_kept = false;
        state.notices.clear();
        keep("history_empty");
    }
}

}  // namespace
}  // namespace kwb::test
