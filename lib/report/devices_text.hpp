// The devices and their limits, in words.
#pragma once

#include <string>

#include "model/device_info.hpp"
#include "report/table_options.hpp"

namespace kwb {

/// "Clover (/etc/OpenCL/vendors/mesa.icd) has no device in this machine", and how it may get one where that
/// is known.
std::string describe(const IdleDriver& driver);

/// A block a device: first line the id that --device takes and the name, then a line a limit that matters for
/// choosing work-groups and local memory, with what it means; a note where a kernel may fit here and no GPU.
/// Then the drivers that cannot be used, and in a line each those without a device. Without any device, how
/// to install PoCL.
std::string devices_text(const DeviceList& list, const TableOptions& options = {});

}  // namespace kwb
