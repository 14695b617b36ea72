// Drivers that cannot be used, in few words.
#pragma once

#include <string>

#include "model/device_info.hpp"

namespace kwb::gui {

/// "Clover: no device in this machine", "hang.icd: did not answer".
std::string short_line(const IdleDriver& driver);
std::string short_line(const DriverFailure& failure);
/// "nvidia.icd: starting, 12 s of at most 60 s"
std::string short_line(const StartingDriver& driver);

/// Whether somebody should look into it. A file that names a missing library is often all that is left of a
/// driver.
bool is_alarming(const DriverFailure& failure);

}  // namespace kwb::gui
