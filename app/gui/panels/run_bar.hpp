// Run, Stop, progress, sweep and live.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/panels/experiment_parts.hpp"
#include "report/charts.hpp"

namespace kwb::gui {

/// Probes: experiment/run or experiment/stop, experiment/obstacle, experiment/progress,
/// experiment/live, experiment/sweep (…/from, …/to).
void draw_run_bar(ChoicesEdit& edit);

/// "Timing tiled, 12 rounds: 3.21 ms (3.18 – 3.26)": the progress; empty if nothing is running.
std::string progress_words(const DeskState& state);

// The sizes of a sweep, and the quantity that its chart shows.

/// Probes: times/sweep/edges, …/start or …/stop, …/speed, …/time, …/problem, …/error.
class SweepControls {
public:
    void draw(const DeskState& state, Commands& commands);

    SweepMeasure measure() const { return measure_; }

private:
    void draw_sizes(const DeskState& state, Commands& commands);
    void draw_measure(float gap);

    std::string edges_;  ///< of the next sweep, as typed; empty: those of Choices
    SweepMeasure measure_ = SweepMeasure::Auto;
};

/// Edges of a sweep as typed: integers separated by spaces or commas.
struct Edges {
    std::vector<std::int64_t> values;  ///< ascending, without duplicates
    std::string problem;               ///< why they are invalid, as a sentence; empty if valid
};
Edges read_edges(std::string_view text);

}  // namespace kwb::gui
