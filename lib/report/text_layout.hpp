// Text as a terminal shows it: how wide it is, how it is cut, filled and wrapped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/tables.hpp"

namespace kwb {

/// Columns that UTF-8 `text` takes: 0 for combining marks and ANSI colours, 2 for wide letters.
/// Source: Unicode Standard Annex 11, "East Asian Width" (the blocks, not every letter).
std::size_t display_width(std::string_view text);

/// Filled with blanks up to `width` columns; wider text stays as it is.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

/// At most `width` columns, the cut marked by "…" (or "~" where only ASCII is allowed).
std::string shorten(std::string_view text, std::size_t width, bool unicode);

/// Foreign text made safe for a terminal: UTF-8, and control characters but tab and newline become '?',
/// so that a kernel's printf cannot move the cursor or recolour the screen.
std::string printable(std::string_view text);

/// Break at blanks so that each line, `indent` included, takes at most `width` columns where its words
/// allow. Lines that show source ("   12 | x = ;") are never broken.
/// @param text  may hold several lines
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

/// Columns before what belongs to the line above.
inline constexpr std::size_t kIndent = 2;

/// wrap() as one text, each line ended by '\n'.
std::string paragraph(std::string_view text, std::size_t width, std::size_t indent = 0);

enum class Tone { Plain, Good, Bad, Warning, Strong, Faint };

/// @return  `text` between ANSI sequences if `options` allow colour
std::string paint(std::string_view text, Tone tone, const TableOptions& options);

/// Replace the few signs beyond ASCII that the tables use ("µ", "–", "×", "…") where they cannot be shown.
std::string plain_signs(std::string text, const TableOptions& options);

}  // namespace kwb
