// Doubts about a result, in words for whoever reads them.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"

namespace kwb {

/// Where a sentence is read, and so what can be done there.
enum class Face {
    Terminal,  ///< options
    Window,    ///< controls
    Page       ///< nothing: a file that is read later
};

/// All warnings of a result, advice in terms of the face's own controls; those about missing rounds first.
std::vector<std::string> warning_sentences(const KernelResult& result, Face face);

}  // namespace kwb
