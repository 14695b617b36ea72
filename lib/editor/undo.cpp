// SPDX-License-Identifier: Apache-2.0
#include "editor/undo.hpp"

#include <utility>

#include "base/error.hpp"
#include "editor/columns.hpp"

namespace kwb::editor {

std::size_t UndoStep::bytes() const {
    std::size_t bytes = sizeof(UndoStep);
    for (const TextChange& change : changes)
        bytes += sizeof(TextChange) + change.removed.size() + change.inserted.size();
    return bytes;
}

void UndoHistory::reset() {
    undo_.clear();
    redo_.clear();
    bytes_ = 0;
    run_open_ = false;
    state_ = saved_state_ = ++last_state_;
}

void UndoHistory::add(UndoStep step) {
    if (step.changes.empty()) return;
    for (const UndoStep& undone : redo_) bytes_ -= undone.bytes();
    redo_.clear();

    step.state_before = state_;
    step.state_after = state_ = ++last_state_;
    const bool may_grow = step.kind != EditKind::Other;
    if (!(run_open_ && join(step))) {
        bytes_ += step.bytes();
        undo_.push_back(std::move(step));
    }
    run_open_ = may_grow;

    while (bytes_ > budget_bytes_ && undo_.size() > 1) {
        bytes_ -= undo_.front().bytes();
        undo_.pop_front();
    }
}

/// Merge `step` into the last step if it continues where that one ended.
bool UndoHistory::join(UndoStep& step) {
    if (undo_.empty() || step.changes.size() != 1) return false;
    UndoStep& last = undo_.back();
    if (last.kind != step.kind || last.changes.size() != 1 || last.after != step.before) return false;
    TextChange& old = last.changes.front();
    TextChange& now = step.changes.front();
    switch (step.kind) {
        case EditKind::Typing:
            if (!now.removed.empty() || end_of_text(old.at, old.inserted) != now.at) return false;
            old.inserted += now.inserted;
            bytes_ += now.inserted.size();
            break;
        case EditKind::Backspace:
            if (!now.inserted.empty() || end_of_text(now.at, now.removed) != old.at) return false;
            old.removed.insert(0, now.removed);
            old.at = now.at;
            bytes_ += now.removed.size();
            break;
        case EditKind::Delete:
            if (!now.inserted.empty() || now.at != old.at) return false;
            old.removed += now.removed;
            bytes_ += now.removed.size();
            break;
        case EditKind::Other:
            return false;
    }
    last.after = step.after;
    last.state_after = step.state_after;
    return true;
}

const UndoStep& UndoHistory::take_undo() {
    expects(can_undo(), "there is a step to undo");
    run_open_ = false;
    redo_.push_back(std::move(undo_.back()));
    undo_.pop_back();
    state_ = redo_.back().state_before;
    return redo_.back();
}

const UndoStep& UndoHistory::take_redo() {
    expects(can_redo(), "there is a step to redo");
    run_open_ = false;
    undo_.push_back(std::move(redo_.back()));
    redo_.pop_back();
    state_ = undo_.back().state_after;
    return undo_.back();
}

void UndoHistory::mark_saved() {
    run_open_ = false;  // otherwise the next key would be merged into the step that led to the saved text
    saved_state_ = state_;
}

}  // namespace kwb::editor
