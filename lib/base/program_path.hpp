// Programs as the shell finds them.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

/// @return  the first executable of this name in $PATH; empty if there is none
std::string find_in_path(std::string_view name);

}  // namespace kwb
