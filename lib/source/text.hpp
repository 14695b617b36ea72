// A kernel's source with everything that its compiler would be given.
#pragma once

#include <string>

#include "base/named.hpp"

namespace kwb {

struct SourceText {
    std::string text;
    NamedList<std::string> includes = {};  ///< neighbours: path from the kernel's folder → text
    NamedList<std::string> macros = {};    ///< given as -DNAME=value: parameters, `[defines]`, build options
    std::string options = {};              ///< build options; only those that choose a language count here
};

}  // namespace kwb
