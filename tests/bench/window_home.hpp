// SPDX-License-Identifier: Apache-2.0
// Separate folders for a measured window: settings, history, and kernels that may be edited.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "desk/window_settings.hpp"
#include "gui/gui_driver.hpp"
#include "gui/workspace.hpp"
#include "parts.hpp"
#include "store/history.hpp"
#include "support/watched_desk.hpp"

namespace kwb::bench {

class WindowHome {
public:
    /// @param name  subfolder of the scratch folder; its previous content is removed
    WindowHome(const Setting& setting, const std::string& name);

    Settings settings;  ///< dark, 1600 x 1000; written by save()

    /// Choose copies of these files from kernels/matmul, and set the matrix edge `n` and the time budget.
    void choose(const std::vector<std::string>& files, std::int64_t n, double budget_ms);
    void save() const;

    /// Copy a kernel file into this home; an existing copy is replaced.
    /// @throws std::filesystem::filesystem_error
    std::filesystem::path add_kernel(const std::string& file) const;

    /// XDG_CONFIG_HOME and XDG_DATA_HOME for the program.
    NamedList<std::string> environment() const;
    std::filesystem::path settings_file() const;
    std::filesystem::path history_folder() const;

    /// Add this many copies of `run` to the history. @return  ID of the last one
    std::int64_t fill_history(const PastRun& run, int copies) const;

private:
    std::filesystem::path kernels_;
    std::filesystem::path folder_;
};

/// Eight correct kernels with this many samples each, and error maps of 64 x 64 cells.
PastRun sample_run(std::size_t samples);

// A workspace with its own desk and no display, with timed frames.

/// Times ImGui's work: from NewFrame() to Render(), which builds the vertex lists, using the window's fonts.
/// Rasterization is up to the graphics driver and not included.
class TimedStage : public test::WindowlessStage {
public:
    using WindowlessStage::WindowlessStage;
    void draw(gui::Program& program) override;

    /// One entry for each frame since the lists were last cleared: wall-clock time, and the thread's CPU
    /// time, which other programs affect less.
    std::vector<double> frames_ms, computed_ms;
};

/// Everything in the program except the window and OpenGL: desk, judge, history, workspace.
class FrameScene {
public:
    /// @param files  opened at start, as from the command line
    FrameScene(const Setting& setting, const WindowHome& home, std::vector<std::filesystem::path> files = {});

    TimedStage stage{1600, 1000};
    test::WatchedDesk desk;
    gui::Workspace workspace;
    test::GuiDriver driver;
};

}  // namespace kwb::bench
