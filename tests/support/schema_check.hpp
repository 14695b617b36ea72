// JSON documents against the schemas of schema/.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace kwb::test {

/// @param schema  file name in schema/, e.g. "results.schema.json"
/// @return  complaints, one a line; empty if `document` is as the schema says
std::string schema_complaints(const std::string& schema, const nlohmann::json& document);

}  // namespace kwb::test
