// SPDX-License-Identifier: Apache-2.0
// Undo and redo: steps of text replacements, within a memory budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "editor/columns.hpp"

namespace kwb::editor {

/// A replacement of `removed` by `inserted` at one position.
struct TextChange {
    Position at;
    std::string removed;
    std::string inserted;
};

/// The kind of an edit. Consecutive edits of the same kind, except Other, are undone together.
enum class EditKind { Typing, Backspace, Delete, Other };

struct UndoStep {
    EditKind kind = EditKind::Other;
    std::vector<TextChange> changes;  ///< in the order in which they were applied
    Selection before;
    Selection after;
    std::uint64_t state_before = 0;  ///< identify the text before and after the step
    std::uint64_t state_after = 0;

    std::size_t bytes() const;
};

/// The steps that can be undone and redone. Does not modify the text itself.
class UndoHistory {
public:
    static constexpr std::size_t kDefaultBudgetBytes = 64u << 20;

    /// Above the budget, the oldest steps are dropped; the newest is kept, however large.
    explicit UndoHistory(std::size_t budget_bytes = kDefaultBudgetBytes) : budget_bytes_(budget_bytes) {}

    /// Drop all steps; the current text is new and counts as saved.
    void reset();

    /// Record a step, or merge it into the last one if both belong to one run of typing, Backspace or Delete.
    /// Clears the steps to redo. A step without changes is ignored.
    /// @param step  its states are filled in here
    void add(UndoStep step);

    /// The next edit starts a new step.
    void end_run() { run_open_ = false; }

    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }

    /// Move the last step from undo to redo, or back. The reference is valid until the next call.
    /// @throws ContractError  if there is none
    const UndoStep& take_undo();
    const UndoStep& take_redo();

    /// The current text is what the file contains.
    void mark_saved();
    bool is_modified() const { return state_ != saved_state_; }

    std::size_t undo_count() const { return undo_.size(); }
    std::size_t bytes() const { return bytes_; }

private:
    bool join(UndoStep& step);

    std::size_t budget_bytes_;
    std::size_t bytes_ = 0;
    std::deque<UndoStep> undo_;   ///< oldest first
    std::vector<UndoStep> redo_;  ///< the next step to redo is last
    std::uint64_t last_state_ = 0;
    std::uint64_t state_ = 0;
    std::uint64_t saved_state_ = 0;
    bool run_open_ = false;
};

}  // namespace kwb::editor
