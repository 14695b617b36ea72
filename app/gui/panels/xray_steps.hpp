// SPDX-License-Identifier: Apache-2.0
// One work-group of X-ray step by step: which one, its work-items, and a player of its steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "desk/shown_xray.hpp"
#include "desk/xray_play.hpp"
#include "gui/fields.hpp"
#include "gui/imgui_compat.hpp"
#include "model/xray.hpp"

namespace kwb::gui {

/// Buttons, speed, and a slider.
class StepPlayer {
public:
    /// @param goes_on  at the current step, if a step of that number exists; otherwise at the first
    void begin(const XrayPlay& play, bool goes_on);
    /// Advances while playing, and draws into the remaining width of the current window.
    /// @param play  with at least one step
    void draw(const XrayPlay& play);

    std::size_t step() const { return step_; }  ///< 0 if there are none
    bool is_playing() const { return is_playing_; }
    void go_to(const XrayPlay& play, std::size_t step);

private:
    void advance(const XrayPlay& play);
    void draw_controls(const XrayPlay& play);
    void draw_slider(const XrayPlay& play);

    std::size_t step_ = 0;
    bool is_playing_ = false;
    double since_step_s_ = 0;
    std::size_t speed_ = 2;
};

/// Reads "3, 2" and "(3,2)". @return  nullopt: it is no tuple of numbers
std::optional<std::vector<std::uint64_t>> read_tuple(std::string_view text);

/// "(0, 3)"
std::string tuple_words(const std::vector<std::uint64_t>& index, std::size_t dimensions);

struct GroupChoices {
    std::vector<std::string> launches;  ///< their kernels, at least one
    std::vector<std::uint64_t> groups;  ///< of the chosen launch, in each dimension
};
/// @param report  with a launch
GroupChoices group_choices(const XrayReport& report, std::uint32_t launch);

/// The field that chooses the work-group that X-ray traces or records. Draws one line: also the launch, if
/// there are several.
class GroupField {
public:
    /// @param id  of the probes: "<id>/group", "<id>/launch"
    void draw(const std::string& id, const GroupChoices& choices, std::uint32_t& launch,
              std::vector<std::uint64_t>& group);

private:
    Typing typing_;
};

/// The work-items of a traced group, each a cell.
class WorkItemGrid {
public:
    enum Mark : std::uint8_t { kActive = 1, kAlarming = 2, kUses = 4 };

    /// The work-items of a group of this launch, without marks; a single one if there is no such launch.
    void begin(const XrayReport& report, std::uint32_t launch);
    void mark(std::uint32_t item, Mark as) {
        if (item < marks_.size()) marks_[item] |= as;
    }
    /// @param marks  one or several
    void unmark(int marks);

    /// The local id: "(0, 3)".
    std::string name(std::uint32_t item) const;
    /// @param alarm  colour of kAlarming
    /// @return  the work-item that was clicked
    std::optional<std::uint32_t> draw(std::optional<std::uint32_t> selected, ImU32 alarm,
                                      plot::Size room) const;

private:
    std::vector<std::uint64_t> local_;
    std::uint32_t sub_group_ = 1;
    std::size_t columns_ = 1;
    std::vector<std::uint8_t> marks_;  ///< of each work-item
};

}  // namespace kwb::gui
