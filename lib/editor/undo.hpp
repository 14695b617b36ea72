// Undo and redo: steps of text replacements, within a budget of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "editor/columns.hpp"

namespace kwb::editor {

/// At one place `removed` was replaced by `inserted`.
struct TextChange {
    Position at;
    std::string removed;
    std::string inserted;

    friend bool operator==(const TextChange&, const TextChange&) = default;
};

/// Which steps may grow: neighbouring changes of one kind are undone together.
enum class EditKind { Typing, Backspace, Delete, Other };

struct UndoStep {
    EditKind kind = EditKind::Other;
    std::vector<TextChange> changes;  ///< in the order in which they were made
    Selection before;
    Selection after;
    std::uint64_t state_before = 0;  ///< names of the texts that it leads from and to
    std::uint64_t state_after = 0;

    std::size_t bytes() const;
};

/// The steps that led to a text and those that were undone. It never touches the text itself.
class UndoHistory {
public:
    static constexpr std::size_t kDefaultBudgetBytes = 64u << 20;

    /// Beyond the budget the oldest steps are forgotten; the newest is kept, however large.
    explicit UndoHistory(std::size_t budget_bytes = kDefaultBudgetBytes) : budget_bytes_(budget_bytes) {}

    /// Forget everything; the text at hand is a new one, and saved.
    void reset();

    /// Keep a step, or join it to the last one if both are one run of typing, of Backspace or of Delete.
    /// What was undone can no longer be redone. A step without changes is ignored.
    /// @param step  its states are filled in here
    void add(UndoStep step);

    /// The next change begins a new step.
    void end_run() { run_open_ = false; }

    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }

    /// Move the last step to the undone ones, or back. The reference holds until the next call.
    /// @throws ContractError  there is none
    const UndoStep& take_undo();
    const UndoStep& take_redo();

    /// The text at hand is what the file holds.
    void mark_saved();
    bool is_modified() const { return state_ != saved_state_; }

    std::size_t undo_count() const { return undo_.size(); }
    std::size_t bytes() const { return bytes_; }

private:
    bool join(UndoStep& step);

    std::size_t budget_bytes_;
    std::size_t bytes_ = 0;
    std::deque<UndoStep> undo_;   ///< oldest first
    std::vector<UndoStep> redo_;  ///< the next one last
    std::uint64_t last_state_ = 0;
    std::uint64_t state_ = 0;
    std::uint64_t saved_state_ = 0;
    bool run_open_ = false;
};

}  // namespace kwb::editor
