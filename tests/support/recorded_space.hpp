// SPDX-License-Identifier: Apache-2.0
// Spaces of which every configuration was timed, to try strategies without a device.
#pragma once

#include <optional>
#include <string>
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

/// All of tests/support/recorded_spaces, by name.
std::vector<RecordedSpace> recorded_spaces();

/// The best time among the first `configurations` proposals, which are told about eight at a time as a tuning
/// does; nullopt: none is good.
std::optional<double> best_of_first(const RecordedSpace& recorded, Strategy& strategy,
                                    std::size_t configurations);

}  // namespace kwb
