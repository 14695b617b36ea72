// What will be written once the person has chosen a file, and what would be lost when the window closes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "desk/command.hpp"
#include "gui/dialogs/modal.hpp"

namespace kwb::gui {

/// One for the window: panels ask, the file dialog answers. A later question takes the place of an earlier
/// one, because there is one file dialog.
class PendingSave {
public:
    /// Where shall this document be saved?
    /// @param name  proposed, "tiled.cl"
    void ask_document(DocumentId document, std::string_view name, Commands& commands);

    /// Where shall a run be exported to?
    /// @param name  proposed, without extension
    /// @param run   of the history; none: the shown one
    void ask_run(command::ExportForm form, std::string_view name, Commands& commands,
                 std::optional<std::int64_t> run = {});

    /// Where shall these bytes go?
    /// @param extension  with its dot, ".svg"
    /// @param name       proposed, without extension
    void ask_bytes(std::string bytes, std::string_view extension, std::string_view name, Commands& commands);

    /// Is this dialog the one that was opened by the question that waits?
    bool is_for(const FolderListing& dialog) const;

    /// The person chose a file: add the command that writes it. The dialog closes itself.
    void finish(const std::filesystem::path& path, Commands& commands);

    /// The person cancelled.
    void drop() { waiting_.reset(); }

    bool waits() const { return waiting_.has_value(); }

private:
    struct Document {
        DocumentId document;
    };
    struct Run {
        command::ExportForm form;
        std::optional<std::int64_t> run;
    };
    struct Bytes {
        std::string bytes;
    };
    struct Waiting {
        std::variant<Document, Run, Bytes> what;
        command::OpenDialog dialog;
    };
    void ask(std::variant<Document, Run, Bytes> what, command::OpenDialog dialog, Commands& commands);

    std::optional<Waiting> waiting_;
};

/// ".json", ".csv", ".html"
std::string_view extension_of(command::ExportForm form);

/// Save all, close without saving, or cancel. Where saving fails the window stays, with the reason.
class UnsavedQuestion {
public:
    /// For Program::may_close().
    /// @return  true if there is nothing to lose; else the question is asked from the next draw() on
    bool may_close(const DeskState& state);

    /// The person answered, and nothing more stands in the way: end the window.
    bool wants_to_close() const { return wants_to_close_; }

    bool is_open() const { return dialog_.is_open(); }
    void draw(const DeskState& state, Commands& commands);

private:
    void ask(const DeskState& state, bool after_saving);

    QuestionDialog dialog_;
    bool saving_ = false;  ///< saving was requested: the next state shows the result
    bool wants_to_close_ = false;
};

}  // namespace kwb::gui
