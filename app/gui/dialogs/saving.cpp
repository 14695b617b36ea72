// SPDX-License-Identifier: Apache-2.0
#include "gui/dialogs/saving.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "experiment/preset.hpp"
#include "gui/chart_widget.hpp"

namespace kwb::gui {

using Purpose = FolderListing::Purpose;

void PendingSave::ask(Commands& commands, command::OpenDialog dialog, Save save) {
    commands.emplace_back(dialog);
    waiting_ = Waiting{std::move(dialog), std::move(save)};
}

void PendingSave::ask_document(DocumentId document, std::string_view name, Commands& commands) {
    ask(commands, {Purpose::SaveSource, std::string(name), {".cl"}},
        [document](const std::filesystem::path& path) {
            return command::SaveDocumentAs{document, path};
        });
}

void PendingSave::ask_new_kernel(const std::string& problem, command::NewKernel::Start start,
                                 Commands& commands) {
    ask(commands, {Purpose::SaveSource, "my_" + file_name_of(problem) + ".cl", {".cl"}},
        [problem, start](const std::filesystem::path& path) {
            return command::NewKernel{path, {}, problem, start};
        });
}

void PendingSave::ask_pasted_kernel(const std::string& text, Commands& commands) {
    const PastedKernel pasted = look_at_pasted(text);
    if (!pasted.flaw.empty()) return commands.push_back(command::Tell{pasted.flaw});
    ask(commands, {Purpose::SaveSource, pasted.name, {".cl"}}, [text](const std::filesystem::path& path) {
        return command::NewKernel{path, text};
    });
}

void PendingSave::ask_experiment(std::string_view name, Commands& commands) {
    ask(commands, {Purpose::SaveExperiment, std::string(name), {kPresetExtension}},
        [](const std::filesystem::path& path) { return command::SaveExperiment{path}; });
}

void PendingSave::ask_run(command::ExportForm form, std::string_view name, Commands& commands,
                          std::optional<std::int64_t> run) {
    const char* const extensions[] = {".json", ".csv", ".html"};
    const std::string extension = extensions[static_cast<std::size_t>(form)];
    ask(commands, {Purpose::ExportFile, std::string(name) + extension, {extension}},
        [form, run](const std::filesystem::path& path) {
            return command::ExportRun{form, path, run};
        });
}

void PendingSave::ask_bytes(std::string bytes, std::string_view extension, std::string_view name,
                            Commands& commands) {
    ask(commands, {Purpose::ExportFile, std::string(name) + std::string(extension), {std::string(extension)}},
        [bytes = std::move(bytes)](const std::filesystem::path& path) {
            return command::ExportBytes{bytes, path};
        });
}

bool PendingSave::is_for(const FolderListing& dialog) const {
    return waiting_ && waiting_->dialog.purpose == dialog.purpose && waiting_->dialog.name == dialog.name &&
           waiting_->dialog.extensions == dialog.extensions;
}

void PendingSave::finish(const std::filesystem::path& path, Commands& commands) {
    if (waiting_) commands.push_back(std::exchange(waiting_, std::nullopt)->save(path));
}

namespace {

bool any_unsaved(const DeskState& state) {
    return std::ranges::any_of(state.documents, [](const auto& document) { return document->is_modified(); });
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
        if (!document->is_modified()) continue;
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
