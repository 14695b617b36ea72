// SPDX-License-Identifier: Apache-2.0
// The order in which a tuner tries the configurations of a space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/record.hpp"
#include "tune/space.hpp"

namespace kwb {

/// Proposes configurations, each at most once. Deterministic: its proposals depend only on the space, the
/// seed and the reported outcomes.
class Strategy {
public:
    virtual ~Strategy() = default;

    /// @return  the index of a configuration; nullopt: there is nothing more to try
    virtual std::optional<std::size_t> next() = 0;

    /// Reports the outcome of a configuration. Several may be proposed before the first outcome is known.
    /// @param cost_ms  its time, see Trial in tuning.hpp; nullopt: it is not good
    virtual void tell(std::size_t configuration, std::optional<double> cost_ms) = 0;

    /// Whether its proposals depend on the outcomes.
    virtual bool learns() const { return false; }
};

enum class StrategyKind {
    Exhaustive,  ///< all, in the order of the space
    Random,      ///< all, in random order
    Climb,       ///< hill climbing with restarts
    Anneal,      ///< simulated annealing
    Model,       ///< those that a model of the times so far predicts to be fast
};

template <>
inline constexpr auto kEnumNames<StrategyKind> =
    std::to_array<std::string_view>({"exhaustive", "random", "climb", "anneal", "model"});

/// @param space  must outlive the strategy
std::unique_ptr<Strategy> make_strategy(StrategyKind kind, const Space& space, std::uint64_t seed);

}  // namespace kwb
