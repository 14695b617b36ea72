// SPDX-License-Identifier: Apache-2.0
#include "model/element.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"

namespace kwb {

namespace {

struct ScalarRow {
    Scalar scalar;
    std::string_view name;
    std::size_t bytes;
};

constexpr std::array<ScalarRow, 11> kScalars = {{{Scalar::Int8, "char", 1},
                                                 {Scalar::UInt8, "uchar", 1},
                                                 {Scalar::Int16, "short", 2},
                                                 {Scalar::UInt16, "ushort", 2},
                                                 {Scalar::Int32, "int", 4},
                                                 {Scalar::UInt32, "uint", 4},
                                                 {Scalar::Int64, "long", 8},
                                                 {Scalar::UInt64, "ulong", 8},
                                                 {Scalar::Float16, "half", 2},
                                                 {Scalar::Float32, "float", 4},
                                                 {Scalar::Float64, "double", 8}}};

const ScalarRow& row_of(Scalar scalar) {
    return kScalars[static_cast<std::size_t>(scalar)];
}

std::optional<unsigned> parse_width(std::string_view digits) {
    for (const auto& [text, width] :
         {std::pair{"", 1u}, {"2", 2u}, {"3", 3u}, {"4", 4u}, {"8", 8u}, {"16", 16u}})
        if (digits == text) return width;
    return std::nullopt;
}

}  // namespace

std::size_t scalar_bytes(Scalar scalar) {
    return row_of(scalar).bytes;
}

std::size_t ElementType::bytes() const {
    return scalar_bytes(scalar) * (width == 3 ? 4 : width);
}

std::string to_string(const ElementType& type) {
    return std::string(row_of(type.scalar).name) + (type.width == 1 ? "" : std::to_string(type.width));
}

std::optional<ElementType> parse_element_type(std::string_view name) {
    name = trim(name);
    std::string plain(name);
    constexpr std::string_view kUnsigned = "unsigned ";
    if (name.starts_with(kUnsigned)) plain = "u" + std::string(trim(name.substr(kUnsigned.size())));
    if (name == "unsigned") plain = "uint";
    for (const ScalarRow& row : kScalars) {
        if (!std::string_view(plain).starts_with(row.name)) continue;
        if (const auto width = parse_width(std::string_view(plain).substr(row.name.size())))
            return ElementType{row.scalar, *width};
    }
    return std::nullopt;
}

NpyType npy_type(const ElementType& type) {
    const bool is_signed = type.scalar == Scalar::Int8 || type.scalar == Scalar::Int16 ||
                           type.scalar == Scalar::Int32 || type.scalar == Scalar::Int64;
    return {type.is_floating() ? 'f' : is_signed ? 'i' : 'u', scalar_bytes(type.scalar)};
}

}  // namespace kwb
