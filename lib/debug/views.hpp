// SPDX-License-Identifier: Apache-2.0
// What a debugger shows of a moment: a value in all work-items, the variables, and memory around an element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "debug/evaluate.hpp"
#include "debug/player.hpp"

namespace kwb::debug {

/// The value of an expression in a work-item.
struct LaneValue {
    enum class State {
        Known,
        Unset,   ///< it has no value yet
        Unknown  ///< it is not recorded, or the expression means nothing there
    };
    State state = State::Unknown;
    std::string text = {};              ///< of a known one
    std::optional<double> number = {};  ///< of a known one that is a number
    bool is_elsewhere = false;          ///< the work-item does not come to this line: Player::last_moment()
};
/// "11 of 31"; "11 of more than 15": the work-item does more after the part that is recorded.
std::string step_text(const Player& player, Moment moment);

/// By local linear id; see Player::same_moments().
/// @throws BadInput  as evaluate(), at the moment itself
std::vector<LaneValue> lane_values(const Player& player, const Scope& scope, std::string_view expression);

/// A variable, or a part of one, in a list.
struct VariableRow {
    std::string expression;  ///< "tile[3]"
    std::string name;        ///< "tile", and of parts "[3]", ".x"
    std::string type, value;
    AddressSpace space = AddressSpace::Private;
    std::size_t depth = 0;  ///< of a part: 1, 2, …
    bool is_parameter = false;
    bool unfolds = false;     ///< it has parts
    bool is_changed = false;  ///< since the work-item's previous step
};
/// The visible variables, the innermost block's first, parameters last.
/// @param unfolded  expressions whose parts follow
std::vector<VariableRow> variable_rows(const Scope& scope, const std::set<std::string>& unfolded);

/// Elements of a buffer or array around one of them.
struct MemoryView {
    struct Cell {
        std::string text;  ///< "?": it has no value yet; "…": it is not recorded
        std::optional<double> number = {};
        bool is_read = false, is_stored = false;  ///< by the step
    };
    std::string name;   ///< "a"
    std::string shape;  ///< "16 × 17"
    AddressSpace space = AddressSpace::Global;
    std::uint64_t rows = 0, columns = 0;            ///< of the view
    std::uint64_t first_row = 0, first_column = 0;  ///< all but the last dimension count as rows
    std::vector<Cell> cells;                        ///< row-major

    std::string element_name(const Recording& recording, std::size_t cell) const;
    std::uint32_t region = 0;  ///< of Recording::regions
    std::uint64_t row_elements = 1;
    std::uint64_t address_of(const Recording& recording, std::size_t cell) const;
    std::uint64_t element_bytes(const Recording& recording) const;
};

/// Of the buffers and arrays that the step reads or stores to, and of all in local memory: at most this many
/// rows and columns around the last element that the work-item has touched.
std::vector<MemoryView> memory_views(const Player& player, Moment moment, std::uint64_t most_rows,
                                     std::uint64_t most_columns);

}  // namespace kwb::debug
