// SPDX-License-Identifier: Apache-2.0
// Spaces to try strategies without a device: those of which every configuration was timed, and a plain one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tune/space.hpp"
#include "tune/strategy.hpp"

namespace kwb {

struct RecordedSpace {
    std::string name;
    Space space;
    std::vector<std::optional<double>> times_ms;  ///< of each configuration; nullopt: it is not good
    double optimum_ms = 0;
};

/// All of tests/support/recorded_spaces/spaces.json, by name.
std::vector<RecordedSpace> recorded_spaces();

/// The best time among the first `configurations` proposals, which are told about eight at a time as a tuning
/// does; nullopt: none is good.
std::optional<double> best_of_first(const RecordedSpace& recorded, Strategy& strategy,
                                    std::size_t configurations);

/// A space of one parameter: P is 0, 1, 2, …
inline Space line_space(std::int64_t configurations) {
    SpaceInput input;
    input.params = {{"P", {}}};
    for (std::int64_t i = 0; i < configurations; ++i) input.params.front().value.emplace_back(i);
    return Space(std::move(input));
}

}  // namespace kwb
