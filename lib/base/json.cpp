#include "base/json.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace kwb {
namespace {

constexpr int kMaxDepth = 64;

std::optional<double> as_number(const Json& json) {
    if (json.is_number()) return json.get<double>();
    if (!json.is_string()) return std::nullopt;
    const auto& word = json.get_ref<const std::string&>();
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (word == "inf") return std::numeric_limits<double>::infinity();
    if (word == "-inf") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

}  // namespace

Json number_to_json(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

Json number_to_json(const std::optional<double>& value) {
    return value ? number_to_json(*value) : Json(nullptr);
}

std::string dump_json(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json parse_json(std::string_view text) {
    // nlohmann recurses when it destroys deep values: refuse depth while parsing.
    bool too_deep = false;
    const auto watch_depth = [&](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > kMaxDepth;
        return !too_deep;
    };
    Json json = Json::parse(text, watch_depth, /*allow_exceptions=*/false);
    if (too_deep || json.is_discarded())  // a refused value alone would only be left out
        throw ProtocolError(too_deep ? "JSON nested too deeply" : "text that is no JSON");
    return json;
}

JsonReader::JsonReader(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json.is_object()) throw ProtocolError(path_ + " is no JSON object");
}

void JsonReader::refuse(const char* key, const char* wanted) const {
    throw ProtocolError(path_ + "." + key + " is not " + wanted);
}

const Json& JsonReader::at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) throw ProtocolError(path_ + "." + key + " is missing");
    return *found;
}

bool JsonReader::has(const char* key) const {
    const auto found = json_.find(key);
    return found != json_.end() && !found->is_null();
}

std::string JsonReader::text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) refuse(key, "a text");
    return value.get<std::string>();
}

bool JsonReader::boolean(const char* key) const {
    const Json& value = at(key);
    if (!value.is_boolean()) refuse(key, "true or false");
    return value.get<bool>();
}

std::int64_t JsonReader::integer(const char* key, std::int64_t least, std::int64_t most) const {
    const Json& value = at(key);
    if (!value.is_number_integer()) refuse(key, "an integer");
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        refuse(key, "in range");
    const auto number = value.get<std::int64_t>();
    if (number < least || number > most) refuse(key, "in range");
    return number;
}

std::uint64_t JsonReader::unsigned_integer(const char* key, std::uint64_t most) const {
    const Json& value = at(key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
        refuse(key, "a non-negative integer in range");
    return value.get<std::uint64_t>();
}

double JsonReader::number(const char* key) const {
    const auto value = as_number(at(key));
    if (!value) refuse(key, "a number");
    return *value;
}

std::optional<double> JsonReader::optional_number(const char* key) const {
    if (!has(key)) return std::nullopt;
    return number(key);
}

const Json& JsonReader::object(const char* key) const {
    const Json& value = at(key);
    if (!value.is_object()) refuse(key, "an object");
    return value;
}

const Json& JsonReader::array(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array()) refuse(key, "an array");
    return value;
}

std::vector<std::string> JsonReader::texts(const char* key) const {
    std::vector<std::string> out;
    for (const Json& item : array(key)) {
        if (!item.is_string()) refuse(key, "an array of texts");
        out.push_back(item.get<std::string>());
    }
    return out;
}

std::vector<double> JsonReader::numbers(const char* key) const {
    std::vector<double> out;
    for (const Json& item : array(key)) {
        const auto value = as_number(item);
        if (!value) refuse(key, "an array of numbers");
        out.push_back(*value);
    }
    return out;
}

std::vector<std::uint64_t> JsonReader::unsigned_integers(const char* key) const {
    std::vector<std::uint64_t> out;
    for (const Json& item : array(key)) {
        if (!item.is_number_unsigned()) refuse(key, "an array of non-negative integers");
        out.push_back(item.get<std::uint64_t>());
    }
    return out;
}

}  // namespace kwb
