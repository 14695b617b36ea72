// SPDX-License-Identifier: Apache-2.0
// Finds loops that include their bound: for (int k = 0; k <= K; ++k).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/xray.hpp"
#include "source/syntax.hpp"

namespace kwb::source {

/// A loop that counts from 0 up to and including its bound. Some loops mean that, others run once too often;
/// only an observation can decide.
struct InclusiveLoop {
    XrayPlace place;        ///< of its condition
    std::string variable;   ///< "k"
    std::string bound;      ///< "K", or digits
    std::string condition;  ///< "k <= K"
    std::string instead;    ///< "k < K"
    /// The places at which its body accesses an element whose index depends on the variable: the array's
    /// name.
    std::vector<XrayPlace> accesses;
};

/// The loops of the user's main file whose bounds are a name or a number.
std::vector<InclusiveLoop> find_inclusive_loops(const Program& program);

}  // namespace kwb::source
