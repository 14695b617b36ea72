// SPDX-License-Identifier: Apache-2.0
#include "support/schema_check.hpp"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "base/file.hpp"

namespace kwb::test {
namespace {

using nlohmann::json;

bool is_of_type(const json& value, const std::string& type) {
    if (type == "null") return value.is_null();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    throw std::runtime_error("the schema has an unknown type, " + type);
}

/// Draft-07, as far as the schemas of lib/base/record_schema.hpp go: another keyword is an error, so that
/// nothing is left unchecked.
class Validator {
public:
    explicit Validator(const json& schema) : root_(schema) {}

    void check(const json& schema, const json& value, const std::string& path) {
        if (schema.contains("$ref")) {  // draft-07 ignores the keys next to it
            const std::string name = schema["$ref"];
            return check(root_.at(json::json_pointer(name.substr(1))), value, path);
        }
        for (const auto& [keyword, wanted] : schema.items())
            if (!keeps(keyword, wanted, schema, value, path))
                complaints += path + ": violates " + keyword + " " + wanted.dump().substr(0, 100) + "\n";
    }

    std::string complaints;

private:
    /// Complaints about what `value` contains are added by check().
    bool keeps(const std::string& keyword, const json& wanted, const json& schema, const json& value,
               const std::string& path) {
        if (keyword == "type") return is_of_type(value, wanted);
        if (keyword == "const") return value == wanted;
        if (keyword == "enum") return std::ranges::find(wanted, value) != wanted.end();
        if (keyword == "minimum") return !value.is_number() || value.get<double>() >= wanted.get<double>();
        if (keyword == "maximum") return !value.is_number() || value.get<double>() <= wanted.get<double>();
        // The only texts with a shortest length are names, so bytes do for characters.
        if (keyword == "minLength") return !value.is_string() || text(value).size() >= wanted;
        if (keyword == "pattern")
            return !value.is_string() || std::regex_search(text(value), std::regex(text(wanted)));
        if (keyword == "minItems") return !value.is_array() || value.size() >= wanted;
        if (keyword == "maxItems") return !value.is_array() || value.size() <= wanted;
        if (keyword == "items" && value.is_array()) {
            for (std::size_t i = 0; i < value.size(); ++i)
                check(wanted, value[i], path + "[" + std::to_string(i) + "]");
        } else if (keyword == "properties" && value.is_object()) {
            for (const auto& [key, member] : value.items())
                if (wanted.contains(key)) check(wanted[key], member, path + "." + key);
        } else if (keyword == "required" && value.is_object()) {
            for (const std::string key : wanted)
                if (!value.contains(key)) complaints += path + ": lacks " + key + "\n";
        } else if (keyword == "additionalProperties" && value.is_object()) {
            for (const auto& [key, member] : value.items())
                if (!schema.value("properties", json::object()).contains(key)) {
                    if (wanted == false)
                        complaints += path + ": has a further key, " + key + "\n";
                    else
                        check(wanted, member, path + "." + key);
                }
        } else if (keyword == "allOf") {
            for (const json& each : wanted) check(each, value, path);
        } else if (keyword == "anyOf") {
            return std::ranges::any_of(wanted, [&](const json& one) {
                Validator alone(root_);
                alone.check(one, value, path);
                return alone.complaints.empty();
            });
        } else if (std::ranges::find(kOthers, keyword) == std::end(kOthers)) {
            throw std::runtime_error("tests/support/schema_check.cpp does not know the keyword " + keyword);
        }
        return true;
    }

    static const std::string& text(const json& value) { return value.get_ref<const std::string&>(); }

    static constexpr std::string_view kOthers[] = {
        "$schema",    "title",    "description",          "definitions",  // they restrict nothing
        "properties", "required", "additionalProperties", "items"};       // nothing but objects and arrays

    const json& root_;
};

}  // namespace

std::string schema_complaints(const std::string& schema, const json& document) {
    const json source = json::parse(read_file(std::string(KWB_SCHEMA_DIR) + "/" + schema));
    Validator validator(source);
    validator.check(source, document, "document");
    return validator.complaints;
}

}  // namespace kwb::test
