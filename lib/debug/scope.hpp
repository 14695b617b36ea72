// SPDX-License-Identifier: Apache-2.0
// The variables that the source can name at a moment of a work-item.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debug/player.hpp"

namespace kwb::debug {

/// Where an expression is evaluated.
struct Scope {
    const Player& player;
    Moment moment;
    std::uint32_t frame = kNoFrame;
};
Scope scope_at(const Player& player, Moment moment);

/// The variables that are visible there, by their declarations; those of inner blocks hide others.
struct VisibleVariable {
    std::string name;
    std::uint32_t type = kUnknownType;
    std::uint64_t address = 0;
    bool is_parameter = false;
    AddressSpace space = AddressSpace::Private;
};
std::vector<VisibleVariable> visible_variables(const Scope& scope);
std::optional<VisibleVariable> find_variable(const Scope& scope, std::string_view name);

}  // namespace kwb::debug
