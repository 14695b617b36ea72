// How long a run, or the start of a driver, has taken so far.
#pragma once

#include <string>

#include "model/device_info.hpp"
#include "model/request.hpp"

namespace kwb {

/// "12 s of at most 30 s", or "12 s" where nothing bounds the step.
/// @return  empty in the first second, which most steps do not outlast
std::string waiting_words(const Progress& progress);

/// "waiting for the driver nvidia.icd, 12 s of at most 60 s", of the first that is still starting.
/// @return  empty if none is
std::string starting_words(const DeviceList& list);

}  // namespace kwb
