// SPDX-License-Identifier: Apache-2.0
// The whole window with a real desk and a fake judge.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gui/gui_driver.hpp"
#include "gui/workspace.hpp"
#include "support/watched_desk.hpp"

namespace kwb::test {

struct SceneOptions {
    /// Creates a file for each and chooses them in this order: "mine" is kernels/matmul/01_mine.cl.
    std::vector<std::string> kernels = {"mine", "other"};
    std::int64_t edge = 64;
    Stage* stage = nullptr;  ///< must outlive the scene; null: a windowless stage of 1600 × 1000 pixels
    gui::PaintPng paint = {};
    std::string judge_program = KWB_FAKE_JUDGE_PROGRAM;
    std::string settings = {};  ///< content of the settings file; empty: settings that fit the scene
};

class WorkspaceScene {
public:
    /// @param judges  behaviours, see tests/support/fake_judge.cpp
    explicit WorkspaceScene(const std::string& judges, SceneOptions options = {});

    /// Restart the program with the same folders.
    void open(const std::string& judges);

    const DeskState& state() const { return desk->state(); }
    const std::vector<RunSummary>& history() const { return state().history; }

    /// Draw frames until no run is in progress.
    void rest();
    /// Press F5 and wait with rest().
    void run();
    void resize(int width, int height);

    std::filesystem::path kernel_file(std::size_t index) const { return kernel_files_.at(index); }
    /// The document in the front tab.
    Document& front();
    /// Put the caret at the end of the front document, and type.
    void type_into_source(std::string_view text);
    /// Open the popup with the fields of the size, or close it.
    void open_size() { driver->click("experiment/size"); }
    void close_size() { driver->key(gui::plain(gui::Key::Escape)); }
    /// Show the details of a contestant.
    void open_row(std::size_t index) { driver->click("experiment/contestant/" + std::to_string(index)); }
    /// The label of a widget.
    const std::string& label(std::string_view id) const { return driver->at(id).label; }
    /// Is `part` in the label of a widget whose id begins with `prefix`?
    bool says(std::string_view prefix, std::string_view part) const;
    /// Enter a file name in the open dialog, and press Enter.
    void save_as(const std::filesystem::path& file);
    /// Run check_layout() on the last frame; each fault is a failed check.
    void check_layout_now();

    TempFolder folder;
    std::filesystem::path outside;  ///< a kernel file outside the folders of kernels

private:
    std::unique_ptr<Stage> own_stage_;  ///< declared before its users, so that it is destroyed after them

public:
    std::unique_ptr<WatchedDesk> desk;
    std::unique_ptr<gui::Workspace> workspace;
    std::unique_ptr<GuiDriver> driver;
    int full_screens = 0;  ///< number of requests for full screen

    Stage& stage() { return *stage_; }

private:
    SceneOptions options_;
    std::vector<std::filesystem::path> kernel_files_;
    Stage* stage_;
};

/// Source of a matrix product kernel, with front matter and a parameter TILE.
/// @param title  for the front matter
std::string matmul_source(const std::string& title);

bool mentions(std::string_view text, std::string_view part);

}  // namespace kwb::test
