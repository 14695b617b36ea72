// SPDX-License-Identifier: Apache-2.0
// Export of results (JSON, CSV), devices and the catalogue (JSON), with the JSON schemas.
//
// All JSON texts are indented and end with a newline. Values that were not measured are null, NaN is "nan".
// The schemas are generated from the descriptions of the records; schema/ holds them as files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/device_info.hpp"
#include "model/kernel_spec.hpp"
#include "model/result.hpp"

namespace kwb {

/// Of exported documents; schema/README.md says when to increase it.
inline constexpr int kSchemaVersion = 1;

struct PlacedEnvironment {
    std::string place = {};  ///< as in KernelResult
    Environment environment;
};

/// {schema_version, environment, other_places[], results[], answers[]}. Error maps are not exported.
/// @param environments  of each place, at least one
std::string results_to_json(std::span<const PlacedEnvironment> environments,
                            const std::vector<KernelResult>& results);
/// The results of one place.
std::string results_to_json(const Environment& environment, const std::vector<KernelResult>& results);
std::string results_schema();

/// {schema_version, devices[], failures[], …}
std::string devices_to_json(const DeviceList& list);
std::string devices_schema();

/// {schema_version, kernels[]}. Launch extents are the expressions from the kernel file, not numbers.
std::string kernels_to_json(const std::vector<KernelSpec>& kernels);
std::string kernels_schema();

// Results as comma-separated values.

/// A header line, then one row per result: numbers in full precision, units in the column names, an empty
/// field for a value that was not measured. Sizes are in columns size_<NAME>, parameters in param_<NAME>;
/// there is a column for each one that any result has. Lines end with CR LF, fields are quoted where needed
/// (RFC 4180).
std::string results_to_csv(const std::vector<KernelResult>& results);

}  // namespace kwb
