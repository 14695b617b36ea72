// SPDX-License-Identifier: Apache-2.0
// Measured ceilings that are kept between sessions, by device.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/named.hpp"
#include "model/device_info.hpp"
#include "task/ceilings.hpp"

namespace kwb {

/// Its name in the user's data folder.
inline constexpr const char* kCeilingsFile = "ceilings.jsonl";

struct KeptCeilings {
    std::string name;            ///< DeviceInfo::name and driver_version when they were measured: a later
    std::string driver_version;  ///< driver, or another device under the same id, has other ceilings
    Ceilings ceilings;           ///< without intervals and parameters
};

/// By DeviceInfo::id.
using CeilingsByDevice = NamedList<KeptCeilings>;

struct LoadedCeilings {
    CeilingsByDevice devices;
    std::optional<std::string> notice;  ///< a sentence: what of the file could not be used
};

/// A missing file has none; a damaged one is replaced by the next save_ceilings(). Never throws because of
/// the file.
LoadedCeilings load_ceilings(const std::filesystem::path& path);

/// Write the ceilings of one device; those of other devices stay. Missing folders are created.
/// @return  nothing on success, else a sentence for the user
std::optional<std::string> save_ceilings(const std::filesystem::path& path, const DeviceInfo& device,
                                         const Ceilings& ceilings);

void keep_ceilings(CeilingsByDevice& devices, const DeviceInfo& device, const Ceilings& ceilings);

/// @return  nullptr: never measured with this driver
const Ceilings* known_ceilings(const CeilingsByDevice& devices, const DeviceInfo& device);

}  // namespace kwb
