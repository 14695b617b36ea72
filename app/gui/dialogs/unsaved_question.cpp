#include "gui/dialogs/unsaved_question.hpp"

#include <string>

namespace kwb::gui {
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
    question.sentence = after_saving ? "These files still have changes that are in no file:"
                                     : "These files have changes that are in no file yet:";
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
