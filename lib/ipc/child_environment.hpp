// What of a person's environment a process that loads drivers gets to see.
#pragma once

#include <string>
#include <string_view>

#include "base/named.hpp"

namespace kwb {

/// True for variables by which programs and libraries are found, languages are set, and OpenCL drivers and
/// sanitizers are told what to do. False for everything else: tokens and passwords often lie there.
bool is_for_drivers(std::string_view name);

/// Our own environment without what drivers do not need; for ChildOptions::environment together with
/// inherit_environment = false. HOME and TMPDIR are not in it: they name folders of the person's, and the
/// caller has others for the child.
NamedList<std::string> driver_environment();

}  // namespace kwb
