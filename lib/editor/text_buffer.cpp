// SPDX-License-Identifier: Apache-2.0
// Loading and replacing whole texts, the low-level edit, undo and redo.
#include "editor/text_buffer.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "editor/columns.hpp"
#include "editor/diff.hpp"

namespace kwb::editor {
namespace {

/// The number of changes that changes_since() can look back.
constexpr std::size_t kRecentChanges = 256;

/// Combine two consecutive changes.
LineChange combine(LineChange first, LineChange second) {
    const std::size_t begin = std::min(first.first, second.first);
    const std::size_t end = std::max(first.first + first.inserted, second.first + second.removed);
    return {begin, end - first.inserted + first.removed - begin,
            end - second.removed + second.inserted - begin};
}

/// Where a position in the old text moves to when `range` is replaced by text that ends at `new_end`.
Position follow(Position place, TextRange range, Position new_end, bool pushed_by_insertion) {
    if (place < range.begin || (place == range.begin && !(range.empty() && pushed_by_insertion)))
        return place;
    if (place < range.end) return std::min(place, new_end);
    if (place.line > range.end.line) return {place.line - range.end.line + new_end.line, place.column};
    return {new_end.line, place.column - range.end.column + new_end.column};
}

bool is_indented_with_tabs(std::span<const std::string> lines) {
    std::size_t with_tab = 0, with_blanks = 0;
    for (const std::string& line : lines) {
        with_tab += line.starts_with('\t') ? 1 : 0;
        with_blanks += line.starts_with("  ") ? 1 : 0;
    }
    return with_tab > with_blanks;
}

}  // namespace

TextBuffer::TextBuffer(std::size_t undo_budget_bytes) : history_(undo_budget_bytes) {}

CleanText TextBuffer::load(std::string_view bytes) {
    CleanText clean = clean_text(bytes);
    lines_ = split(clean.text, '\n');
    crlf_ = clean.crlf;
    tabs_ = is_indented_with_tabs(lines_);
    selection_ = {};
    goal_cell_.reset();
    history_.reset();
    recent_.clear();
    ++revision_;
    clean.text.clear();
    return clean;
}

CleanText TextBuffer::replace_from_disk(std::string_view bytes) {
    CleanText clean = clean_text(bytes);
    const std::vector<std::string> now = split(clean.text, '\n');
    std::vector<Replacement> parts;
    for (const DiffHunk& hunk : diff_lines(lines_, now)) {
        std::string text;
        for (std::size_t i = 0; i < hunk.added; ++i) text += (i == 0 ? "" : "\n") + now[hunk.right + i];
        const std::size_t after = hunk.left + hunk.removed;
        const Position begin{hunk.left, 0};
        // Whole lines include one line break: the one after them or, at the end of the text, the one before.
        if (hunk.removed > 0 && hunk.added > 0)
            parts.push_back({{begin, {after - 1, line_length(after - 1)}}, std::move(text)});
        else if (after < lines_.size())
            parts.push_back({{begin, {after, 0}}, hunk.added > 0 ? text + "\n" : ""});
        else
            parts.push_back(
                {{{hunk.left - 1, line_length(hunk.left - 1)}, end()}, hunk.added > 0 ? "\n" + text : ""});
    }
    edit(EditKind::Other, parts, {}, AtInsertion::Follows);
    crlf_ = clean.crlf;
    tabs_ = is_indented_with_tabs(lines_);
    history_.mark_saved();
    clean.text.clear();
    return clean;
}

std::string TextBuffer::text() const {
    return join(lines_, "\n");
}

std::string TextBuffer::file_text() const {
    return join(lines_, crlf_ ? "\r\n" : "\n");
}

std::size_t TextBuffer::line_length(std::size_t index) const {
    return count_code_points(lines_[index]);
}

std::size_t TextBuffer::longest_line() const {
    if (!longest_ || longest_->first != revision_) {
        std::size_t longest = 0;
        for (const std::string& line : lines_)
            if (line.size() > longest || line.find('\t') != std::string::npos)
                longest = std::max(longest, cells_of(line));
        longest_ = {revision_, longest};
    }
    return longest_->second;
}

Position TextBuffer::end() const {
    return {lines_.size() - 1, line_length(lines_.size() - 1)};
}

Position TextBuffer::clamp(Position position) const {
    if (position.line >= lines_.size()) return end();
    return {position.line, std::min(position.column, line_length(position.line))};
}

std::string TextBuffer::text_in(TextRange range) const {
    const Position begin = clamp(range.begin);
    const Position last = clamp(range.end);
    if (last <= begin) return "";
    const std::size_t from = byte_of_column(lines_[begin.line], begin.column);
    const std::size_t to = byte_of_column(lines_[last.line], last.column);
    if (begin.line == last.line) return lines_[begin.line].substr(from, to - from);
    std::string text = lines_[begin.line].substr(from);
    for (std::size_t line = begin.line + 1; line < last.line; ++line) (text += '\n') += lines_[line];
    return (text += '\n').append(lines_[last.line], 0, to);
}

std::optional<LineChange> TextBuffer::changes_since(std::uint64_t revision) const {
    if (revision > revision_ || revision_ - revision > recent_.size()) return std::nullopt;
    LineChange all;
    for (std::size_t i = recent_.size() - static_cast<std::size_t>(revision_ - revision); i < recent_.size();
         ++i)
        all = all == LineChange{} ? recent_[i] : combine(all, recent_[i]);
    return all;
}

void TextBuffer::note(const std::optional<LineChange>& change) {
    if (!change) return;
    ++revision_;
    recent_.push_back(*change);
    if (recent_.size() > kRecentChanges) recent_.pop_front();
}

LineChange TextBuffer::splice(TextRange range, std::string_view text) {
    const auto [begin, last] = range;
    const std::size_t from = byte_of_column(lines_[begin.line], begin.column);
    const std::size_t to = byte_of_column(lines_[last.line], last.column);
    const LineChange change{begin.line, last.line - begin.line + 1,
                            static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1};
    if (change.removed == 1 && change.inserted == 1) {
        lines_[begin.line].replace(from, to - from, text);
        return change;
    }
    std::vector<std::string> pieces = split(text, '\n');
    pieces.front().insert(0, lines_[begin.line], 0, from);
    pieces.back().append(lines_[last.line], to);
    const std::size_t common = std::min(change.removed, change.inserted);
    const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(begin.line);
    const auto middle = pieces.begin() + static_cast<std::ptrdiff_t>(common);
    const auto rest = std::move(pieces.begin(), middle, first);
    if (change.removed > common)
        lines_.erase(rest, first + static_cast<std::ptrdiff_t>(change.removed));
    else
        lines_.insert(rest, std::make_move_iterator(middle), std::make_move_iterator(pieces.end()));
    return change;
}

void TextBuffer::edit(EditKind kind, std::span<const Replacement> parts, std::optional<Selection> after,
                      AtInsertion at_insertion) {
    UndoStep step{kind, {}, selection_, selection_, 0, 0};
    step.changes.reserve(parts.size());
    std::optional<LineChange> all;
    // Apply from last to first, so that earlier positions stay valid.
    for (std::size_t i = parts.size(); i-- > 0;) {
        const auto& [range, text] = parts[i];
        std::string removed = text_in(range);
        if (removed == text) continue;
        const LineChange change = splice(range, text);
        all = all ? combine(*all, change) : change;
        const Position new_end = end_of_text(range.begin, text);
        const bool follows = at_insertion == AtInsertion::Follows;
        step.after.anchor = follow(step.after.anchor, range, new_end, follows);
        step.after.caret = follow(step.after.caret, range, new_end, follows);
        step.changes.push_back({range.begin, std::move(removed), text});
    }
    note(all);
    if (after) step.after = *after;
    selection_ = step.after = {clamp(step.after.anchor), clamp(step.after.caret)};
    goal_cell_.reset();
    history_.add(std::move(step));
}

void TextBuffer::edit(EditKind kind, TextRange range, std::string text, std::optional<Selection> after) {
    const Position end = end_of_text(range.begin, text);
    const Replacement part{range, std::move(text)};
    edit(kind, {&part, 1}, after.value_or(Selection{end, end}));
}

void TextBuffer::replace_all(std::span<const Replacement> changes) {
    std::vector<Replacement> parts;
    parts.reserve(changes.size());
    for (const Replacement& change : changes) {
        const TextRange range{clamp(change.range.begin), clamp(change.range.end)};
        expects(range.begin <= range.end, "the range of a replacement begins before it ends");
        expects(parts.empty() || parts.back().range.end <= range.begin,
                "replacements are in order and do not overlap");
        parts.push_back({range, clean_text(change.text).text});
    }
    edit(EditKind::Other, parts);
}

void TextBuffer::replay(std::span<const TextChange> changes, bool reverts) {
    std::optional<LineChange> all;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const auto& [at, removed, inserted] = changes[reverts ? changes.size() - 1 - i : i];
        const LineChange lines =
            splice({at, end_of_text(at, reverts ? inserted : removed)}, reverts ? removed : inserted);
        all = all ? combine(*all, lines) : lines;
    }
    note(all);
    goal_cell_.reset();
}

void TextBuffer::undo() {
    if (!can_undo()) return;
    const UndoStep& step = history_.take_undo();
    replay(step.changes, true);
    selection_ = step.before;
}

void TextBuffer::redo() {
    if (!can_redo()) return;
    const UndoStep& step = history_.take_redo();
    replay(step.changes, false);
    selection_ = step.after;
}

}  // namespace kwb::editor
