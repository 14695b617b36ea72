// What is exported as JSON: results, devices, the catalogue, each with its schema.
//
// All are indented and end with a newline. What was not measured is null, not-a-number is "nan". The schemas
// follow from the descriptions of the records; schema/ holds them as files.
#pragma once

#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/kernel_spec.hpp"
#include "model/result.hpp"

namespace kwb {

/// {schema_version, environment, results[]}. Error maps are not exported.
std::string results_to_json(const Environment& environment, const std::vector<KernelResult>& results);
std::string results_schema();

/// {schema_version, devices[], failures[], …}
std::string devices_to_json(const DeviceList& list);
std::string devices_schema();

/// {schema_version, kernels[]}. Launch extents are the expressions that the file says, not numbers.
std::string kernels_to_json(const std::vector<KernelSpec>& kernels);
std::string kernels_schema();

// Results as comma-separated values.

/// A header line, then one row a result; numbers in full precision, units in the column names, an empty field
/// for what was not measured. Sizes are columns size_<NAME>, parameters param_<NAME> (all that any result
/// has). Lines end with CR LF, fields are quoted where needed (RFC 4180).
std::string results_to_csv(const std::vector<KernelResult>& results);

}  // namespace kwb
