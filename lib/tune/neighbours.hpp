// SPDX-License-Identifier: Apache-2.0
// Finds the configurations of a space that are close to each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tune/space.hpp"

namespace kwb {

/// How two configurations differ. One step is to the next larger or smaller number among the values of a
/// parameter, or from one text to any other.
enum class Distance {
    OneStep,       ///< one parameter, by one step
    TwoSteps,      ///< two parameters, each by one step: a restriction may couple them, as in "A * B == 64"
    OneParameter,  ///< one parameter, by more than one step
};

class Neighbours {
public:
    /// @param space  must outlive it
    explicit Neighbours(const Space& space);

    /// The valid configurations at this distance from one, in an order that is always the same. Of more than
    /// 10,000 candidates, only the first ones are looked up.
    std::vector<std::size_t> of(std::size_t configuration, Distance distance) const;

    /// A parameter's values by size, from 0; of texts, or of texts and numbers, as they are listed.
    std::uint16_t rank(std::size_t param, std::uint16_t value) const { return params_[param].rank[value]; }
    /// All values are numbers.
    bool is_ordered(std::size_t param) const { return params_[param].is_ordered; }

private:
    struct Param {
        bool is_ordered = true;
        std::vector<std::uint16_t> value;  ///< by rank
        std::vector<std::uint16_t> rank;   ///< by value
    };
    /// The values one step away, or all others.
    std::vector<std::uint16_t> moves(std::size_t param, std::uint16_t from, bool far) const;

    const Space& space_;
    std::vector<Param> params_;
};

}  // namespace kwb
