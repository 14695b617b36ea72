// SPDX-License-Identifier: Apache-2.0
#include "experiment/captured_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace kwb {
namespace {

template <class T>
T value_at(std::string_view bytes, std::size_t offset) {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

template <class T>
std::string floating_text(T value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    // A decimal number of few digits is evaluated with one rounding, as a compiler reads it.
    const std::string decimal = fmt::format("{}", value);
    const std::size_t exponent = decimal.find('e');
    const std::string digits = decimal.substr(0, exponent);
    const int scale = exponent == std::string::npos ? 0 : std::atoi(decimal.c_str() + exponent + 1);
    const auto significant =
        static_cast<int>(std::ranges::count_if(digits, [](char c) { return c >= '0' && c <= '9'; }));
    const bool is_negative_zero = value == 0 && std::signbit(value);
    if (!is_negative_zero && significant <= 15 && std::abs(scale) + significant <= 18) return decimal;
    return fmt::format("{:a}", static_cast<double>(value));
}

/// Empty: front matter cannot express it.
std::string component_text(std::string_view bytes, std::size_t offset, Scalar scalar) {
    if (offset + scalar_bytes(scalar) > bytes.size()) return "";
    switch (scalar) {
        case Scalar::Int8:
            return std::to_string(value_at<std::int8_t>(bytes, offset));
        case Scalar::UInt8:
            return std::to_string(value_at<std::uint8_t>(bytes, offset));
        case Scalar::Int16:
            return std::to_string(value_at<std::int16_t>(bytes, offset));
        case Scalar::UInt16:
            return std::to_string(value_at<std::uint16_t>(bytes, offset));
        case Scalar::Int32:
            return std::to_string(value_at<std::int32_t>(bytes, offset));
        case Scalar::UInt32:
            return std::to_string(value_at<std::uint32_t>(bytes, offset));
        case Scalar::Int64:
            return std::to_string(value_at<std::int64_t>(bytes, offset));
        case Scalar::UInt64: {
            const auto value = value_at<std::uint64_t>(bytes, offset);
            return value <= INT64_MAX ? std::to_string(value) : "";
        }
        case Scalar::Float32:
            return floating_text(value_at<float>(bytes, offset));
        case Scalar::Float64:
            return floating_text(value_at<double>(bytes, offset));
        default:
            return "";
    }
}

std::vector<std::string> complete(std::vector<std::string> texts) {
    if (std::ranges::find(texts, "") != texts.end()) texts.clear();
    return texts;
}

}  // namespace

std::string bytes_of_digits(std::string_view digits) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        unsigned byte = 0;
        std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
        bytes.push_back(static_cast<char>(byte));
    }
    return bytes;
}

std::string digits_of_bytes(std::string_view bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string digits;
    for (const char c : bytes) {
        digits += kDigits[static_cast<unsigned char>(c) >> 4];
        digits += kDigits[static_cast<unsigned char>(c) & 15];
    }
    return digits;
}

std::vector<std::string> component_texts(std::string_view bytes, const ElementType& type) {
    std::vector<std::string> texts;
    for (unsigned i = 0; i < type.width; ++i)
        texts.push_back(component_text(bytes, i * scalar_bytes(type.scalar), type.scalar));
    return complete(std::move(texts));
}

std::vector<std::string> component_texts(std::string_view bytes, const source::Record& record) {
    std::vector<std::string> texts;
    for (const auto& [offset, scalar] : record.numbers)
        texts.push_back(component_text(bytes, offset, scalar));
    return complete(std::move(texts));
}

}  // namespace kwb
