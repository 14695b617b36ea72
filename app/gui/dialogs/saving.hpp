// SPDX-License-Identifier: Apache-2.0
// Data to be written once the user has chosen a file, the File menu, and the question about unsaved work on
// closing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/modal.hpp"

namespace kwb::gui {

/// The window has one: panels make requests, the file dialog answers them. A later request replaces an
/// earlier one, because there is only one file dialog.
class PendingSave {
public:
    /// Asks where to save a document.
    /// @param name  proposed file name, "tiled.cl"
    void ask_document(DocumentId document, std::string_view name, Commands& commands);

    /// Asks where to write a new kernel of a problem.
    void ask_new_kernel(const std::string& problem, command::NewKernel::Start start, Commands& commands);

    /// Asks where to write a kernel from the clipboard; if its text is not a kernel, a notice appears
    /// instead.
    void ask_pasted_kernel(const std::string& text, Commands& commands);

    /// Asks where to save the experiment.
    /// @param name  proposed file name
    void ask_experiment(std::string_view name, Commands& commands);

    /// Asks where to export a run to.
    /// @param name  proposed file name without extension
    /// @param run   a run of the history; nullopt: the shown one
    void ask_run(command::ExportForm form, std::string_view name, Commands& commands,
                 std::optional<std::int64_t> run = {});

    /// Asks where to write bytes.
    /// @param extension  with its dot, ".svg"
    /// @param name       proposed file name without extension
    void ask_bytes(std::string bytes, std::string_view extension, std::string_view name, Commands& commands);

    /// Whether this dialog was opened by the pending request.
    bool is_for(const FolderListing& dialog) const;

    /// The user chose a file: adds the command that writes it. The dialog closes itself.
    void finish(const std::filesystem::path& path, Commands& commands);

    /// The user cancelled.
    void drop() { waiting_.reset(); }

    bool waits() const { return waiting_.has_value(); }

private:
    /// The command that writes the file, once its path is known.
    using Save = std::function<Command(const std::filesystem::path&)>;
    void ask(Commands& commands, command::OpenDialog dialog, Save save);

    struct Waiting {
        command::OpenDialog dialog;
        Save save;
    };
    std::optional<Waiting> waiting_;
};

/// Save all, close without saving, or cancel. If saving fails the window stays open and shows the reason.
class UnsavedQuestion {
public:
    /// For Program::may_close().
    /// @return  true if nothing would be lost; otherwise the next draw() asks the question
    bool may_close(const DeskState& state);

    /// The user has answered and the window can close.
    bool wants_to_close() const { return wants_to_close_; }

    void draw(const DeskState& state, Commands& commands);

private:
    void ask(const DeskState& state, bool after_saving);

    QuestionDialog dialog_;
    bool saving_ = false;  ///< saving was requested; the next state shows the result
    bool wants_to_close_ = false;
};

// file_menu.cpp: experiments, kernel files, and exports.

/// The items, in an open popup. The desk lists the recent files: see command::ListRecent.
void draw_file_items(const DeskState& state, PendingSave& pending, Commands& commands);

/// Why nothing can be exported at present, as a sentence; empty if there are results.
std::string_view export_obstacle(const DeskState& state);

/// The proposed file name: of the run shown, or of the sweep if there is no run, as in command::ExportRun.
/// Requires that export_obstacle() is empty.
std::string export_name(const DeskState& state);

/// The forms in which a run or a sweep can be exported.
/// @param id    of the items: "file/export" for "file/export/html"
/// @param name  proposed file name without extension
/// @param run   of the history; nullopt: the one shown
void draw_export_items(const std::string& id, std::string_view name, std::optional<std::int64_t> run,
                       PendingSave& pending, Commands& commands);

}  // namespace kwb::gui
