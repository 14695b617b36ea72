// SPDX-License-Identifier: Apache-2.0
// The configurations of a tuning as a table.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

/// The fastest comes first, then those without a time, until a click on a head sorts by its column; another
/// click reverses, a third restores the order. A click on a row loads its values into the experiment.
/// Columns: the order of trial, the median of its last run with its interval, comparison with the best (a
/// failure has its verdict there), one for each parameter, verdict with the reason. Ranks and comparisons are
/// by ratios within rounds. It scrolls sideways if it is wider than its room.
class TuneTable {
public:
    /// Keeps the texts until the tuning changes.
    /// @param contestant  whose values a click changes
    /// @param size        in pixels
    void draw(const DeskState& state, const std::shared_ptr<const ShownTuning>& tuning,
              std::size_t contestant, ImVec2 size, Commands& commands);

private:
    struct Cell {
        std::string words;
        Tone tone = Tone::Normal;
        std::optional<double> number = {};  ///< to sort by; nullopt: sorted by the words, after the numbers
    };
    struct Column {
        std::string head;
        bool is_number = false;
        std::vector<Cell> cells = {};  ///< of each trial
        float width = 0;               ///< in pixels
    };

    void make(const std::shared_ptr<const ShownTuning>& tuning);
    void measure();
    void sort();
    void draw_head(float width);
    void draw_row(std::size_t trial, bool is_chosen, float width, std::size_t contestant,
                  Commands& commands) const;

    std::shared_ptr<const ShownTuning> tuning_;  ///< that the columns are made of
    std::vector<Column> columns_;
    std::vector<std::size_t> rows_;         ///< trials from the top down
    std::optional<std::size_t> sorted_by_;  ///< column; nullopt: by rank
    bool reversed_ = false;
    float measured_at_ = 0;  ///< size of the font that the widths are for
};

}  // namespace kwb::gui
