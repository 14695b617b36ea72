// What is on the screen, for tests: every widget reports where it is and what state it is in.
// Off (the normal case) a probe costs one comparison.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kwb::gui {

/// In pixels of the window, y downwards; max is one past the last pixel.
struct Rect {
    float min_x = 0, min_y = 0, max_x = 0, max_y = 0;
    float width() const { return max_x - min_x; }
    float height() const { return max_y - min_y; }
    bool empty() const { return max_x <= min_x || max_y <= min_y; }
};

/// One widget in the last frame.
struct Probed {
    Rect rect;             ///< what of it can be seen: clipped to its parents
    Rect full;             ///< as if nothing clipped it
    bool visible = false;  ///< some of it is within its parents
    bool enabled = true;
    bool hovered = false;    ///< a press now would reach it: no popup, modal or other widget is in between
    bool active = false;     ///< held down, or edited
    bool focused = false;    ///< the keyboard acts on it
    bool acts = false;       ///< made to be pressed or edited: the keyboard has to get there, too
    bool container = false;  ///< holds other widgets: they may lie on it
    bool scrolls_y = false;  ///< its parent scrolls up and down: it may be cut above and below
    bool scrolls_x = false;
    std::string label;      ///< empty if none was given
    float label_width = 0;  ///< pixels that the label needs, in the font in which it was drawn
    float label_height = 0;
    unsigned layer = 0;  ///< root window: main window, popup, tooltip; widgets of one layer must not overlap
};

struct ProbeOptions {
    std::string_view label = {};  ///< what is written on it
    bool container = false;
    float label_padding = 0;  ///< pixels of the widget's width that the label cannot use, both sides together
    bool wraps = false;       ///< the label runs over several lines: its width is no demand
    bool rests = false;       ///< Tab gives it the focus ring and does not yet begin to write in it
};

/// Remember the last ImGui item under `id`, e.g. "experiment/run": panel, slash, thing; a row's index or name
/// after another slash. Probes::duplicates() lists ids used twice in a frame, which is a mistake.
void probe(std::string_view id, const ProbeOptions& options = {});

/// The same for something that is no ImGui item: a card, a chart painted by hand.
/// `hovered` is then that the pointer is in it and its window is the one hovered.
void probe_rect(std::string_view id, const Rect& full, const ProbeOptions& options = {});

/// The probes of one context.
class Probes {
public:
    void set_enabled(bool enabled) { enabled_ = enabled; }
    bool enabled() const { return enabled_; }

    void begin_frame();
    void store(std::string_view id, Probed probed);

    /// @return  null if it was not drawn in the last frame
    const Probed* find(std::string_view id) const;
    const std::map<std::string, Probed, std::less<>>& all() const { return all_; }
    const std::vector<std::string>& duplicates() const { return duplicates_; }

private:
    bool enabled_ = false;
    std::map<std::string, Probed, std::less<>> all_;
    std::vector<std::string> duplicates_;
};

}  // namespace kwb::gui
