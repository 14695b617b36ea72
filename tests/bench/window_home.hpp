// Folders of its own for a window that is measured: settings, history, and kernels that may be edited.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "gui/gui_driver.hpp"
#include "gui/workspace.hpp"
#include "history/history.hpp"
#include "parts.hpp"
#include "session/settings.hpp"
#include "support/watched_desk.hpp"

namespace kwb::bench {

class WindowHome {
public:
    /// @param name  of its folder in the scratch folder; what was there before goes
    WindowHome(const Setting& setting, const std::string& name);

    Settings settings;  ///< dark, 1600 x 1000; written by save()

    /// Choose copies of these files of kernels/matmul, at this size, with a time budget.
    void choose(const std::vector<std::string>& files, std::int64_t n, double budget_ms);
    void save() const;

    /// A copy in this home. @throws std::filesystem::filesystem_error
    std::filesystem::path add_kernel(const std::string& file) const;

    /// XDG_CONFIG_HOME and XDG_DATA_HOME, for a program.
    NamedList<std::string> environment() const;
    std::filesystem::path settings_file() const;
    std::filesystem::path history_file() const;

    /// Put these many copies of `run` into the history. @return  the last one's id
    std::int64_t fill_history(const PastRun& run, int copies) const;

private:
    std::filesystem::path kernels_;
    std::filesystem::path folder_;
};

/// Eight correct kernels with these many samples each, and error maps of 64 x 64 cells.
PastRun sample_run(std::size_t samples);

// The workspace on a desk of its own, without any display, with a clock around each frame.

/// ImGui's own work: from NewFrame() to Render(), which makes the lists of triangles, with the fonts of the
/// window. Drawing these is the graphics driver's.
class TimedStage : public test::WindowlessStage {
public:
    using WindowlessStage::WindowlessStage;
    void draw(gui::Program& program) override;

    /// Of each frame since they were emptied last: by the clock, and what the thread computed of that, which
    /// other programs do not disturb.
    std::vector<double> frames_ms, computed_ms;
};

/// All that the program has but window and OpenGL: desk, judge, history, workspace.
class FrameScene {
public:
    /// @param files  opened, as on the command line
    FrameScene(const Setting& setting, const WindowHome& home, std::vector<std::filesystem::path> files = {});

    TimedStage stage{1600, 1000};
    test::WatchedDesk desk;
    gui::Workspace workspace;
    test::GuiDriver driver;
};

}  // namespace kwb::bench
