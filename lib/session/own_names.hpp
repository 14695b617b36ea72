// Names in the options for somebody's kernel that mean nothing there, though a person may well expect it.
#pragma once

#include <string>
#include <vector>

#include "catalog/kernel_file.hpp"

namespace kwb {

/// Look for macros that the source defines itself, and for sizes that are not separated ("WxH"), in what
/// options say about the launches and macros of `file`.
/// @param known  names that expressions may use beside `local.x` and the device's
/// @throws BadInput  with what to write instead
void refuse_misunderstood_names(const KernelFile& file, const std::vector<std::string>& known);

}  // namespace kwb
