// One line of coloured source text, every character in its column, and the colours of OpenCL C.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "desk/document.hpp"
#include "editor/highlight.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/look.hpp"

namespace kwb::gui {

/// The grid on which source text stands: of the mono font of the current look.
struct CodeGrid {
    float advance = 0;      ///< pixels, one column
    float line_height = 0;  ///< pixels
    float text_top = 0;     ///< of the letters within a line
    bool is_exact = false;  ///< the font's own steps are those of the grid
};

CodeGrid code_grid();

/// A number of lines or columns, to be multiplied by the grid's pixels.
inline float to_float(std::size_t count) {
    return static_cast<float>(count);
}

/// Cells of the grid that can be seen: [first, last).
struct VisibleColumns {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// @param at     upper left corner of the line, of column 0
/// @param line   valid UTF-8 without line break; a tab reaches to the next multiple of the tab width
/// @param spans  of this very line; what none covers has the colour of text
void draw_code_line(ImDrawList& list, ImVec2 at, const CodeGrid& grid, std::string_view line,
                    std::span<const editor::Span> spans, VisibleColumns visible);

/// A number that ends at `right`, in the mono font.
void draw_line_number(ImDrawList& list, ImVec2 right, const CodeGrid& grid, std::size_t number, ImU32 color);

/// How many digits `number` has.
int digits_of(std::size_t number);

/// On the theme's surface, and on its tints, each reaches a contrast of 4.5 : 1 (WCAG 2.1, 1.4.3).
Color source_color(editor::SpanKind kind, Theme theme);

Color mark_color(LineMark::Kind kind, const Palette& palette);

/// The ground of search matches, and of what differs within a line.
Color highlight_color(Theme theme);

/// What a mark is called in a list: "Error", "Hint".
const char* mark_name(LineMark::Kind kind);

/// The more serious of two marks wins the place where there is room for one.
bool is_worse(LineMark::Kind one, LineMark::Kind other);

/// A mark's sign: disc, triangle, ring or diamond, so that colour is not the only difference.
void draw_mark_sign(ImDrawList& list, ImVec2 center, float radius_px, LineMark::Kind kind, ImU32 color);

}  // namespace kwb::gui
