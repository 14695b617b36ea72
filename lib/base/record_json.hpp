// SPDX-License-Identifier: Apache-2.0
// Reading and writing described records (record.hpp) as JSON. Include this only in the .cpp files that
// instantiate the templates for their records; other code calls to_json() and from_json() of json.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/interval.hpp"
#include "base/json.hpp"
#include "base/record.hpp"

namespace kwb {

/// Specialized for types with a custom JSON form:
///   static Json write(const T&);
///   static void read(const JsonPlace&, T&);
///   static Json schema();                    // only if it appears in an exported document
template <class T>
struct JsonForm;

template <class T>
concept HasJsonForm = requires(const T& value) {
    JsonForm<T>::write(value);
};

/// A JSON value in a message from an untrusted sender, with its path for error messages.
class JsonPlace {
public:
    /// @param value, name  must outlive the place
    JsonPlace(const Json& value, std::string_view name) : json(value), name_(name) {}
    /// A member of an object; `parent` must outlive the place.
    JsonPlace(const JsonPlace& parent, std::string_view key, const Json& value)
        : json(value), parent_(&parent), name_(key) {}
    /// An item of an array.
    JsonPlace(const JsonPlace& parent, std::size_t index)
        : json(parent.json[index]), parent_(&parent), index_(index) {}

    /// "result.launches[2].kernel"
    std::string path() const;
    /// @throws ProtocolError  "<path> must be <wanted>"
    [[noreturn]] void refuse(std::string_view wanted) const;
    [[noreturn]] void refuse(const Flaw& flaw) const;
    /// @throws ProtocolError  there is no such key
    JsonPlace at(std::string_view key) const;
    /// @return  nullptr if the key is missing
    const Json* find(std::string_view key) const;

    void require_object() const;
    /// @throws ProtocolError  not an array, or the number of items is outside `limits`
    void require_array(const Limits& limits) const;

    const Json& json;

private:
    const JsonPlace* parent_ = nullptr;
    std::string_view name_;
    std::size_t index_ = 0;
};

template <class T>
void read_json(const JsonPlace& place, T& value, const Limits& limits = {});

/// Selects whether message-only fields (Fields::sent) and "type" are written.
enum class JsonUse { Message, Document };

template <class T>
Json write_json(const T& value, JsonUse use = JsonUse::Message);

/// Writes the fields of one record.
class JsonWriter : public Fields<JsonWriter> {
public:
    explicit JsonWriter(JsonUse use) : use_(use) {}

    template <class T>
    void field(const Field& about, const T& value) {
        json[about.key] = write_json(value, use_);
    }
    template <class T>
    void sent(const char* key, const T& value, const Limits& = {}) {
        if (use_ == JsonUse::Message) json[key] = write_json(value, use_);
    }
    template <class T>
    void derived(const char* key, const T& value, const char*) {
        json[key] = write_json(value, use_);
    }

    Json json = Json::object();

private:
    JsonUse use_;
};

template <class T>
Json write_json(const T& value, JsonUse use) {
    if constexpr (HasJsonForm<T>) {
        return JsonForm<T>::write(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return number_to_json(value);
    } else if constexpr (kIsPlain<T>) {
        return value;
    } else if constexpr (NamedEnum<T>) {
        return to_string(value);
    } else if constexpr (kIsOptional<T>) {
        return value ? write_json(*value, use) : Json(nullptr);
    } else if constexpr (kIsNamedList<T>) {
        Json object = Json::object();
        for (const auto& [name, item] : value) object[name] = write_json(item, use);
        return object;
    } else if constexpr (kIsList<T>) {
        Json array = Json::array();
        for (const auto& item : value) array.push_back(write_json(item, use));
        return array;
    } else if constexpr (kIsPair<T>) {
        return Json::array({write_json(value.first, use), write_json(value.second, use)});
    } else if constexpr (kIsPlainVariant<T> || kIsRecordVariant<T>) {
        return std::visit([&](const auto& plain) { return write_json(plain, use); }, value);
    } else {
        JsonWriter writer(use);
        if constexpr (requires { T::kType; })
            if (use == JsonUse::Message) writer.json["type"] = T::kType;
        // describe() takes a non-const record because readers assign to it; the writer does not modify it.
        describe(writer, const_cast<T&>(value));
        return std::move(writer.json);
    }
}

/// Reads the fields of one record.
class JsonFields : public Fields<JsonFields> {
public:
    explicit JsonFields(const JsonPlace& place) : place_(place) { place.require_object(); }

    template <class T>
    void field(const Field& about, T& value) {
        if (const Json* const json = place_.find(about.key))
            read_json(JsonPlace(place_, about.key, *json), value, about.limits);
        else if constexpr (kIsOptional<T>)
            value.reset();
        else if (!about.may_lack)
            place_.at(about.key);
    }

private:
    const JsonPlace& place_;
};

namespace detail {

template <class T>
void read_whole(const JsonPlace& place, T& value, const Limits& limits) {
    const Json& json = place.json;
    const auto take = [&](auto number) {
        const bool fits = std::in_range<T>(number) && limits.allows(static_cast<double>(number));
        if (fits) value = static_cast<T>(number);
        return fits;
    };
    if (json.is_number_unsigned() ? take(json.get<std::uint64_t>())
                                  : json.is_number_integer() && take(json.get<std::int64_t>()))
        return;
    place.refuse(wanted_whole(limits, static_cast<double>(std::numeric_limits<T>::min()),
                              static_cast<double>(std::numeric_limits<T>::max())));
}

void read_number(const JsonPlace& place, double& value, const Limits& limits);
void read_text(const JsonPlace& place, std::string& value, const Limits& limits);
[[noreturn]] void refuse_word(const JsonPlace& place, std::vector<std::string> words);

/// True if a plain alternative of a variant matches the JSON value: an integer, a number, or a string.
template <class T>
bool is_for(const Json& json) {
    if constexpr (std::is_integral_v<T>)
        return json.is_number_integer();
    else if constexpr (std::is_floating_point_v<T>)
        return number_from_json(json).has_value();
    else
        return json.is_string();
}

/// Finds the key of a record's first field, which identifies the record in a variant.
struct FirstKey : Fields<FirstKey> {
    template <class T>
    void field(const Field& about, T&) {
        if (key == nullptr) key = about.key;
    }
    const char* key = nullptr;
};

template <class T>
bool has_first_key_of(const JsonPlace& place) {
    FirstKey first;
    T record;
    describe(first, record);
    return place.find(first.key) != nullptr;
}

template <class... T>
void read_variant(const JsonPlace& place, std::variant<T...>& value, const Limits& limits) {
    const auto try_one = [&]<class One>(std::type_identity<One>) {
        if constexpr (kIsPlain<One>) {
            if (!is_for<One>(place.json)) return false;
        } else {
            if (!has_first_key_of<One>(place)) return false;
        }
        read_json(place, value.template emplace<One>(), limits);
        return true;
    };
    if constexpr ((!kIsPlain<T> && ...)) place.require_object();
    if (!(try_one(std::type_identity<T>{}) || ...)) place.refuse("one of the supported forms");
}

}  // namespace detail

template <class T>
void read_json(const JsonPlace& place, T& value, const Limits& limits) {
    if constexpr (HasJsonForm<T>) {
        JsonForm<T>::read(place, value);
    } else if constexpr (std::is_same_v<T, bool>) {
        if (!place.json.is_boolean()) place.refuse("true or false");
        value = place.json.get<bool>();
    } else if constexpr (std::is_floating_point_v<T>) {
        detail::read_number(place, value, limits);
    } else if constexpr (std::is_integral_v<T>) {
        detail::read_whole(place, value, limits);
    } else if constexpr (std::is_same_v<T, std::string>) {
        detail::read_text(place, value, limits);
    } else if constexpr (NamedEnum<T>) {
        std::optional<T> known;
        if (place.json.is_string()) known = parse_enum<T>(place.json.template get_ref<const std::string&>());
        if (!known) detail::refuse_word(place, enum_names<T>());
        value = *known;
    } else if constexpr (kIsOptional<T>) {
        value.reset();
        if (place.json.is_null()) return;
        typename T::value_type read{};  // not emplace(): g++ 14 wrongly warns of it
        read_json(place, read, limits);
        value = std::move(read);
    } else if constexpr (kIsNamedList<T>) {
        place.require_object();
        value.clear();
        if (!limits.allows_items(place.json.size())) place.refuse(wanted_items(limits, "entries"));
        for (const auto& [name, item] : place.json.items()) {
            value.push_back({name, {}});
            read_json(JsonPlace(place, name, item), value.back().value, limits.of_item());
        }
    } else if constexpr (kIsList<T>) {
        place.require_array(limits);
        value.clear();
        value.resize(place.json.size());
        for (std::size_t i = 0; i < value.size(); ++i)
            read_json(JsonPlace(place, i), value[i], limits.of_item());
    } else if constexpr (kIsPair<T>) {
        place.require_array(items(2, 2));
        read_json(JsonPlace(place, 0), value.first, limits);
        read_json(JsonPlace(place, 1), value.second, limits);
    } else if constexpr (kIsPlainVariant<T> || kIsRecordVariant<T>) {
        detail::read_variant(place, value, limits);
    } else {
        JsonFields fields(place);
        if constexpr (requires { T::kType; }) {
            const JsonPlace type = place.at("type");
            if (type.json != T::kType) type.refuse(T::kType);
        }
        describe(fields, value);
        if constexpr (requires { check(std::as_const(value)); })
            if (const std::optional<Flaw> flaw = check(std::as_const(value))) place.refuse(*flaw);
    }
}

/// Read a message whose "type" selects the alternative of `Variant`: the one with the same `kType`.
/// @param what  kind of message, for errors: "unknown <what> '<type>'"
/// @throws ProtocolError  as from_json(), or the type is unknown
template <class Variant>
Variant read_message(const Json& json, std::string_view what) {
    const std::string type = message_type(json);
    std::optional<Variant> message;
    const auto read_as = [&]<class Record>(std::type_identity<Record>) {
        if (type == Record::kType)
            read_json(JsonPlace(json, what), std::get<Record>(message.emplace(Record{})));
    };
    [&]<class... Records>(std::type_identity<std::variant<Records...>>) {
        (read_as(std::type_identity<Records>{}), ...);
    }(std::type_identity<Variant>{});
    if (!message) throw ProtocolError("unknown " + std::string(what) + " '" + type + "'");
    return std::move(*message);
}

template <class Record>
Json to_json(const Record& record) {
    return write_json(record);
}

template <class Record>
Record from_json(const Json& json, std::string_view name) {
    Record record{};
    read_json(JsonPlace(json, name), record);
    return record;
}

/// Milliseconds since 1970, UTC.
template <>
struct JsonForm<std::chrono::system_clock::time_point> {
    using Time = std::chrono::system_clock::time_point;
    using Milliseconds = std::chrono::milliseconds;

    static Json write(const Time& time) {
        return std::chrono::floor<Milliseconds>(time.time_since_epoch()).count();
    }
    static void read(const JsonPlace& place, Time& time) {
        std::int64_t ms = 0;
        read_json(place, ms, between(-1e12, 1e13));
        time = Time(Milliseconds(ms));
    }
};

/// [low, high]
template <>
struct JsonForm<Interval> {
    static Json write(const Interval& interval) {
        return Json::array({number_to_json(interval.low), number_to_json(interval.high)});
    }
    static void read(const JsonPlace& place, Interval& interval) {
        place.require_array(items(2, 2));
        read_json(JsonPlace(place, 0), interval.low);
        read_json(JsonPlace(place, 1), interval.high);
    }
};

}  // namespace kwb
