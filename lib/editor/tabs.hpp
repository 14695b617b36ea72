// Where the characters of a line stand when a tab reaches to the next multiple of the tab width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kwb::editor {

/// Cells from one tab stop to the next.
inline constexpr std::size_t kTabWidth = 4;

/// @param column  code points before the place
/// @return  cells before the place; a place behind the line's end is put at that end
std::size_t cell_of_column(std::string_view line, std::size_t column);

/// The place that is nearest to a cell's left edge: of a wide tab its first half is before, its second
/// behind.
/// @return  code points; at most those of the line
std::size_t column_of_cell(std::string_view line, std::size_t cell);

/// @return  cells that the whole line takes
std::size_t cells_of(std::string_view line);

/// The line as it is drawn: with blanks in place of its tabs.
std::string without_tabs(std::string_view line);

/// Blanks and tabs at the start of a line, in bytes.
std::size_t blank_prefix(std::string_view line);

}  // namespace kwb::editor
