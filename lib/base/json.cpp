// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace kwb {
namespace {

constexpr int kMaxDepth = 64;

/// Checks the brackets and commas outside strings, before anything is built: a parser's callback would
/// be slow (quadratic in nlohmann/json), and its destructor recurses.
/// @throws ProtocolError  nested too deeply, or too many values
void require_modest(std::string_view text, std::size_t most_values) {
    std::size_t values = 1;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        switch (text[i]) {
            case '"':
                while (++i < text.size() && text[i] != '"')
                    if (text[i] == '\\') ++i;
                break;
            case '[':
            case '{':
                if (++depth > kMaxDepth) throw ProtocolError("JSON nested too deeply");
                [[fallthrough]];
            case ',':
                if (++values > most_values) throw ProtocolError("JSON with too many values");
                break;
            case ']':
            case '}':
                --depth;
                break;
            default:
                break;
        }
    }
}

}  // namespace

Json number_to_json(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

std::optional<double> number_from_json(const Json& json) {
    if (json.is_number()) return json.get<double>();
    if (!json.is_string()) return std::nullopt;
    const auto& word = json.get_ref<const std::string&>();
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (word == "inf") return std::numeric_limits<double>::infinity();
    if (word == "-inf") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

std::string dump_json(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json parse_json(std::string_view text, std::size_t most_values) {
    require_modest(text, most_values);
    Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) throw ProtocolError("text that is no JSON");
    return json;
}

std::string message_type(const Json& message) {
    if (!message.is_object()) throw ProtocolError("message must be an object");
    const auto type = message.find("type");
    if (type == message.end()) throw ProtocolError("message.type is missing");
    if (!type->is_string()) throw ProtocolError("message.type must be a text");
    return type->get<std::string>();
}

}  // namespace kwb
