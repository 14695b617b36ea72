// SPDX-License-Identifier: Apache-2.0
// Validation of JSON documents with the schemas in schema/.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace kwb::test {

/// @param schema  file name in schema/, e.g. "results.schema.json"
/// @return  errors, one per line; empty if `document` is valid
std::string schema_complaints(const std::string& schema, const nlohmann::json& document);

}  // namespace kwb::test
