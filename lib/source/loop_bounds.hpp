// SPDX-License-Identifier: Apache-2.0
// Loops that run for their bound, too: for (int k = 0; k <= K; ++k).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/xray.hpp"
#include "source/syntax.hpp"

namespace kwb::source {

/// A loop that counts up from 0 and ends after its bound, which is right for some loops and one too many for
/// others: only an observation can decide.
struct InclusiveLoop {
    XrayPlace place;        ///< of its condition
    std::string variable;   ///< "k"
    std::string bound;      ///< "K", or digits
    std::string condition;  ///< "k <= K"
    std::string instead;    ///< "k < K"
    /// Where its body accesses an element whose index depends on the variable: the place of the array's name.
    std::vector<XrayPlace> accesses;
};

/// Those of the user's main file whose bounds are a name or a number.
std::vector<InclusiveLoop> find_inclusive_loops(const Program& program);

}  // namespace kwb::source
