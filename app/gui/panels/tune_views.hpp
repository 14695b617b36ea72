// SPDX-License-Identifier: Apache-2.0
// A tuning as charts (its course, the times of each parameter value), as a map and as a table.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "desk/preview.hpp"
#include "desk/shown_tuning.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/table.hpp"
#include "plot/chart.hpp"

namespace kwb::gui {

/// Of each configuration, in the order of trial: its time; a line is the best so far. Those without a time
/// lie at the lower edge. The series with index i is trial i, then follows the line.
plot::Chart tuning_course_chart(const ShownTuning& tuning);

/// One row for each value of each parameter that has several: the times of all configurations with this
/// value, as a box with its samples.
plot::Chart tuning_values_chart(const ShownTuning& tuning);

/// The indices of a parameter's values: numbers ascending, others in the order of the file.
std::vector<std::size_t> ascending(const std::vector<ParamValue>& values);

/// The median of its last run, with its interval. @param trial  with a time
std::string measured_words(const Trial& trial);

/// The time of a trial that has a cost, from its ratio to the best and the time that was last measured for
/// the best. Times measured in different runs differ by drift.
double comparable_ms(const ShownTuning& tuning, const Trial& trial);

/// The values of a configuration, its time or verdict, and the reason.
std::vector<std::string> trial_lines(const ShownTuning& tuning, std::size_t trial);

/// One cell for each pair of values, in the colour of the best time of the configurations with these values;
/// a click on it loads that configuration. Until others are chosen, the two parameters are those with the
/// largest effect.
class TuneMap {
public:
    /// @param size  in pixels
    /// @return  the trial that was clicked
    std::optional<std::size_t> draw(const std::shared_ptr<const ShownTuning>& tuning, ImVec2 size);

private:
    struct Cell {
        std::optional<std::size_t> best;  ///< trial
        std::size_t tried = 0;
        std::size_t valid = 0;  ///< configurations of the space
    };

    void make(const std::shared_ptr<const ShownTuning>& tuning);
    void choose_axes();
    void fill_cells();
    void draw_axes();
    std::optional<std::size_t> draw_cells(ImVec2 at, ImVec2 size);
    std::string cell_words(std::size_t row, std::size_t column) const;

    std::shared_ptr<const ShownTuning> tuning_;
    std::array<std::size_t, 2> axes_ = {0, 0};       ///< parameters down and across
    std::array<std::vector<std::size_t>, 2> order_;  ///< of the values of each
    bool is_chosen_ = false;                         ///< by the user
    bool must_fill_ = false;
    std::vector<Cell> cells_;  ///< row-major
    double best_ms_ = 0, worst_ms_ = 0;
};

/// The fastest comes first, then those without a time, until a click on a head sorts by its column; another
/// click reverses, a third restores the order. A click on a row loads its values into the experiment.
/// Columns: the order of trial, the median of its last run with its interval, comparison with the best (a
/// failure has its verdict there), one for each parameter, verdict with the reason. Ranks and comparisons are
/// by ratios within rounds. It scrolls sideways if it is wider than its room.
class TuneTable {
public:
    /// Keeps the texts until the tuning changes.
    /// @param glossary  explains the heads
    /// @param chosen    the present values; the row with these is marked
    /// @param size      in pixels
    /// @return  the trial that was clicked
    std::optional<std::size_t> draw(const std::shared_ptr<const ShownTuning>& tuning,
                                    const std::vector<Term>& glossary,
                                    const std::vector<ParamPreview>& chosen, ImVec2 size);

private:
    struct Cell {
        std::string words;
        Tone tone = Tone::Normal;
        std::optional<double> number = {};  ///< to sort by; nullopt: sorted by the words, after the numbers
    };
    void make(const std::shared_ptr<const ShownTuning>& tuning, const std::vector<Term>& glossary);
    void measure();
    void sort();

    std::shared_ptr<const ShownTuning> tuning_;  ///< that the columns are made of
    std::vector<TableColumn> columns_;
    std::vector<std::vector<Cell>> cells_;  ///< of each column, in the order of trial
    std::vector<std::size_t> rows_;         ///< trials from the top down
    std::optional<TableOrder> order_;       ///< of `rows_`; nullopt: by rank
    float measured_at_ = 0;                 ///< size of the font that the widths are for
};

}  // namespace kwb::gui
