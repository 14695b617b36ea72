// SPDX-License-Identifier: Apache-2.0
// Two parameters of a tuning against each other: the best over all others.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/shown_tuning.hpp"
#include "gui/imgui_compat.hpp"

namespace kwb::gui {

/// One cell for each pair of values, in the colour of the best time of the configurations with these values;
/// a click on it loads that configuration. Until others are chosen, the two parameters are those with the
/// largest effect.
class TuneMap {
public:
    /// @param size  in pixels
    void draw(const std::shared_ptr<const ShownTuning>& tuning, std::size_t contestant, ImVec2 size,
              Commands& commands);

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
    void draw_cells(ImVec2 at, ImVec2 size, std::size_t contestant, Commands& commands);
    std::string cell_words(std::size_t row, std::size_t column) const;

    std::shared_ptr<const ShownTuning> tuning_;
    std::array<std::size_t, 2> axes_ = {0, 0};       ///< parameters down and across
    std::array<std::vector<std::size_t>, 2> order_;  ///< of the values of each
    bool is_chosen_ = false;                         ///< by the user
    bool must_fill_ = false;
    std::vector<Cell> cells_;  ///< row-major
    double best_ms_ = 0, worst_ms_ = 0;
};

}  // namespace kwb::gui
