#include "base/json.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace kwb {
namespace {

constexpr int kMaxDepth = 64;

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

Json parse_json(std::string_view text) {
    // nlohmann's destructor recurses, so deep nesting must be rejected while parsing.
    bool too_deep = false;
    const auto watch_depth = [&](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > kMaxDepth;
        return !too_deep;
    };
    Json json = Json::parse(text, watch_depth, /*allow_exceptions=*/false);
    if (too_deep || json.is_discarded())  // a value rejected by the callback is otherwise silently dropped
        throw ProtocolError(too_deep ? "JSON nested too deeply" : "text that is no JSON");
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
