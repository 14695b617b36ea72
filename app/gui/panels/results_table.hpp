// SPDX-License-Identifier: Apache-2.0
// The results of a run as a table, one line per contestant.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/hovered.hpp"
#include "gui/widgets.hpp"
#include "model/result.hpp"

namespace kwb::gui {

/// The lines are in the order of the contestants until a click on a head sorts them by its column; another
/// click reverses them, a third restores the order. A right click on a line offers to copy all columns as a
/// table.
///
/// Columns: kernel with its colour, median with its 95 % interval, GFLOP/s, GB/s, speed-up, the time of the
/// same contestant in the compared run, first run, build, verdict. If the width is insufficient, columns are
/// omitted in this order: build, first run, GB/s, the median's interval, GFLOP/s, earlier time, speed-up;
/// then kernel names are cut. A click on a line selects the contestant.
class ResultsTable {
public:
    /// @param state  `shown` must not be null
    void draw(const DeskState& state, Hovered& hovered, Commands& commands);

    /// How the lines are sorted.
    struct Order {
        std::size_t column = 0;  ///< index of all columns
        bool reversed = false;
    };

private:
    std::optional<Order> order_;
};

/// Height of the complete table in pixels.
float results_table_height(std::size_t lines);

/// "out of bounds" for out_of_bounds.
std::string verdict_words(Verdict verdict);

struct VerdictLook {
    std::string words;  ///< "correct", "out of bounds", "wrong, as expected"
    Tone tone = Tone::Muted;
    const char* icon = nullptr;
};

/// Muted: not checked yet. Success: as expected, including an error that the kernel's file announces.
/// Warning: not attempted (skipped, does not fit). Danger: everything else.
VerdictLook look_of(const KernelResult& result);

}  // namespace kwb::gui
