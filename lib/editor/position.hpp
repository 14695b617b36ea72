// Places in a text: lines, and columns counted in code points.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>

namespace kwb::editor {

/// A place between two characters. Both count from 0; compilers and people count lines from 1.
struct Position {
    std::size_t line = 0;
    std::size_t column = 0;  ///< code points before it in the line

    friend auto operator<=>(const Position&, const Position&) = default;
};

/// The text between two places, begin <= end.
struct TextRange {
    Position begin;
    Position end;

    bool empty() const { return begin == end; }
    friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// What is selected: from the anchor, where selecting began, to the caret. Equal: nothing is selected.
struct Selection {
    Position anchor;
    Position caret;

    bool empty() const { return anchor == caret; }
    TextRange range() const { return {std::min(anchor, caret), std::max(anchor, caret)}; }
    friend bool operator==(const Selection&, const Selection&) = default;
};

/// Columns of one line, [begin, end).
struct ColumnRange {
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const ColumnRange&, const ColumnRange&) = default;
};

/// Lines [first, first + removed) of an older text became lines [first, first + inserted) of the newer one.
struct LineChange {
    std::size_t first = 0;
    std::size_t removed = 0;
    std::size_t inserted = 0;

    friend bool operator==(const LineChange&, const LineChange&) = default;
};

}  // namespace kwb::editor
