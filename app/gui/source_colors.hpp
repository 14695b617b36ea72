// The colours of OpenCL C and of the marks at its lines.
#pragma once

#include "desk/document.hpp"
#include "editor/highlight.hpp"
#include "gui/theme.hpp"

namespace kwb::gui {

/// On the theme's surface, and on its tints, each reaches a contrast of 4.5 : 1 (WCAG 2.1, 1.4.3).
Color source_color(editor::SpanKind kind, Theme theme);

Color mark_color(LineMark::Kind kind, const Palette& palette);

/// Behind what was searched for, and behind what differs within a line.
Color highlight_color(Theme theme);

/// What a mark is called in a list: "Error", "Hint".
const char* mark_name(LineMark::Kind kind);

/// The more serious of two marks wins the place where there is room for one.
bool is_worse(LineMark::Kind one, LineMark::Kind other);

/// A mark's sign: disc, triangle, ring or diamond, so that nobody needs to tell colours apart.
void draw_mark_sign(ImDrawList& list, ImVec2 center, float radius_px, LineMark::Kind kind, ImU32 color);

}  // namespace kwb::gui
