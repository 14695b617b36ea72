// SPDX-License-Identifier: Apache-2.0
// A recorded work-group step by step with the values of its variables, forwards and backwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "debug/moves.hpp"
#include "debug/origins.hpp"
#include "debug/views.hpp"
#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/fields.hpp"
#include "gui/panels/source_links.hpp"
#include "gui/panels/value_grid.hpp"
#include "gui/panels/xray_maps.hpp"
#include "gui/panels/xray_steps.hpp"
#include "gui/table.hpp"
#include "lessons/lesson.hpp"

namespace kwb::debug {
struct Difference;
}

namespace kwb::gui {

/// Draws into the remaining width of the current window. The selected variable is shown in all work-items,
/// and can be followed from one store to the next.
class StepValues {
public:
    /// @param contestant  whose work-group is recorded
    void draw(const DeskState& state, std::size_t contestant, Commands& commands);

    /// Records the work-group that stores the first wrong element of the contestant.
    void find_wrong(std::size_t contestant) { wanted_ = contestant; }

    /// Begins at a step of an exercise, once it is recorded.
    void begin_at(std::size_t contestant, const LessonStep& step);
    /// The same at an access that the maps show.
    void begin_at(std::size_t contestant, const TracedAccess& access);

    /// What to record while this is on the screen; of another contestant after draw().
    const StepsTarget& target() const { return target_; }
    /// Where the player is; nullptr: nothing is recorded.
    const debug::Moves* moves() const { return moves_ ? &*moves_ : nullptr; }
    const std::string& selected() const { return selected_; }

private:
    void draw_target(const DeskState& state);
    void draw_difference(const DeskState& state);
    void go_to_difference(const debug::Difference& difference);
    /// Shows what is missing or outdated. @return  false: there is no recording to show
    bool draw_status(const DeskState& state);
    void go_to_begin(const DeskState& state);
    void go_to_step(const DeskState& state, const LessonStep& step);
    void go_to_access(const TracedAccess& access);
    void take(const std::shared_ptr<const ShownSteps>& steps);
    /// Computes what the moment shows, when it changes and not in each frame.
    void look_around();
    void go_to(debug::Moment moment);

    void draw_parts();
    void take_recorded_group();
    void draw_controls();
    void draw_slider();
    void draw_place(const DeskState& state, Commands& commands);
    void add_stop();
    void run(debug::Direction direction);
    /// Scrolls what is above the values away where little is left below it: once a recording appears, or the
    /// font is another one, as for an audience.
    void make_room();
    void draw_variables(float width);
    void draw_selected(float width);
    void draw_lanes(float width);
    void draw_origins(float width);
    void draw_memory(const debug::MemoryView& view, float width);
    std::string store_words(std::uint32_t event) const;
    void follow(debug::Direction direction);

    StepsTarget target_;
    std::optional<std::size_t> wanted_;  ///< the contestant of find_wrong(), until it is selected
    std::optional<std::pair<std::size_t, std::variant<LessonStep, TracedAccess>>>
        begin_;  ///< of begin_at(), until it is there
    GroupField group_;
    std::shared_ptr<const ShownSteps> steps_;
    std::optional<debug::Moves> moves_;
    NamedList<ColoredLines> sources_;     ///< of the recording
    float roomy_font_ = 0;                ///< for which there is room
    std::string selected_;                ///< expression; empty: none
    std::string selected_error_;          ///< why it has no value here; empty: it has one
    std::set<std::string> unfolded_;      ///< expressions of variables
    std::string stop_text_, stop_error_;  ///< of the field
    std::string told_;                    ///< what the last movement has found; empty: nothing

    // Of the moment.
    struct Around {
        debug::Moment moment;
        std::string selected;
        std::set<std::string> unfolded;
        Theme theme = Theme::Dark;
        friend bool operator==(const Around&, const Around&) = default;
    };
    std::optional<Around> around_;
    std::vector<debug::VariableRow> variables_;
    std::vector<ValueCell> lanes_;
    std::vector<std::string> lane_words_;
    std::vector<debug::Origin> origins_;
    std::string printed_;  ///< by the step before
    std::vector<debug::MemoryView> memory_;
    std::vector<std::vector<ValueCell>> memory_cells_;
};

}  // namespace kwb::gui
