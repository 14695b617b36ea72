// SPDX-License-Identifier: Apache-2.0
// The widgets that all panels use; each registers itself with the probes. Ids are probe ids, so they are
// unique in the whole window: "experiment/run".
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gui/imgui_compat.hpp"
#include "gui/look.hpp"
#include "plot/canvas.hpp"
#include "plot/palette.hpp"

namespace kwb::gui {

enum class Tone { Normal, Muted, Danger, Undefined, Warning, Success, Accent };

ImVec4 text_color(Tone tone);

enum class ButtonKind { Normal, Primary, Quiet };

struct ButtonOptions {
    const char* icon = nullptr;
    ButtonKind kind = ButtonKind::Normal;
    bool enabled = true;
    float width = 0;  ///< in pixels; 0: as wide as the label; negative: distance from the right edge
    std::string_view tooltip = {};  ///< shown on hover; for a disabled button it gives the reason
    Tone tone = Tone::Normal;       ///< of the label; a primary button has its own
};

/// @return  true if it was pressed in this frame
bool button(std::string_view id, std::string_view label, const ButtonOptions& options = {});

/// A label for a button with little room: only the icon, or the words if the font has no icons. The button
/// needs a tooltip.
std::string icon_alone(const char* icon, std::string_view words);

/// The width in pixels of a button with this label.
float button_width(std::string_view label, const char* icon = nullptr);

/// The same on the line of the last item, if there is room.
bool next_button(std::string_view id, std::string_view label, const ButtonOptions& options = {});

/// Marks the last item as one of several tabs.
/// @param inset  distance of the line from both sides, in pixels
void underline_last(ImU32 color, float inset);

/// Of charts and maps.
const plot::Theme& chart_theme();

/// The colour of contestant `slot` in charts, for marks next to its name.
ImU32 series_color(std::size_t slot, int alpha = 255);

struct TextOptions {
    Tone tone = Tone::Normal;
    ImFont* font = nullptr;  ///< body if null
    const char* icon = nullptr;
    bool wraps = false;     ///< at ImGui's wrap position, otherwise at the right edge of the window
    bool shortens = false;  ///< cut with … if too long, with the full text on hover
    float room = 0;         ///< width in pixels to shorten to; 0: up to the right edge
    bool in_row = false;    ///< on a level with the labels of buttons
};

/// A line or paragraph of text.
void text(std::string_view id, std::string_view words, const TextOptions& options = {});

/// A small paragraph: a remark about the control above it.
void remark(std::string_view id, std::string_view words, Tone tone = Tone::Muted, const char* icon = nullptr);

/// Width in pixels of a line in the current font, or in another one.
float width_of(std::string_view words);
float width_of(std::string_view words, ImFont* font);

/// `words` shortened to `room` pixels in the current font, with an ellipsis if it was cut; never splits a
/// character.
std::string shortened(std::string_view words, float room);

/// `words` in lines of at most `room` pixels in the current font, broken between words; the last of `most`
/// lines is shortened if necessary.
std::vector<std::string> wrapped(std::string_view words, float room,
                                 std::size_t most = std::numeric_limits<std::size_t>::max());

/// `path` cut to `room` pixels at its start, between folders, because its end identifies the file; empty if
/// nothing fits.
std::string end_of_path(const std::string& path, float room);

/// Text at a position on the screen, in the current font, that is no item.
void paint_text(std::string_view id, ImVec2 at, std::string_view words, Tone tone);

/// A tooltip for the last item, wrapped at a readable width. Tables and popups keep it off their rows.
void tooltip(std::string_view words);
/// The same for a row of a list that fills the current window.
void row_tooltip(std::string_view words);

/// Centred in the available area: an icon, what is missing, and what to do about it.
void empty_state(std::string_view id, const char* icon, std::string_view title, std::string_view sentence);

/// A rounded box that contains widgets: `Card card("experiment", size); if (card.visible) …`.
class Card : Scope {
public:
    /// @param size   in pixels; 0: all available space; negative: distance from the edge
    /// @param title  drawn as a heading with `icon` if not empty
    Card(std::string_view id, ImVec2 size, std::string_view title = {}, const char* icon = nullptr);
    ~Card() { ImGui::EndChild(); }

    const bool visible;
};

/// A list or menu below a control, open after ImGui::OpenPopup(id): `Popup popup(id); if (popup.open) …`.
class Popup : Scope {
public:
    explicit Popup(const char* id);
    ~Popup();

    const bool open;
};

/// Dims what was drawn in the current window from `top` (a position on the screen) on: it is not about the
/// present choices.
void dim_from(float top);

// Controls in rows: on the same line if there is room, otherwise on the next.

/// Moves the next item, of this width, to the right edge.
inline void align_right(float width) {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width);
}

/// Puts the next item, of this width, on the same line as the last one if it fits. Do not call before the
/// first item.
inline void flow_next(float width) {
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    if (ImGui::GetItemRectMax().x + spacing + width <= right) ImGui::SameLine(0, spacing);
}

/// A row of buttons, in as many lines as necessary: `ButtonRow row; if (row.add(…)) …`.
class ButtonRow : Scope {
public:
    ButtonRow() = default;
    /// @param spacing  between them in pixels
    explicit ButtonRow(float spacing);
    /// With narrower buttons if that keeps all of these labels on one line.
    ButtonRow(float spacing, std::span<const std::string_view> labels);
    ~ButtonRow() { ImGui::PopStyleVar(pushed_); }

    bool add(std::string_view id, std::string_view label, const ButtonOptions& options = {});
    /// One of several tabs. @return  true if it was pressed
    bool add_tab(std::string_view id, std::string_view label, bool is_front, std::string_view tooltip = {});

private:
    bool is_first_ = true;
    int pushed_ = 0;  ///< style variables
};

// A message on a tinted background (a verdict, an error, a question with its buttons), and compiler messages.

/// Everything drawn during its lifetime is placed in its box: `Banner banner(…); if (button(…)) …`. It must
/// not contain child windows.
class Banner : Scope {
public:
    /// @param tone  Danger, Warning, Success or Accent
    Banner(std::string_view id, Tone tone, const char* icon, std::string_view title,
           std::string_view sentence);
    ~Banner();

private:
    std::string id_;
    Tone tone_;
    ImVec2 corner_;
    float width_;
};

/// A banner without any content.
void notice(std::string_view id, Tone tone, const char* icon, std::string_view title,
            std::string_view sentence);

/// Draws a message. Lines that quote source code, with a caret under a column, use the monospaced font and
/// are not wrapped, because the caret would then point at the wrong column.
void message_text(std::string_view id, std::string_view words);

/// The same as a tooltip of the last item.
/// @param heading  a line above it
void message_tooltip(std::string_view heading, std::string_view words);

/// "tiled" for "matmul/tiled", "my_tiled" for "/home/me/my_tiled.cl"; cpu:blas is unchanged.
std::string short_kernel_name(std::string_view kernel);

/// `when` in local time, as std::strftime() formats it.
std::string local_time(std::chrono::system_clock::time_point when, const char* pattern);

/// Colour slots identify kernels; they are the same in all panels.
class Hovered {
public:
    /// The kernel that the pointer was on in the last frame.
    std::optional<std::size_t> lit() const { return lit_; }

    /// The pointer is on an item that represents this kernel.
    void point_at(std::size_t slot) { next_ = slot; }

    /// Call after an item that represents a kernel: the kernel is lit while the pointer is on it, and it is
    /// tinted while the kernel is lit.
    void link_last(std::size_t slot);

    /// Call after each frame.
    void end_frame();

private:
    std::optional<std::size_t> lit_, next_;
};

/// The square in the colour of contestant `slot` before its name, in the middle of a line of this height.
void draw_swatch(ImVec2 at, float line_height, std::size_t slot);

/// A cell narrower than a pixel stays visible.
void fill_cell(const plot::Rect& cell, ImU32 color);

/// An invisible item over what is drawn. @return  true if it was pressed
bool press_area(std::string_view id, const plot::Rect& area);

/// The same over a grid of cells.
struct UsedCells {
    std::optional<std::size_t> hovered, pressed;
};
UsedCells press_cells(std::string_view id, const plot::Rect& area, std::size_t rows, std::size_t columns);

}  // namespace kwb::gui
