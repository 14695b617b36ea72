// SPDX-License-Identifier: Apache-2.0
// A recorded work-group, prepared for the window: its steps with the values of its variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "debug/player.hpp"
#include "debug/wrong_start.hpp"
#include "experiment/experiment.hpp"

namespace kwb::debug {
struct Comparison;
}

namespace kwb {

/// What is recorded while nothing else runs.
struct StepsTarget {
    std::size_t contestant = 0;  ///< index of Experiment::contestants
    std::uint32_t launch = 0;
    std::vector<std::uint64_t> group = {0, 0, 0};
    /// Instead of that group, the one that stores the first wrong element, at the smallest size that has one.
    bool finds_wrong = false;
    std::optional<std::size_t> against = {};  ///< the contestant to compare with
    Sizes sizes = {};                         ///< empty: the chosen ones
    std::uint64_t from = 0;                   ///< of a long record: an event in the part to show

    friend bool operator==(const StepsTarget&, const StepsTarget&) = default;
};

/// Everything that a recording depends on.
struct StepsKey {
    Setting setting;
    ChosenKernel kernel;
    std::optional<ChosenKernel> against = {};
    StepsTarget target;  ///< without contestants

    friend bool operator==(const StepsKey&, const StepsKey&) = default;
};

/// Immutable once shared.
struct ShownSteps {
    StepsKey key;
    std::string error;                  ///< a sentence: why nothing is recorded; empty if something is
    std::filesystem::path file;         ///< of the kernel
    NamedList<std::string> sources;     ///< the recorded texts of its files, its own one without a name
    Sizes sizes;                        ///< at which it was recorded
    std::vector<std::string> launches;  ///< their kernels
    std::vector<std::uint64_t> groups;  ///< of the launch, in each dimension
    std::shared_ptr<const debug::Player> player = {};          ///< nullptr if there is an error
    std::shared_ptr<const debug::Comparison> comparison = {};  ///< nullptr: with nothing
    std::string comparison_error = {};                         ///< why not, if it was asked for
    debug::WrongStart start = {};  ///< where to begin; without text: no wrong element was looked for
};

}  // namespace kwb
