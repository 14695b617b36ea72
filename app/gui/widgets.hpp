// The few widgets that every panel is made of; each registers itself with the probes. Ids are the probes'
// ids, so they are unique in the whole window: "experiment/run".
#pragma once

#include <string>
#include <string_view>

#include "gui/fonts.hpp"
#include "gui/keys.hpp"
#include "gui/look.hpp"

namespace kwb::gui {

enum class ButtonKind { Normal, Primary, Quiet };

struct ButtonOptions {
    const char* icon = nullptr;
    ButtonKind kind = ButtonKind::Normal;
    bool enabled = true;
    float width = 0;  ///< pixels; 0: as wide as the label; negative: up to so much from the right edge
    std::string_view tooltip = {};  ///< shown on hover, also of a disabled button: there it says why
};

/// @return  true if it was pressed in this frame
bool button(std::string_view id, std::string_view label, const ButtonOptions& options = {});

/// How wide a button of this label is, in pixels.
float button_width(std::string_view label, const char* icon = nullptr);

/// The colour that contestant `slot` has in charts, for marks next to its name.
ImU32 series_color(std::size_t slot, int alpha = 255);

enum class Tone { Normal, Muted, Danger, Warning, Success, Accent };

ImVec4 text_color(Tone tone);

struct TextOptions {
    Tone tone = Tone::Normal;
    ImFont* font = nullptr;  ///< body if null
    const char* icon = nullptr;
    bool wraps = false;     ///< at ImGui's wrap position, else at the right edge of the window
    bool shortens = false;  ///< cut with … where the room ends; the whole text on hover
    float room = 0;         ///< pixels to shorten to; 0: up to the right edge
};

/// A line, or a paragraph, of text.
void text(std::string_view id, std::string_view words, const TextOptions& options = {});

/// As much of `words` as fits into `room` pixels in the present font, with an ellipsis where it was cut;
/// whole characters only.
std::string shortened(std::string_view words, float room);

/// A tooltip for the last item, wrapped at a readable width.
void tooltip(std::string_view words);

/// Before a tooltip is begun: how large its content will be, in pixels. Else ImGui gives it the size of what
/// was in it a frame ago, and a line that was not there then is cut.
void size_next_tooltip(ImVec2 content);

/// In the middle of the room that is left: an icon, what is missing here, and what to do about it.
void empty_state(std::string_view id, const char* icon, std::string_view title, std::string_view sentence);

/// A rounded box that holds widgets: `Card card("experiment", size); if (card.visible) …`.
class Card {
public:
    /// @param size   pixels; 0: all that is left; negative: up to so much from the edge
    /// @param title  drawn as heading if not empty, with `icon`
    Card(std::string_view id, ImVec2 size, std::string_view title = {}, const char* icon = nullptr);
    Card(const Card&) = delete;
    Card& operator=(const Card&) = delete;
    ~Card();

    const bool visible;
};

// Controls in rows: next to each other while there is room, else in the next row.

/// The next item, of this width, goes next to the last one if it fits there. Not before the first one.
inline void flow_next(float width, float gap = -1) {
    const float spacing = gap < 0 ? ImGui::GetStyle().ItemSpacing.x : gap;
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    if (ImGui::GetItemRectMax().x + spacing + width <= right) ImGui::SameLine(0, spacing);
}

}  // namespace kwb::gui
