// The catalogue as an exported JSON document.
#pragma once

#include <string>
#include <vector>

#include "model/kernel_spec.hpp"

namespace kwb {

/// {schema_version, kernels[]} as schema/kernels.schema.json says, indented, with a newline.
/// Launch extents are the expressions that the file says, not numbers.
std::string kernels_to_json(const std::vector<KernelSpec>& kernels);

/// schema/kernels.schema.json, from the descriptions of the records.
std::string kernels_schema();

}  // namespace kwb
