// SPDX-License-Identifier: Apache-2.0
// Input controls: combo boxes, text fields, check boxes, sliders.
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gui/widgets.hpp"

namespace kwb::gui {

/// A small muted line above a control.
/// @param room  in pixels; 0: all available width
void field_label(std::string_view id, std::string_view words, float room = 0);

/// Width of a field, so that two fit in a row.
float half_width();

/// Puts the next field on the same line as the last one, label next to label.
void beside_last();

struct ComboOptions {
    float width = 0;        ///< in pixels; 0: all available width
    float popup_width = 0;  ///< minimum width in pixels; 0: as wide as the field
    bool enabled = true;
    std::string_view tooltip = {};
};

/// A field that opens a list: `Combo combo("experiment/device", "PoCL"); if (combo.open) …`.
/// If `shown` is too long it is cut with …, and a tooltip shows the full text.
class Combo : Scope {
public:
    Combo(std::string_view id, std::string_view shown, const ComboOptions& options = {});
    ~Combo() {
        if (open) ImGui::EndCombo();
    }

    bool open = false;
};

struct OptionLook {
    bool chosen = false;
    bool enabled = true;
    bool keeps_open = false;       ///< choosing it does not close the list
    std::string_view remark = {};  ///< muted, after the label; cut if too long
    std::string_view tooltip = {};
};

/// An entry of a list or menu. @return  true if it was chosen in this frame; the list then closes, unless it
/// is to stay open
bool option(std::string_view id, std::string_view label, const OptionLook& look = {});

/// `label` for an option that can be on or off: with a check mark, or with equally wide spaces.
std::string ticked(bool is_on, std::string_view label);

/// @return  true if it was toggled in this frame
bool tick(std::string_view id, std::string_view label, bool value, std::string_view tooltip = {});
float tick_width(std::string_view label);

struct TextFieldOptions {
    const char* icon = nullptr;      ///< shown before the hint while the field is empty
    std::string_view hint = {};      ///< what to enter, muted, while the field is empty
    float width = 0;                 ///< in pixels; 0: all available width
    bool takes_keyboard = false;     ///< takes keyboard focus, with the caret at the end
    bool keeps_up_and_down = false;  ///< these keys do not move the focus: the caller handles them
    bool selects_all = false;        ///< on getting focus, so that typing replaces the text
    bool is_refused = false;         ///< marks the text as invalid
};

struct TextFieldState {
    bool changed = false;  ///< in this frame
    bool entered = false;  ///< Enter was pressed in it
    bool escaped = false;  ///< Escape was pressed in it; the text is reset to what it was on getting focus
    bool active = false;   ///< it has keyboard focus
};

/// @param text  UTF-8, any length; changed in place
TextFieldState text_field(std::string_view id, std::string& text, const TextFieldOptions& options = {});

/// Text in a panel's fields that is not (yet) a value: text that is being edited, or was entered and
/// rejected.
class Typing {
public:
    /// Rejects the text that typed_field() returned last. It stays in its field, marked as invalid, until it
    /// is corrected, abandoned with Escape, or the value is changed elsewhere.
    /// @param why  a sentence that names the field
    void refuse(std::string why);

    /// If a field is being edited, finishes it in this frame, as Enter does.
    bool finish();

    /// Why a field's text was rejected; null if none was.
    const std::string* refusal() const;
    /// Moves keyboard focus to the first field with rejected text.
    void go_to_refused();

    /// Whether a field whose id begins with `prefix` has text that is no value yet.
    bool holds(std::string_view prefix) const;
    /// Discards such text.
    void drop(std::string_view prefix);

    /// Call after all fields of the panel were drawn; discards the text of fields that were not drawn.
    void end_frame();

private:
    friend std::optional<std::string> typed_field(std::string_view, const std::string&, Typing&, float,
                                                  std::string_view);

    struct Entry {
        std::string text;
        std::string value;    ///< the field's value at that time
        std::string refusal;  ///< empty: it is being edited
        bool is_drawn;
    };
    std::map<std::string, Entry, std::less<>> entries_;  ///< by field id
    std::string finished_id_;
    Entry finished_{};  ///< the text returned last
    std::string takes_keyboard_;
    bool finishes_ = false;
};

/// A field whose value takes effect when it is finished with Enter or by leaving the field. Getting focus
/// selects all of its text.
/// @param width  in pixels; 0: all available width
/// @param hint   shown while the field is empty
/// @return  the new text, in the frame in which it was finished, if it differs from `value`; a caller that
///          cannot accept it calls Typing::refuse()
std::optional<std::string> typed_field(std::string_view id, const std::string& value, Typing& typing,
                                       float width = 0, std::string_view hint = {});

/// A slider over the integers from `least` to `most`; the caller shows what they mean. @return  the new step
/// if it was moved
std::optional<int> step_slider(std::string_view id, int value, int least, int most);

/// The number, if there is nothing else in the text and it fits the type.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
    Number value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "1024" and " 1 024 " are 1024. @return  nullopt unless the text is an integer in 1 … 2^31 - 1
std::optional<std::int64_t> read_extent(std::string_view text);

/// "'many' is not a whole number from 1 to 9"; for an empty text, what to enter.
std::string not_a_number(std::string_view text, std::string_view range,
                         std::string_view kind = "whole number");

}  // namespace kwb::gui
