// A kernel's source with everything that its compiler needs.
#pragma once

#include <string>

#include "base/named.hpp"

namespace kwb {

struct SourceText {
    std::string text;
    NamedList<std::string> includes = {};  ///< included files: path relative to the kernel's folder → text
    NamedList<std::string> macros = {};    ///< given as -DNAME=value: parameters, `[defines]`, build options
    std::string options = {};              ///< build options; only those that affect the language are used
};

}  // namespace kwb
