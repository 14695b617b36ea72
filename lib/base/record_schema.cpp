// SPDX-License-Identifier: Apache-2.0
#include "base/record_schema.hpp"

#include <cmath>

namespace kwb {

Json Schema::reference(std::string_view name) {
    return {{"$ref", "#/definitions/" + std::string(name)}};
}

Json Schema::any_number() {
    definitions_["number"] = {
        {"description", "A number, or a word for a value that JSON cannot write as a number."},
        {"anyOf", Json::array({Json{{"type", "number"}}, Json{{"enum", {"nan", "inf", "-inf"}}}})}};
    return reference("number");
}

Json Schema::duration() {
    definitions_["duration"] = {{"description", "Milliseconds."}, {"type", "number"}, {"minimum", 0}};
    return reference("duration");
}

Json Schema::interval() {
    definitions_["interval"] = {
        {"description", "Lower and upper end of a 95 % order-statistic interval of the median."},
        {"type", "array"},
        {"items", any_number()},
        {"minItems", 2},
        {"maxItems", 2}};
    return reference("interval");
}

Json Schema::number(const Limits& limits) {
    if (limits.is_duration) return duration();
    if (limits.allows(std::numeric_limits<double>::infinity())) return any_number();
    Json schema = {{"type", "number"}};
    if (limits.least > std::numeric_limits<double>::lowest()) schema["minimum"] = limits.least;
    if (limits.most < std::numeric_limits<double>::max()) schema["maximum"] = limits.most;
    return schema;
}

void Schema::limit_items(Json& schema, const Limits& limits, const char* fewest, const char* most) {
    if (limits.fewest_items > 0) schema[fewest] = limits.fewest_items;
    if (limits.most_items != Limits{}.most_items) schema[most] = limits.most_items;
}

Json Schema::or_null(Json schema) {
    return {{"anyOf", Json::array({Json{{"type", "null"}}, std::move(schema)})}};
}

Json with_meaning(Json schema, std::string_view meaning) {
    if (meaning.empty()) return schema;
    Json described = {{"description", meaning}};
    if (schema.contains("$ref"))
        described["allOf"] = Json::array({std::move(schema)});
    else
        described.update(schema);
    return described;
}

}  // namespace kwb
