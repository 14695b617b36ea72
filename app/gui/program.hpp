// What a window shows, seen from the window.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kwb::gui {

class Program {
public:
    virtual ~Program() = default;

    /// One frame, between ImGui::NewFrame and Render. Called often, also when nothing is shown: no waiting,
    /// no files, no processes.
    virtual void draw() = 0;

    virtual std::string title() const = 0;

    /// Files that were dropped onto the window.
    virtual void open_files(const std::vector<std::filesystem::path>& files) { (void)files; }

    /// Is a timed section running? Then the loop draws rarely, because a software renderer uses the
    /// processors that are being timed.
    virtual bool timing_runs() const { return false; }

    /// The person wants to close the window. @return  false to stay (and ask about unsaved work)
    virtual bool may_close() { return true; }

    /// Asked after each frame: the program itself ends the window.
    virtual bool wants_to_end() const { return false; }
};

}  // namespace kwb::gui
