// Remarks on suspicious source that no run can show.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "model/result.hpp"
#include "source/syntax.hpp"
#include "source/text.hpp"

namespace kwb {

/// Never throws on any text; source that cannot be read or followed yields no hints. Besides reading it takes
/// tens of milliseconds at most: beyond a fixed number of steps it gives up.
/// @param sizes  the problem's at this run: a loop up to one of them is no fixed loop
/// @return  in order of lines, at most 20
std::vector<Hint> find_hints(const SourceText& source, const std::vector<std::uint64_t>& sizes = {},
                             const std::stop_token& stop = {});
std::vector<Hint> find_hints(const source::Program& program, const std::vector<std::uint64_t>& sizes);

}  // namespace kwb
