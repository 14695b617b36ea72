// SPDX-License-Identifier: Apache-2.0
// The values of a recording as text and as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/recording.hpp"

namespace kwb::debug {

/// A number of C, as wide as the widest of its kind.
struct Number {
    ValueKind kind = ValueKind::Signed;  ///< Signed, Unsigned or Floating
    std::int64_t integer = 0;            ///< the bits, if it is not Floating
    double real = 0;

    static Number of(std::int64_t value) { return {ValueKind::Signed, value, 0}; }
    static Number of(double value) { return {ValueKind::Floating, 0, value}; }
    bool is_floating() const { return kind == ValueKind::Floating; }
    double as_double() const;
    bool is_true() const { return is_floating() ? real != 0 : integer != 0; }
};

/// @return  nullopt: the type is no number, and no pointer
std::optional<Number> number_of(const ValueType& type, std::string_view bytes);

/// "float[16][17]", "float *", "float4"
std::string type_name(const Recording& recording, std::uint32_t type);

/// Bytes of memory; in `unset`, '\1' marks those without a known value. Empty: all have one.
struct ValueBytes {
    std::string_view bytes;
    std::string_view unset = {};

    ValueBytes part(std::uint64_t offset, std::uint64_t size) const {
        return {bytes.substr(offset, size), unset.empty() ? unset : unset.substr(offset, size)};
    }
};

/// "7", "0.1", "(1, 2, 3, 4)", "{1, ?, …}", "{x = 1, v = (2, 3)}", "&A[289]"; "?" for what has no known value
/// @param most  numbers that are written
std::string value_text(const Recording& recording, std::uint32_t type, ValueBytes value,
                       std::size_t most = 256);
std::string number_text(const Number& number);

/// "x" of a vector with up to four components, "sa" of a longer one
std::string component_name(std::uint64_t count, std::uint64_t number);

/// "5", "(5, 3)"
std::string ids_text(const std::vector<std::uint64_t>& ids);
/// A work-item's local id.
std::string item_text(const Recording& recording, std::uint32_t item);
/// The work-item with a local id; a missing index is 0. @throws BadInput  the group has no such work-item
std::uint32_t item_at(const Recording& recording, const std::vector<std::uint64_t>& ids);

/// "&A[289]", "NULL"
std::string pointer_text(const Recording& recording, std::uint64_t address);

/// "A[289]", "tile[3][4]" of an address in a buffer or variable; empty: it is in none.
std::string place_text(const Recording& recording, std::uint64_t address);

}  // namespace kwb::debug
