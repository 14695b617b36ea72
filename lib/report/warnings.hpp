// Doubts about a result.
#pragma once

#include <string>
#include <vector>

#include "model/finding_words.hpp"
#include "model/result.hpp"

namespace kwb {

/// All of a result, those about missing rounds first.
std::vector<Finding> warnings_of(const KernelResult& result);

/// The same in words, with advice in terms of the face's own controls.
std::vector<std::string> warning_sentences(const KernelResult& result, Face face);

}  // namespace kwb
