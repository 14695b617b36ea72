// Hints about suspicious source that no run can show.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "model/result.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// Never throws, whatever the text; source that cannot be parsed or analyzed yields no hints. In addition to
/// the parsing it takes tens of milliseconds at most: after a fixed number of steps it gives up.
/// @param sizes     the problem's sizes in this run: a loop up to one of them is not reported as fixed
/// @param launched  the kernel functions that run: only these, and what they call, are looked at; empty: all
/// @return  sorted by line, at most 20
std::vector<Hint> find_hints(const SourceText& source, const std::vector<std::uint64_t>& sizes = {},
                             const std::vector<std::string>& launched = {}, const std::stop_token& stop = {});
std::vector<Hint> find_hints(const source::Program& program, const std::vector<std::uint64_t>& sizes);

}  // namespace kwb
