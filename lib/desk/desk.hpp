// The window's state and everything that the user can do with it, independent of drawing.
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
    std::vector<std::filesystem::path> kernel_folders;  ///< take precedence over the shipped ones
    std::vector<std::filesystem::path> files;           ///< to open at start
    std::filesystem::path settings_file;                ///< empty: settings are neither read nor saved
    std::filesystem::path history_file;                 ///< empty: the history is only kept in memory
};

/// Owns session, documents, history and settings. Must be used from one thread. That thread must not block,
/// so nothing here takes longer than reading or writing a small file.
class Desk {
public:
    /// @param wake  called from any thread when update() has something to do; must be quick
    Desk(DeskOptions options, std::function<void()> wake);
    /// Terminates the judge and saves the settings.
    ~Desk();
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    const DeskState& state() const;

    /// Process news from the session, the drivers and the file system.
    /// @return  true if the state has changed
    bool update();

    /// Perform the user's command. If it is not possible, a sentence in the state says why.
    void perform(const Command& command);
    void perform(const Commands& commands);

    /// Names of the documents with unsaved edits, for the question before the window closes.
    std::vector<std::string> unsaved() const;

private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace kwb
