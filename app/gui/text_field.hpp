// A line of text that a person types.
#pragma once

#include <string>
#include <string_view>

namespace kwb::gui {

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

}  // namespace kwb::gui
