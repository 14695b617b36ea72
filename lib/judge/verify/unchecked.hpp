// What a truth leaves unchecked.
#pragma once

#include <string>
#include <vector>

#include "judge/reference/reference.hpp"

namespace kwb {

/// Infinity and not-a-number swallow whatever a kernel adds to them, so a wrong kernel may yield them too.
/// @return  "100 of 100 expected values of y are not finite: …", a sentence for each output that has some
std::vector<std::string> describe_unchecked(const PassData& data, const Checkpoint& checkpoint);

}  // namespace kwb
