// SPDX-License-Identifier: Apache-2.0
// A space of one parameter.
#pragma once

#include <cstdint>
#include <utility>

#include "tune/space.hpp"

namespace kwb {

/// P is 0, 1, 2, …
inline Space line_space(std::int64_t configurations) {
    SpaceInput input;
    input.params = {{"P", {}}};
    for (std::int64_t i = 0; i < configurations; ++i) input.params.front().value.emplace_back(i);
    return Space(std::move(input));
}

}  // namespace kwb
