// Results as an exported JSON document.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"

namespace kwb {

/// {schema_version, environment, results[]} as schema/results.schema.json says, indented, with a newline.
/// What was not measured is null, not-a-number is "nan". Error maps are not exported.
std::string results_to_json(const Environment& environment, const std::vector<KernelResult>& results);

/// schema/results.schema.json, from the descriptions of the records.
std::string results_schema();

}  // namespace kwb
