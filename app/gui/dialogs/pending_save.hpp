// What is to be written as soon as a person has said where.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "desk/command.hpp"

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

    /// The person said where: the command that does it. The dialog closes itself.
    void finish(const std::filesystem::path& path, Commands& commands);

    /// The person does not want to.
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

}  // namespace kwb::gui
