// Remarks on suspicious source that no run can show.
#pragma once

#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/result.hpp"

namespace kwb {

/// A kernel's source with everything that its compiler would be given.
struct HintSource {
    std::string text;
    NamedList<std::string> includes;  ///< neighbours: name as included → text
    NamedList<std::string> macros;    ///< given as -DNAME=value: parameters, `[defines]`, build options
    std::vector<std::uint64_t>
        sizes;  ///< the problem's sizes at this run: a loop up to one of them is no fixed loop
};

/// Never throws on any text; source that it cannot follow yields no hints. Takes tens of milliseconds at
/// most: beyond a fixed number of bytes, tokens or steps it gives up.
/// @return  in order of lines, at most 20
std::vector<Hint> find_hints(const HintSource& source);

}  // namespace kwb
