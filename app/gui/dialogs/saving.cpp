#include "gui/dialogs/saving.hpp"

#include <string>
#include <utility>

namespace kwb::gui {
namespace {

using Purpose = FolderListing::Purpose;

}  // namespace

std::string_view extension_of(command::ExportForm form) {
    switch (form) {
        case command::ExportForm::Json:
            return ".json";
        case command::ExportForm::Csv:
            return ".csv";
        case command::ExportForm::Html:
            return ".html";
    }
    return "";
}

void PendingSave::ask(std::variant<Document, Run, Bytes> what, command::OpenDialog dialog,
                      Commands& commands) {
    commands.emplace_back(dialog);
    waiting_ = Waiting{std::move(what), std::move(dialog)};
}

void PendingSave::ask_document(DocumentId document, std::string_view name, Commands& commands) {
    ask(Document{document}, {Purpose::SaveSource, std::string(name), {".cl"}}, commands);
}

void PendingSave::ask_run(command::ExportForm form, std::string_view name, Commands& commands,
                          std::optional<std::int64_t> run) {
    const std::string extension(extension_of(form));
    ask(Run{form, run}, {Purpose::ExportFile, std::string(name) + extension, {extension}}, commands);
}

void PendingSave::ask_bytes(std::string bytes, std::string_view extension, std::string_view name,
                            Commands& commands) {
    ask(Bytes{std::move(bytes)},
        {Purpose::ExportFile, std::string(name) + std::string(extension), {std::string(extension)}},
        commands);
}

bool PendingSave::is_for(const FolderListing& dialog) const {
    return waiting_ && waiting_->dialog.purpose == dialog.purpose && waiting_->dialog.name == dialog.name &&
           waiting_->dialog.extensions == dialog.extensions;
}

void PendingSave::finish(const std::filesystem::path& path, Commands& commands) {
    if (!waiting_) return;
    const Waiting waiting = *std::exchange(waiting_, std::nullopt);
    if (const auto* document = std::get_if<Document>(&waiting.what))
        commands.emplace_back(command::SaveDocumentAs{document->document, path});
    else if (const auto* run = std::get_if<Run>(&waiting.what))
        commands.emplace_back(command::ExportRun{run->form, path, run->run});
    else if (const auto* bytes = std::get_if<Bytes>(&waiting.what))
        commands.emplace_back(command::ExportBytes{bytes->bytes, path});
}

namespace {

bool is_unsaved(const Document& document) {
    return document.is_modified();
}

bool any_unsaved(const DeskState& state) {
    for (const auto& document : state.documents)
        if (is_unsaved(*document)) return true;
    return false;
}

}  // namespace

bool UnsavedQuestion::may_close(const DeskState& state) {
    if (wants_to_close_ || !any_unsaved(state)) return true;
    if (!dialog_.is_open()) ask(state, false);
    return false;
}

void UnsavedQuestion::ask(const DeskState& state, bool after_saving) {
    Question question;
    question.title = after_saving ? "Not everything could be saved" : "Save your changes?";
    question.sentence =
        after_saving ? "These files still have unsaved changes:" : "These files have unsaved changes:";
    question.icon = after_saving ? kIconWarning : kIconQuestion;
    std::vector<DocumentId> ids;
    for (const auto& document : state.documents) {
        if (!is_unsaved(*document)) continue;
        ids.push_back(document->id());
        question.items.push_back(after_saving && !document->notice().empty()
                                     ? document->name() + ": " + document->notice()
                                     : document->name());
    }
    question.replies = {{.name = "save",
                         .label = after_saving ? "Try again" : "Save all",
                         .icon = kIconSave,
                         .kind = ButtonKind::Primary,
                         .act =
                             [this, ids](Commands& commands) {
                                 for (const DocumentId id : ids)
                                     commands.emplace_back(command::SaveDocument{.document = id});
                                 saving_ = true;
                             }},
                        {.name = "discard",
                         .label = "Close without saving",
                         .act = [this](Commands&) { wants_to_close_ = true; }},
                        {.name = "cancel", .label = "Cancel"}};
    dialog_.ask(std::move(question));
}

void UnsavedQuestion::draw(const DeskState& state, Commands& commands) {
    if (saving_) {
        saving_ = false;
        if (any_unsaved(state))
            ask(state, true);
        else
            wants_to_close_ = true;
    }
    dialog_.draw(commands);
}

}  // namespace kwb::gui
