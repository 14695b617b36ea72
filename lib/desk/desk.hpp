// The window's state and everything that a person can do with it, without any drawing.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "session/session.hpp"

namespace kwb {

struct DeskOptions {
    JudgeCommand judge;
    std::vector<std::filesystem::path> kernel_folders;  ///< before the shipped ones
    std::vector<std::filesystem::path> files;           ///< to open at start
    std::filesystem::path settings_file;                ///< empty: nothing is read or kept
    std::filesystem::path history_file;                 ///< empty: nothing is read or kept
};

/// Owns session, documents, history and settings. For one thread, which must not wait: nothing here blocks
/// for longer than a small file takes to be read or written.
class Desk {
public:
    /// @param wake  called from any thread when update() has something to do; must be quick
    Desk(DeskOptions options, std::function<void()> wake);
    /// Ends the judge and saves the settings.
    ~Desk();
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    const DeskState& state() const;

    /// Take over what the session, the files and the disk have to say.
    /// @return  true if the state is another now
    bool update();

    /// Do what a person asked for. What cannot be done becomes a sentence in the state, where it matters.
    void perform(const Command& command);
    void perform(const Commands& commands);

    /// Documents with edits that are in no file: asked before the window closes.
    std::vector<std::string> unsaved() const;

private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace kwb
