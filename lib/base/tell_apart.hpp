// Two numbers beside each other, for people.
#pragma once

#include <string>

namespace kwb {

struct NumberTexts {
    std::string first;
    std::string second;
};

/// "0.1" and "0.100000001": both with as many significant digits as tell them apart, where they differ.
/// @param least_digits  1 .. 17, given even to those that fewer would tell apart
/// "nan" has no sign, which would mean nothing.
NumberTexts tell_apart(double first, double second, int least_digits);

}  // namespace kwb
