// Controls with something to choose or to type in: combo boxes, lines of text, ticks, sliders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gui/imgui_compat.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

/// A small muted line above a control.
void field_label(std::string_view id, std::string_view words);

/// The next field stands beside the last one, label beside label.
void beside_last();

struct ComboOptions {
    float width = 0;        ///< pixels; 0: the room that is left
    float popup_width = 0;  ///< at least so wide, pixels; 0: as wide as the field
    bool enabled = true;
    std::string_view tooltip = {};
};

/// A field that opens a list: `Combo combo("experiment/device", "PoCL"); if (combo.open) …`.
/// `shown` is cut with … where it is too long, the whole text is then on hover.
class Combo {
public:
    Combo(std::string_view id, std::string_view shown, const ComboOptions& options = {});
    Combo(const Combo&) = delete;
    Combo& operator=(const Combo&) = delete;
    ~Combo();

    bool open = false;
};

struct OptionLook {
    bool chosen = false;
    bool enabled = true;
    std::string_view remark = {};  ///< muted, behind the label; cut where the room ends
    std::string_view tooltip = {};
};

/// A line of a list or a menu. @return  true if it was chosen in this frame; the list then closes
bool option(std::string_view id, std::string_view label, const OptionLook& look = {});

/// @return  true if it was switched in this frame
bool tick(std::string_view id, std::string_view label, bool value, std::string_view tooltip = {});

struct TextFieldOptions {
    const char* icon = nullptr;      ///< in front of the hint, while the field is empty
    std::string_view hint = {};      ///< what belongs here, muted, while the field is empty
    float width = 0;                 ///< pixels; 0: as wide as the room
    bool takes_keyboard = false;     ///< in this frame the keyboard comes here, caret at the end
    bool keeps_up_and_down = false;  ///< these keys do not move on to another control: the caller uses them
};

struct TextFieldState {
    bool changed = false;  ///< in this frame
    bool entered = false;  ///< Enter was pressed in it
    bool escaped = false;  ///< Escape was pressed in it; the text is what it was when the keyboard came
    bool active = false;   ///< it has the keyboard
};

/// @param text  UTF-8, any length; changed in place
TextFieldState text_field(std::string_view id, std::string& text, const TextFieldOptions& options = {});

/// What is being typed into one of the fields of a panel, until it is finished with Enter or by leaving.
struct Typing {
    std::string id;  ///< empty: nothing is
    std::string text;
};

/// A value that takes effect once it is typed to its end.
/// @param width  pixels; 0: the room that is left
/// @return  the new text, in the frame in which it was finished and differs from `value`
std::optional<std::string> typed_field(std::string_view id, const std::string& value, Typing& typing,
                                       float width = 0);

/// Whole steps from `least` to `most`; what they mean stands elsewhere. @return  the new step, if it was
/// moved
std::optional<int> step_slider(std::string_view id, int value, int least, int most);

/// "1024" and " 1 024 " are 1024. @return  none if it is no whole number of 1 … 2^31 - 1
std::optional<std::int64_t> read_extent(std::string_view text);

}  // namespace kwb::gui
