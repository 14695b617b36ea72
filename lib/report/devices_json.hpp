// The devices as an exported JSON document.
#pragma once

#include <string>

#include "model/device_info.hpp"

namespace kwb {

/// {schema_version, devices[], failures[]} as schema/devices.schema.json says, indented, with a newline.
std::string devices_to_json(const DeviceList& list);

/// schema/devices.schema.json, from the descriptions of the records.
std::string devices_schema();

}  // namespace kwb
