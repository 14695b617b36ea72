// The devices that the loader's drivers offer.
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
    std::vector<std::string> ids;  ///< "pocl:0", same order
    std::vector<DriverFailure> failures;
    std::vector<IdleDriver> idle_drivers;
};

/// Ask every platform for its devices. A platform that fails becomes a failure, not an exception; so does a
/// device without a compiler.
/// Takes 15 ms with PoCL, because the loader opens the drivers here.
/// @param library  of the only driver; loaded again to tell a broken driver from one without a platform,
///                 which the loader does not; empty: unknown
FoundDevices find_devices(const std::string& library = "");

/// Everything that the device reports; unreported limits keep their defaults.
DeviceInfo describe_device(const cl::Device& device, const std::string& id);

/// "pocl", "nvidia", "amd", "intel", "rusticl", …; for another platform its name as lower-case letters,
/// digits and dashes, "unknown" if nothing is left.
std::string platform_short_name(std::string_view platform_name);

}  // namespace kwb
