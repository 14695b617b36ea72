// SPDX-License-Identifier: Apache-2.0
// Test access to what is on the screen: every widget reports its position and state. When disabled (the
// default) a probe costs one comparison.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gui/imgui_compat.hpp"

namespace kwb::gui {

/// A widget in the last frame. Rectangles are in window pixels, y down; max is one past the last pixel.
struct Probed {
    ImRect rect;           ///< visible part: clipped to its parents
    ImRect full;           ///< without clipping
    bool visible = false;  ///< part of it is within its parents
    bool enabled = true;
    bool hovered = false;    ///< a click now would reach it: no popup, modal or other widget covers it
    bool active = false;     ///< pressed or being edited
    bool focused = false;    ///< has keyboard focus
    bool acts = false;       ///< can be pressed or edited, so it must be reachable by keyboard
    bool container = false;  ///< contains other widgets, which may overlap it
    bool scrolls_y = false;  ///< its parent scrolls vertically, so it may be clipped at top or bottom
    bool scrolls_x = false;
    std::string label;      ///< empty if none was given
    float label_width = 0;  ///< width of the label in pixels, in its font
    float label_height = 0;
    unsigned layer = 0;  ///< root window (main, popup, tooltip); widgets of a layer must not overlap
};

struct ProbeOptions {
    std::string_view label = {};  ///< its text
    bool container = false;
    float label_padding = 0;  ///< pixels of the widget's width unavailable to the label, sum of both sides
    bool wraps = false;       ///< the label wraps: it does not require its full width
    bool rests = false;       ///< Tab gives it the focus ring without starting to edit
};

/// Records the last ImGui item under `id`, e.g. "experiment/run": panel, slash, item; then a slash and a
/// row's index or name. Probes::duplicates() lists ids that were used twice in a frame, which is an error.
void probe(std::string_view id, const ProbeOptions& options = {});

/// The same for something that is not an ImGui item: a card, a custom-drawn chart. `hovered` then means that
/// the pointer is in it and its window is hovered.
void probe_rect(std::string_view id, const ImRect& full, const ProbeOptions& options = {});

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

    /// The visible widgets, one per line, with tabs between the fields: id, rectangle "x0 y0 x1 y1" in whole
    /// pixels, "enabled" and "hovered" if it is, label.
    std::string lines() const;

private:
    bool enabled_ = false;
    std::map<std::string, Probed, std::less<>> all_;
    std::vector<std::string> duplicates_;
};

}  // namespace kwb::gui
