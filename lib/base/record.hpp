// SPDX-License-Identifier: Apache-2.0
// Each record type is described once: the names of its fields, their limits and their meaning.
//
// A description is a function template next to the record, found by argument-dependent lookup:
//
//   void describe(auto& f, LaunchResult& launch) {
//       f.record("launch", "One kernel launch, in the order in which they run.");
//       f("kernel", launch.kernel, "Name of the kernel function.");
//       f("global", launch.global, items(1, 3), "Work-items in each dimension.");
//       f("median_ms", launch.median_ms, kDuration, "Median time of all repeats of this launch together.");
//   }
//
// Each reader or writer of records provides its own `Fields`: JSON in both directions (record_json.hpp), the
// exported schema (record_schema.hpp), the settings file, CSV. A field may be a number, a boolean, a string,
// an enum with names, a described record, or an optional, a list, a pair or a variant of these. A missing
// optional field is read as null.
//
// Constraints between fields go into a function next to the description, which is called after reading:
//
//   std::optional<Flaw> check(const LaunchResult& launch);
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/named.hpp"

namespace kwb {

/// Constraints on a field's value beyond its type. The numeric limits also apply to the numbers inside lists,
/// optionals and named lists.
struct Limits {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool takes_nan = true;
    std::size_t fewest_items = 0;  ///< items of a list, or bytes of a string
    std::size_t most_items = std::numeric_limits<std::size_t>::max();
    const char* wanted = nullptr;   ///< replaces "a number from … to …" in error messages
    const char* pattern = nullptr;  ///< regular expression for a string; used only in the schema
    bool is_duration = false;       ///< used only in the schema

    constexpr Limits items(std::size_t fewest, std::size_t most_of_them) const {
        Limits limits = *this;
        limits.fewest_items = fewest;
        limits.most_items = most_of_them;
        return limits;
    }
    /// The limits for the items of a list: the numeric limits without the limit on the item count.
    constexpr Limits of_item() const { return items(0, std::numeric_limits<std::size_t>::max()); }
    constexpr bool allows(double value) const {
        return value != value ? takes_nan : least <= value && value <= most;
    }
    constexpr bool allows_items(std::size_t count) const {
        return fewest_items <= count && count <= most_items;
    }
};

constexpr Limits between(double least, double most) {
    return {.least = least, .most = most, .takes_nan = false};
}
/// Infinity is allowed.
constexpr Limits at_least(double least) {
    return {.least = least, .takes_nan = false};
}
constexpr Limits at_most(double most) {
    return {.most = most, .takes_nan = false};
}
constexpr Limits items(std::size_t fewest, std::size_t most = std::numeric_limits<std::size_t>::max()) {
    return Limits{}.items(fewest, most);
}
constexpr Limits matching(const char* pattern) {
    return {.pattern = pattern};
}

inline constexpr Limits kFinite = {.least = std::numeric_limits<double>::lowest(),
                                   .most = std::numeric_limits<double>::max(),
                                   .takes_nan = false,
                                   .wanted = "a finite number"};
inline constexpr Limits kAmount = {.least = 0,
                                   .most = std::numeric_limits<double>::max(),
                                   .takes_nan = false,
                                   .wanted = "a finite number of at least 0"};
/// Milliseconds, finite and not negative.
inline constexpr Limits kDuration = {.least = 0,
                                     .most = std::numeric_limits<double>::max(),
                                     .takes_nan = false,
                                     .wanted = "a duration, finite and not negative",
                                     .is_duration = true};

/// A field that is inconsistent with the other fields of its record.
struct Flaw {
    const char* key;
    const char* wanted;  ///< what it must be: "as many extents as global has"
};

struct Field {
    const char* key;
    Limits limits = {};
    const char* meaning = "";  ///< description in the schema
    bool may_lack = false;     ///< see Fields::defaulted()
};

/// CRTP base of the objects passed to describe(); `Self` implements field(const Field&, T& value).
template <class Self>
class Fields {
public:
    template <class T>
    void operator()(const char* key, T& value, const Limits& limits = {}, const char* meaning = "") {
        self().field(Field{key, limits, meaning}, value);
    }
    template <class T>
    void operator()(const char* key, T& value, const char* meaning) {
        self().field(Field{key, {}, meaning}, value);
    }

    /// The record's name and meaning, for the schema. Optional; must precede the fields.
    void record(const char* /*name*/, const char* /*meaning*/) {}

    /// A field that a file may lack, e.g. because an earlier version did not write it. It then keeps its
    /// value.
    template <class T>
    void defaulted(const char* key, T& value, const Limits& limits = {}, const char* meaning = "") {
        self().field(Field{key, limits, meaning, true}, value);
    }

    /// A field that exists only in messages, not in documents.
    template <class T>
    void sent(const char* key, T& value, const Limits& limits = {}) {
        self().field(Field{key, limits}, value);
    }

    /// A value computed from other fields: written, never read.
    template <class T>
    void derived(const char* /*key*/, const T& /*value*/, const char* /*meaning*/) {}

private:
    Self& self() { return static_cast<Self&>(*this); }
};

/// The names of an enum's values, in the order 0, 1, 2 … Specialized once for each enum:
///   template <>
///   inline constexpr auto kEnumNames<Theme> = std::to_array<std::string_view>({"dark", "light"});
template <class Enum>
inline constexpr std::nullptr_t kEnumNames = nullptr;

/// The meaning of an enum's values, for the schema.
template <class Enum>
inline constexpr const char* kEnumMeaning = "";

template <class T>
concept NamedEnum = std::is_enum_v<T> && !std::is_same_v<decltype(kEnumNames<T>), const std::nullptr_t>;

template <NamedEnum Enum>
std::string to_string(Enum value) {
    return std::string(kEnumNames<Enum>.at(static_cast<std::size_t>(value)));
}

template <NamedEnum Enum>
std::optional<Enum> parse_enum(std::string_view name) {
    constexpr auto& names = kEnumNames<Enum>;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

template <NamedEnum Enum>
std::vector<std::string> enum_names() {
    return {kEnumNames<Enum>.begin(), kEnumNames<Enum>.end()};
}

// Classification of field types.
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsList<std::span<T>> = true;  ///< written, never read
template <class T>
inline constexpr bool kIsNamedList = false;
template <class T>
inline constexpr bool kIsNamedList<NamedList<T>> = true;
template <class T>
inline constexpr bool kIsPair = false;
template <class A, class B>
inline constexpr bool kIsPair<std::pair<A, B>> = true;
/// A number, boolean or string, written directly as a JSON value.
template <class T>
inline constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;
template <class T>
inline constexpr bool kIsPlainVariant = false;
template <class... T>
inline constexpr bool kIsPlainVariant<std::variant<T...>> = (kIsPlain<T> && ...);
template <class T>
inline constexpr bool kIsRecordVariant = false;
template <class... T>
inline constexpr bool kIsRecordVariant<std::variant<T...>> = (!kIsPlain<T> && ...);

/// The limits as the object of a sentence "… must be …": "a whole number from 0 to 255", "a number of at
/// least 0", "1 to 3 items".
std::string wanted_whole(const Limits& limits, double type_least, double type_most);
std::string wanted_number(const Limits& limits);
std::string wanted_items(const Limits& limits, std::string_view what);

}  // namespace kwb
