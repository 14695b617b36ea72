// SPDX-License-Identifier: Apache-2.0
// The memory of an observed kernel: how often each element is used, and one work-group step by step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/panels/xray_steps.hpp"
#include "report/xray_summary.hpp"

namespace kwb::gui {

/// An access of a work-item of the traced group.
struct TracedAccess {
    std::uint32_t launch = 0;
    std::vector<std::uint64_t> group;
    std::uint32_t item = 0;  ///< local linear id
    XrayPlace place;
    std::uint32_t interval = 0;  ///< barriers passed before it
    std::size_t times = 0;       ///< the work-item's accesses at this place before it in the interval

    friend bool operator==(const TracedAccess&, const TracedAccess&) = default;
};

/// Draws into the remaining width of the current window. A click on a work-item of the traced group shows the
/// cells that it uses, a click on a cell the work-items that use it; another click ends that.
class XrayMaps {
public:
    void draw(const DeskState& state, const std::shared_ptr<const ShownXray>& xray, XrayTarget& target,
              Commands& commands);

    /// Go to the first step of a finding, once the work-group that it is about is traced.
    /// @param kernel  as chosen; another one that is shown instead ends this
    void show_alarm(const Finding& finding, const std::string& kernel) {
        wanted_ = finding;
        wanted_of_ = kernel;
    }

    const StepPlayer& player() const { return player_; }
    /// The access that is shown, by the selected work-item, else by the first that takes part; nullopt: the
    /// first step, or none.
    std::optional<TracedAccess> access() const;

private:
    // The content is computed when it changes, not in each frame.
    void take(const std::shared_ptr<const ShownXray>& xray);
    void mark_step();
    void go_to_alarm(XrayTarget& target);
    void select_item(std::optional<std::uint32_t> item);
    void select_cell(std::optional<XrayCell> cell);

    void draw_step_words(const DeskState& state, Commands& commands);
    void draw_items_and_maps();
    void draw_below();
    ImU32 alarm_color() const;
    void draw_selection();
    void draw_legend() const;
    void draw_maps(plot::Size room);
    void draw_map(const BufferMaps& map, ImVec2 at, plot::Size size);
    std::string cell_name(XrayCell cell) const;

    std::shared_ptr<const ShownXray> xray_;
    std::vector<BufferMaps> maps_;
    GroupField group_;
    WorkItemGrid items_;
    bool shows_stores_ = false;
    StepPlayer player_;
    std::optional<Finding> wanted_;  ///< whose step is to be shown
    std::string wanted_of_;          ///< its kernel
    std::size_t marked_step_ = 0;    ///< in `items_`
    std::optional<std::uint32_t> item_;
    std::optional<XrayCell> cell_;
    std::vector<XrayCell> used_by_item_;
    std::string selection_words_;
    std::string sampled_words_;  ///< empty: all groups were observed
    float below_ = 0;            ///< height of what was below the maps in the last frame, in pixels
};

}  // namespace kwb::gui
