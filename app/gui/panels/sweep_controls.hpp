// Over which sizes a sweep goes, and what its chart shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "report/charts.hpp"

namespace kwb::gui {

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

/// Edges of a sweep as typed: whole numbers separated by blanks or commas.
struct Edges {
    std::vector<std::int64_t> values;  ///< ascending, each once
    std::string problem;               ///< why they cannot be taken: a sentence; empty if they can
};
Edges read_edges(std::string_view text);

}  // namespace kwb::gui
