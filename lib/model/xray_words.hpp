// Words of what X-ray found, for finding_words.cpp.
#pragma once

#include <optional>
#include <string>

#include "model/finding.hpp"

namespace kwb {

/// Who did what, where, to what, and what to do about it.
/// @return  nullopt: not one of X-ray's findings
std::optional<std::string> xray_sentence_of(const Finding& finding);

}  // namespace kwb
