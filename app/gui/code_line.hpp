// SPDX-License-Identifier: Apache-2.0
// Drawing one line of coloured source text on a fixed grid, and the colours of OpenCL C.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "desk/document.hpp"
#include "editor/highlight.hpp"
#include "gui/look.hpp"

namespace kwb::gui {

/// The character grid of source text, from the mono font of the current look.
struct CodeGrid {
    float advance = 0;      ///< width of a column in pixels
    float line_height = 0;  ///< height of a line in pixels
    float text_top = 0;     ///< offset of the glyphs within a line
    bool is_exact = false;  ///< the font's own advance equals that of the grid
};

CodeGrid code_grid();

/// Converts a number of lines or columns, for multiplication by the grid's pixels.
inline float to_float(std::size_t count) {
    return static_cast<float>(count);
}

/// Visible columns of the grid: [first, last).
struct VisibleColumns {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// @param at     position of the line's upper left corner, at column 0
/// @param line   valid UTF-8 without line break; a tab extends to the next multiple of the tab width
/// @param spans  spans of this line; text outside them is not drawn
void draw_code_line(ImDrawList& list, ImVec2 at, const CodeGrid& grid, std::string_view line,
                    std::span<const editor::Span> spans, VisibleColumns visible);

/// Draws a number that ends at `right`, in the mono font.
void draw_line_number(ImDrawList& list, ImVec2 right, const CodeGrid& grid, std::size_t number, ImU32 color);

/// Width of line numbers up to `most` with at least `least` digits, in pixels.
float number_width(const CodeGrid& grid, std::size_t most, std::size_t least);

/// Each colour has a contrast of at least 4.5 : 1 on the theme's surface and its tints (WCAG 2.1, 1.4.3).
Color source_color(editor::SpanKind kind, Theme theme);

Color mark_color(LineMark::Kind kind);

/// The stripe at a line (from 1) that has machine code, and at its instructions: two greys by turns, because
/// colours mean kernels.
Color stripe_color(std::size_t line);

/// Name of a mark in a list: "Error", "Hint".
const char* mark_name(LineMark::Kind kind);

/// Whether `one` is more serious; the more serious mark is shown where there is room for one.
bool is_worse(LineMark::Kind one, LineMark::Kind other);

/// Draws a mark's sign: disc, triangle, ring or diamond, so that marks do not differ by colour alone.
void draw_mark_sign(ImDrawList& list, ImVec2 center, float radius_px, LineMark::Kind kind, ImU32 color);

}  // namespace kwb::gui
