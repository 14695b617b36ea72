// How long a run has been at one step.
#pragma once

#include <string>

#include "model/request.hpp"

namespace kwb {

/// "12 s of at most 30 s", or "12 s" where nothing bounds the step.
/// @return  empty in the first second, which most steps do not outlast
std::string waiting_words(const Progress& progress);

}  // namespace kwb
