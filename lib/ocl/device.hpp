// SPDX-License-Identifier: Apache-2.0
// Lists the devices of the drivers that the ICD loader finds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/device_info.hpp"
#include "ocl/cl.hpp"

namespace kwb {

/// Devices in the order of their numbers, and drivers without devices.
struct FoundDevices {
    std::vector<cl::Device> handles;
    DeviceList list;  ///< the devices in the same order; limits that they do not report keep their defaults
};

/// Queries every platform for its devices. If a platform fails, or a device has no compiler, that becomes an
/// entry in `list.failures`, not an exception.
/// Takes 15 ms with PoCL, because the loader opens the drivers here; describing the devices costs far less.
/// @param library  library of the only driver; empty: unknown. It is loaded again to distinguish a broken
///                 driver from one without a platform, which the loader does not report.
FoundDevices find_devices(const std::string& library = "");

/// "pocl", "nvidia", "amd", "intel", "rusticl", …; for another platform its name in lower-case letters,
/// digits and dashes, or "unknown" if nothing is left.
std::string platform_short_name(std::string_view platform_name);

}  // namespace kwb
