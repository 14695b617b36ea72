// SPDX-License-Identifier: Apache-2.0
// JSON Schema (draft-07) of described records (record.hpp).
#pragma once

#include <string>
#include <string_view>

#include "base/record_json.hpp"

namespace kwb {

/// Builds schemas and collects the definitions that they refer to.
class Schema {
public:
    /// Schema of a value of type T.
    template <class T>
    Json of(const Limits& limits = {});

    /// Complete schema of a document, including its definitions.
    template <class Document>
    Json document(std::string_view title);

private:
    class FieldSchemas;

    // References to shared definitions; each call adds its definition.
    Json any_number();
    Json duration();
    Json interval();

    Json number(const Limits& limits);
    template <class T>
    Json of_record();
    static void limit_items(Json& schema, const Limits& limits, const char* fewest, const char* most);
    static Json or_null(Json schema);
    static Json reference(std::string_view name);

    Json definitions_ = Json::object();
};

/// Add a "description" as the first key. Draft-07 ignores keys next to "$ref", so a reference is wrapped in
/// "allOf".
Json with_meaning(Json schema, std::string_view meaning);

class Schema::FieldSchemas : public Fields<FieldSchemas> {
public:
    explicit FieldSchemas(Schema& schema) : schema_(schema) {}

    void record(const char* name, const char* meaning) {
        if (record_name != nullptr) return;  // the description of a nested record
        record_name = name;
        record_meaning = meaning;
    }
    template <class T>
    void field(const Field& about, const T&) {
        add(about.key, with_meaning(schema_.of<T>(about.limits), about.meaning));
    }
    template <class T>
    void sent(const char*, const T&, const Limits& = {}) {}
    template <class T>
    void derived(const char* key, const T&, const char* meaning) {
        add(key, with_meaning(schema_.of<T>(), meaning));
    }

    Json object() const {
        return {{"type", "object"},
                {"required", required_},
                {"additionalProperties", false},
                {"properties", properties_}};
    }

    const char* record_name = nullptr;
    const char* record_meaning = "";

private:
    void add(const char* key, Json schema) {
        required_.push_back(key);
        properties_[key] = std::move(schema);
    }

    Schema& schema_;
    Json required_ = Json::array();
    Json properties_ = Json::object();
};

/// An integer constant in a document, such as its format version.
template <int kValue>
struct Constant {};

template <int kValue>
struct JsonForm<Constant<kValue>> {
    static Json write(const Constant<kValue>&) { return kValue; }
    static void read(const JsonPlace& place, Constant<kValue>&) {
        if (place.json != kValue) place.refuse(std::to_string(kValue));
    }
    static Json schema() { return {{"const", kValue}}; }
};

template <class T>
Json Schema::of(const Limits& limits) {
    if constexpr (std::is_same_v<T, Interval>) {
        return interval();
    } else if constexpr (HasJsonForm<T>) {
        return JsonForm<T>::schema();
    } else if constexpr (std::is_same_v<T, bool>) {
        return {{"type", "boolean"}};
    } else if constexpr (std::is_floating_point_v<T>) {
        return number(limits);
    } else if constexpr (std::is_integral_v<T>) {
        Json schema = {{"type", "integer"}};
        if (const double least = std::max(limits.least, std::is_signed_v<T> ? limits.least : 0.0);
            least > -0x1p53)
            schema["minimum"] = static_cast<std::int64_t>(least);
        if (limits.most < 0x1p53) schema["maximum"] = static_cast<std::int64_t>(limits.most);
        return schema;
    } else if constexpr (std::is_same_v<T, std::string>) {
        Json schema = {{"type", "string"}};
        if (limits.pattern != nullptr) schema["pattern"] = limits.pattern;
        limit_items(schema, limits, "minLength", "maxLength");
        return schema;
    } else if constexpr (NamedEnum<T>) {
        return with_meaning({{"enum", enum_names<T>()}}, kEnumMeaning<T>);
    } else if constexpr (kIsOptional<T>) {
        return or_null(of<typename T::value_type>(limits));
    } else if constexpr (kIsNamedList<T>) {
        using Value = decltype(T::value_type::value);
        return {{"type", "object"}, {"additionalProperties", of<Value>(limits.of_item())}};
    } else if constexpr (kIsList<T>) {
        Json schema = {{"type", "array"}, {"items", of<typename T::value_type>(limits.of_item())}};
        limit_items(schema, limits, "minItems", "maxItems");
        return schema;
    } else if constexpr (kIsPlainVariant<T>) {
        return [this]<class... Plain>(std::type_identity<std::variant<Plain...>>) -> Json {
            return {{"anyOf", Json::array({this->template of<Plain>()...})}};
        }(std::type_identity<T>{});
    } else {
        return of_record<T>();
    }
}

template <class T>
Json Schema::of_record() {
    FieldSchemas fields(*this);
    T record{};
    describe(fields, record);
    if (fields.record_name == nullptr) return fields.object();
    if (!definitions_.contains(fields.record_name))
        definitions_[fields.record_name] = with_meaning(fields.object(), fields.record_meaning);
    return reference(fields.record_name);
}

template <class Document>
Json Schema::document(std::string_view title) {
    FieldSchemas fields(*this);
    Document record{};
    describe(fields, record);
    Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
    schema.update(with_meaning(fields.object(), fields.record_meaning));
    schema["definitions"] = definitions_;
    return schema;
}

}  // namespace kwb
