// SPDX-License-Identifier: Apache-2.0
#include "debug/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb::debug {
namespace {

template <class T>
T bits_as(std::string_view bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

/// A number of 16 bits in IEEE 754's binary16.
double half_value(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023;
    const double size = exponent == 31  ? (fraction > 0 ? NAN : INFINITY)
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(1024 + fraction, exponent - 25);
    return (bits >> 15) != 0 ? -size : size;
}

std::string floating_text(std::uint64_t bytes, double value) {
    if (std::isnan(value)) return "nan";
    return bytes == 8 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
}

/// Writes a value; `room` is the number of elements that are still written.
class ValueWriter {
public:
    ValueWriter(const Recording& recording, std::size_t room) : recording_(recording), room_(room) {}

    std::string write(std::uint32_t number, ValueBytes value) {
        const ValueType& type = recording_.types[number];
        switch (type.kind) {
            case ValueKind::Array:
                return "{" + list(type, value) + "}";
            case ValueKind::Vector:
                return "(" + list(type, value) + ")";
            case ValueKind::Struct: {
                std::string text = "{";
                for (const ValueType::Member& member : type.members) {
                    if (text.size() > 1) text += ", ";
                    const std::uint64_t size = recording_.types[member.type].bytes;
                    text += member.name + " = " + write(member.type, value.part(member.offset, size));
                }
                return text + "}";
            }
            default:
                return scalar(type, value);
        }
    }

private:
    std::string scalar(const ValueType& type, ValueBytes value) {
        if (room_ > 0) --room_;
        if (value.unset.find('\1') != std::string_view::npos) return "?";
        const std::optional<Number> number = number_of(type, value.bytes);
        if (!number) return "?";
        if (type.kind == ValueKind::Pointer)
            return pointer_text(recording_, static_cast<std::uint64_t>(number->integer));
        return number->is_floating() ? floating_text(type.bytes, number->real) : number_text(*number);
    }

    std::string list(const ValueType& type, ValueBytes value) {
        const std::uint64_t size = recording_.types[type.element].bytes;
        std::string text;
        for (std::uint64_t i = 0; i < type.count; ++i) {
            if (i > 0) text += ", ";
            if (room_ == 0) return text + "…";
            text += write(type.element, value.part(i * size, size));
        }
        return text;
    }

    const Recording& recording_;
    std::size_t room_;
};

}  // namespace

double Number::as_double() const {
    return is_floating()                 ? real
           : kind == ValueKind::Unsigned ? static_cast<double>(static_cast<std::uint64_t>(integer))
                                         : static_cast<double>(integer);
}

std::optional<Number> number_of(const ValueType& type, std::string_view bytes) {
    if (bytes.size() < type.bytes || type.bytes == 0 || type.bytes > 8) return std::nullopt;
    if (type.kind == ValueKind::Floating) {
        if (type.bytes == 8) return Number::of(bits_as<double>(bytes));
        if (type.bytes == 4) return Number::of(static_cast<double>(bits_as<float>(bytes)));
        return Number::of(half_value(bits_as<std::uint16_t>(bytes)));
    }
    if (type.kind != ValueKind::Signed && type.kind != ValueKind::Unsigned && type.kind != ValueKind::Pointer)
        return std::nullopt;
    std::uint64_t bits = 0;  // little-endian
    std::memcpy(&bits, bytes.data(), type.bytes);
    if (type.kind != ValueKind::Signed)
        return Number{ValueKind::Unsigned, static_cast<std::int64_t>(bits), 0};
    const auto unused = static_cast<unsigned>(64 - 8 * type.bytes);
    return Number::of(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::string type_name(const Recording& recording, std::uint32_t number) {
    const ValueType& type = recording.types[number];
    if (!type.name.empty()) return type.name;
    if (type.kind == ValueKind::Pointer) return type_name(recording, type.element) + " *";
    if (type.kind != ValueKind::Array) return type.kind == ValueKind::Struct ? "struct" : "void";
    std::string extents;
    std::uint32_t element = number;
    for (; recording.types[element].kind == ValueKind::Array; element = recording.types[element].element)
        extents += fmt::format("[{}]", recording.types[element].count);
    return type_name(recording, element) + extents;
}

std::string number_text(const Number& number) {
    if (number.is_floating()) return floating_text(8, number.real);
    return number.kind == ValueKind::Unsigned ? std::to_string(static_cast<std::uint64_t>(number.integer))
                                              : std::to_string(number.integer);
}

std::string component_name(std::uint64_t count, std::uint64_t number) {
    constexpr std::string_view kNames = "xyzw";
    return count <= kNames.size() ? std::string(1, kNames[number]) : fmt::format("s{:x}", number);
}

std::string ids_text(const std::vector<std::uint64_t>& ids) {
    std::vector<std::string> words;
    for (const std::uint64_t id : ids) words.push_back(std::to_string(id));
    return words.size() == 1 ? words.front() : "(" + join(words, ", ") + ")";
}

std::string item_text(const Recording& recording, std::uint32_t item) {
    std::vector<std::uint64_t> ids;
    for (const std::uint64_t extent : recording.local) {
        ids.push_back(item % extent);
        item /= static_cast<std::uint32_t>(extent);
    }
    return ids_text(ids);
}

std::uint32_t item_at(const Recording& recording, const std::vector<std::uint64_t>& ids) {
    if (ids.size() > recording.local.size())
        throw BadInput(fmt::format("the work-group has {}", counted(recording.local.size(), "dimension")));
    std::uint64_t item = 0;
    for (std::size_t d = recording.local.size(); d-- > 0;) {
        const std::uint64_t id = d < ids.size() ? ids[d] : 0;
        if (id >= recording.local[d])
            throw BadInput(fmt::format("the work-group has {} work-items in dimension {}, from 0 to {}",
                                       recording.local[d], d, recording.local[d] - 1));
        item = item * recording.local[d] + id;
    }
    return static_cast<std::uint32_t>(item);
}

std::string pointer_text(const Recording& recording, std::uint64_t address) {
    if (address == 0) return "NULL";
    const std::string place = place_text(recording, address);
    return place.empty() ? fmt::format("{:#x}", address) : "&" + place;
}

std::string value_text(const Recording& recording, std::uint32_t type, ValueBytes value, std::size_t most) {
    return ValueWriter(recording, most).write(type, value);
}

std::string place_text(const Recording& recording, std::uint64_t address) {
    const auto region = std::ranges::find_if(
        recording.regions, [&](const RecordedRegion& one) { return address - one.address < one.bytes; });
    if (region == recording.regions.end()) return "";
    std::string text = region->name;
    std::uint64_t offset = address - region->address;
    std::uint32_t type = region->type;
    if (!region->is_variable) {
        const std::uint64_t size = std::max<std::uint64_t>(recording.types[type].bytes, 1);
        return text + fmt::format("[{}]", offset / size);
    }
    while (recording.types[type].kind == ValueKind::Array) {
        type = recording.types[type].element;
        const std::uint64_t size = std::max<std::uint64_t>(recording.types[type].bytes, 1);
        text += fmt::format("[{}]", offset / size);
        offset %= size;
    }
    return text;
}

}  // namespace kwb::debug
