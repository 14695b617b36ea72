// SPDX-License-Identifier: Apache-2.0
// Text layout for a terminal: measuring, cutting, padding and wrapping.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/printable.hpp"
#include "report/tables.hpp"

namespace kwb {

/// Width of UTF-8 `text` in columns: 0 for combining marks and ANSI colours, 2 for wide characters.
/// Source: Unicode Standard Annex 11, "East Asian Width" (by block, not by character).
std::size_t display_width(std::string_view text);

/// `text` padded on the right with blanks to `width` columns; wider text is returned unchanged.
std::string pad_right(std::string_view text, std::size_t width);

/// `text` cut to at most `width` columns; a cut is marked with "…", or "~" if only ASCII is allowed.
std::string shorten(std::string_view text, std::size_t width, bool unicode);

/// printable(), but the sequences that paint() writes stay: what every text for a terminal passes at last.
std::string printable_painted(std::string_view text);

/// Make `text` printable, and break it at blanks, or between wide characters, so that each line, including
/// `indent`, is at most `width` columns wide. A word that is too long is not broken, nor is a line that shows
/// source ("   12 | x = ;").
/// @param text  may hold several lines
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

/// Indentation of lines that belong to the line above, in columns.
inline constexpr std::size_t kIndent = 2;

/// The lines of wrap() as one text, each ending with '\n'.
std::string paragraph(std::string_view text, std::size_t width, std::size_t indent = 0);

enum class Tone { Plain, Good, Bad, Undefined, Warning, Strong, Faint };

/// @return  `text`, made printable, between ANSI sequences if `options` allow colour
std::string paint(std::string_view text, Tone tone, const TableOptions& options);

/// Replace the non-ASCII signs that the tables use ("·", "µ", "–", "×", "…") unless `options` allow Unicode.
std::string plain_signs(std::string text, const TableOptions& options);

// A table of text cells, laid out in columns.

struct Cell {
    std::string text;  ///< a column makes it printable, in one line
    Tone tone = Tone::Plain;
};

enum class Align { Left, Right };

/// Names of kernels are never cut to fewer columns than this, however narrow the terminal.
inline constexpr std::size_t kLeastLabelColumns = 8;

/// A table with at least one column.
class Grid {
public:
    /// @param cells  one for each row
    /// @throws ContractError  the number of cells differs from that of the first column
    void add_column(std::string header, Align align, std::vector<Cell> cells);

    /// Width of the table, in terminal columns.
    std::size_t width() const;
    /// The width if the cells of the first column are cut to `least` columns.
    std::size_t least_width(std::size_t least) const;

    /// Cut the cells of the first column so that the table is at most `width` columns wide, but not to fewer
    /// than `least` columns.
    void fit_first_column(std::size_t width, std::size_t least, bool unicode);

    /// The header and the rows, each ending with '\n', without trailing blanks.
    std::string render(const TableOptions& options) const;

    /// render(), in as many tables one below another as `options.width` requires. Each begins with the first
    /// `keys` columns. Where even one more column does not fit, the first is cut, but not to fewer than
    /// `least` columns.
    std::string render_in_parts(std::size_t keys, std::size_t least, const TableOptions& options) const;

private:
    struct Column {
        Align align;
        std::size_t width;
        std::vector<Cell> cells;  ///< the first is the header
    };
    std::vector<Column> columns_;
};

}  // namespace kwb
