// What a check by random vectors has shown, in words.
#pragma once

#include <string>

#include "model/result.hpp"

namespace kwb {

/// "checked by random vectors, as a full reference would take too long: the chance of missing a wrong element
/// is at most 2.3e-10 (with random inputs, of one that is off by more than 0.021); 196608 elements were
/// compared one by one". No full stop.
std::string describe(const RandomCheck& check);

}  // namespace kwb
