// Controls with something to choose or to type in: combo boxes, lines of text, ticks, sliders.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gui/imgui_compat.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

/// A small muted line above a control.
void field_label(std::string_view id, std::string_view words);

/// The next field stands next to the last one, label next to label.
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
    std::string_view remark = {};  ///< muted, after the label; cut where the room ends
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
    bool takes_keyboard = false;     ///< the keyboard comes here, caret at the end
    bool keeps_up_and_down = false;  ///< these keys do not move on to another control: the caller uses them
    bool selects_all = false;        ///< when the keyboard comes, by whatever way: typing replaces the text
    bool is_refused = false;         ///< its text cannot be taken as it is: marked
};

struct TextFieldState {
    bool changed = false;  ///< in this frame
    bool entered = false;  ///< Enter was pressed in it
    bool escaped = false;  ///< Escape was pressed in it; the text is what it was when the keyboard came
    bool active = false;   ///< it has the keyboard
};

/// @param text  UTF-8, any length; changed in place
TextFieldState text_field(std::string_view id, std::string& text, const TextFieldOptions& options = {});

/// What stands in the fields of a panel and is not, or not yet, a value: being typed, or finished and
/// refused.
class Typing {
public:
    /// Refuse what typed_field() returned last. It stays in its field, marked, until it is corrected,
    /// abandoned with Escape, or the value is changed elsewhere.
    /// @param why  a sentence that names the field
    void refuse(std::string why);

    /// If a field is being edited, finish it in this frame, as Enter would.
    bool finish();

    /// Why a field cannot be taken; of any field, or of those whose id begins with `prefix`. Null: all can.
    const std::string* refusal(std::string_view prefix = {}) const;
    /// Give the keyboard to the first field that cannot be taken.
    void go_to_refused();

    /// Call after all fields of the panel were drawn: forgets those that were not.
    void end_frame();

private:
    friend std::optional<std::string> typed_field(std::string_view, const std::string&, Typing&, float);

    struct Entry {
        std::string text;
        std::string value;    ///< the field's, when it was typed
        std::string refusal;  ///< empty: it is being typed
        bool is_drawn;
    };
    std::map<std::string, Entry, std::less<>> entries_;  ///< by the field's id
    std::string finished_id_;
    Entry finished_{};  ///< the last one
    std::string takes_keyboard_;
    bool finishes_ = false;
};

/// A value that takes effect once it is typed to its end, with Enter or by leaving. All of it is selected
/// when the keyboard comes.
/// @param width  pixels; 0: the room that is left
/// @return  the new text, in the frame in which it was finished and differs from `value`; a caller that
///          cannot take it says so with Typing::refuse()
std::optional<std::string> typed_field(std::string_view id, const std::string& value, Typing& typing,
                                       float width = 0);

/// Whole steps from `least` to `most`; what they mean stands elsewhere. @return  the new step, if it was
/// moved
std::optional<int> step_slider(std::string_view id, int value, int least, int most);

/// "1024" and " 1 024 " are 1024. @return  none if it is no whole number of 1 … 2^31 - 1
std::optional<std::int64_t> read_extent(std::string_view text);

/// "'many' is no whole number from 1 to 9", or what to type into a field that is empty.
std::string not_a_number(std::string_view text, std::string_view range,
                         std::string_view kind = "whole number");

}  // namespace kwb::gui
