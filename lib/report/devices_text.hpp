// The devices and their limits, in words.
#pragma once

#include <string>

#include "model/device_info.hpp"
#include "report/table_options.hpp"

namespace kwb {

/// A block a device: first line the id that --device takes and the name, then a line a limit that matters for
/// choosing work-groups and local memory, with what it means; a note where a kernel may fit here and no GPU.
/// Then the drivers that could not be asked. Without any device, how to install PoCL.
std::string devices_text(const DeviceList& list, const TableOptions& options = {});

}  // namespace kwb
