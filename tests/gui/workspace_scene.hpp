// The whole window on a real desk, over a judge that does as it is told.
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
    /// One file of its own each, chosen in this order: "mine" is kernels/matmul/01_mine.cl.
    std::vector<std::string> kernels = {"mine", "other"};
    std::int64_t edge = 64;
    Stage* stage = nullptr;  ///< outlives the scene; null: one without a window, 1600 × 1000
    gui::PaintPng paint = {};
    std::string judge_program = KWB_FAKE_JUDGE_PROGRAM;
    std::string settings = {};  ///< this text instead of settings that fit
};

class WorkspaceScene {
public:
    /// @param judges  see tests/support/fake_judge.cpp
    explicit WorkspaceScene(const std::string& judges, SceneOptions options = {});

    /// A new start of the program, in the same folders.
    void open(const std::string& judges);

    const DeskState& state() const { return desk->state(); }
    const std::vector<RunSummary>& history() const { return state().history; }

    /// Draw until nothing runs any more.
    void rest();
    /// F5, and rest.
    void run();
    void resize(int width, int height);

    std::filesystem::path kernel_file(std::size_t index) const { return kernel_files_.at(index); }
    /// The source shown in front.
    Document& front();
    /// Put the caret at the end of the source in front, and type.
    void type_into_source(std::string_view text);
    /// The label of a widget.
    const std::string& label(std::string_view id) const { return driver->at(id).label; }
    /// Is `part` in the label of a widget whose id begins with `prefix`?
    bool says(std::string_view prefix, std::string_view part) const;
    /// Name a file in the dialog that is open, and press Enter.
    void save_as(const std::filesystem::path& file);
    /// Faults of the layout as it was drawn last, each a failed check.
    void check_layout_now();

    TempFolder folder;
    std::filesystem::path outside;  ///< a kernel in no folder of kernels

private:
    std::unique_ptr<Stage> own_stage_;  ///< before what draws on it

public:
    std::unique_ptr<WatchedDesk> desk;
    std::unique_ptr<gui::Workspace> workspace;
    std::unique_ptr<GuiDriver> driver;
    int full_screens = 0;  ///< how often it was asked for

    Stage& stage() { return *stage_; }

private:
    SceneOptions options_;
    std::vector<std::filesystem::path> kernel_files_;
    Stage* stage_;
};

/// A kernel of a matrix product, with front matter and a parameter TILE.
/// @param title  in its front matter
std::string matmul_source(const std::string& title);

bool mentions(std::string_view text, std::string_view part);

}  // namespace kwb::test
