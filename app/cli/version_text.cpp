// SPDX-License-Identifier: Apache-2.0
// The answer to `kwb --version`.
#include <fmt/format.h>

#include <set>

#include "base/printable.hpp"
#include "base/version.hpp"
#include "commit.hpp"
#include "conversation.hpp"

namespace kwb::cli {
namespace {

std::string drivers_text() {
    std::set<std::string> drivers;
    try {
        const DeviceList list = Conversation({}).list_devices();
        for (const DeviceInfo& device : list.devices)
            drivers.insert(fmt::format("{}: {}, driver {}", device.platform, device.platform_version,
                                       device.driver_version));
        for (const DriverFailure& failure : list.failures)
            drivers.insert(fmt::format("{}: failed: {}", failure.driver_file, failure.reason));
    } catch (const std::exception& error) {
        drivers.insert(std::string("OpenCL drivers unknown: ") + error.what());
    }
    if (drivers.empty()) drivers.insert("no OpenCL driver; 'kwb doctor' suggests one");
    std::string text;
    for (const std::string& driver : drivers) text += "\n" + printable_line(driver);
    return text;
}

}  // namespace

std::string version_text() {
    const std::string commit = KWB_COMMIT;
    return "kwb " + kwb_version() + (commit.empty() ? "" : " (commit " + commit + ")") + drivers_text();
}

}  // namespace kwb::cli
