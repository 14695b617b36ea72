#include "support/schema_check.hpp"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "base/file.hpp"
#include "base/text.hpp"

namespace kwb::test {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

std::string schema_complaints(const std::string& schema, const nlohmann::json& document) {
    const auto source = nlohmann::json::parse(read_file(std::string(KWB_SCHEMA_DIR) + "/" + schema));
    valijson::Schema parsed;
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(source), parsed);
    valijson::ValidationResults results;
    valijson::Validator(valijson::Validator::kStrongTypes).validate(parsed, Adapter(document), &results);
    std::string text;
    valijson::ValidationResults::Error error;
    while (results.popError(error)) text += join(error.context, "") + ": " + error.description + "\n";
    return text;
}

}  // namespace kwb::test
