// SPDX-License-Identifier: Apache-2.0
#include "xray/printed_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/half.hpp"

namespace kwb::xray {
namespace {

constexpr std::size_t kMostTextBytes = 2048;
constexpr int kMostWidth = 100;  ///< also of the precision

/// "%-8.3v4hlf"
struct Conversion {
    std::string flags;
    int width = 0;
    int precision = -1;  ///< none
    unsigned vector = 1;
    std::string length;  ///< "", "hh", "h", "hl", "l"
    char kind = '\0';    ///< '\0': this is no conversion
    std::size_t size = 0;
};

int take_number(const char* text, std::size_t& at) {
    int number = 0;
    for (; text[at] >= '0' && text[at] <= '9'; ++at) number = std::min(number * 10 + (text[at] - '0'), 1000);
    return number;
}

/// @param text  from the '%' on
Conversion read_conversion(const char* text) {
    Conversion read;
    std::size_t at = 1;
    for (; text[at] != '\0' && std::string_view("-+ #0").find(text[at]) != std::string_view::npos; ++at)
        if (read.flags.find(text[at]) == std::string::npos) read.flags += text[at];
    read.width = std::min(take_number(text, at), kMostWidth);
    if (text[at] == '.') read.precision = std::min(take_number(text, ++at), kMostWidth);
    if (text[at] == 'v') read.vector = static_cast<unsigned>(take_number(text, ++at));
    for (const char* const length : {"hh", "hl", "h", "l"})
        if (read.length.empty() && std::strncmp(text + at, length, std::strlen(length)) == 0)
            read.length = length;
    at += read.length.size();
    constexpr std::array<unsigned, 6> kVectors{1, 2, 3, 4, 8, 16};
    const bool is_known = std::string_view("diouxXcsfFeEgGaAp%").find(text[at]) != std::string_view::npos;
    if (text[at] == '\0' || !is_known || std::ranges::find(kVectors, read.vector) == kVectors.end())
        return read;
    read.kind = text[at];
    read.size = at + 1;
    return read;
}

bool is_floating(char kind) {
    return std::string_view("fFeEgGaA").find(kind) != std::string_view::npos;
}

/// The C library's format for one number: "%-8.3f"
template <class Value>
std::string format_number(const Conversion& conversion, const char* length, Value value) {
    std::string format = "%" + conversion.flags;
    if (conversion.width > 0) format += std::to_string(conversion.width);
    if (conversion.precision >= 0) format += "." + std::to_string(conversion.precision);
    format += length;
    format += conversion.kind;
    std::array<char, 1024> text{};
    const int size = std::snprintf(text.data(), text.size(), format.c_str(), value);
    return {text.data(), static_cast<std::size_t>(std::clamp(size, 0, static_cast<int>(text.size()) - 1))};
}

/// How the x86-64 calling convention passes a vector without a name: up to 4 bytes as an integer, up to 16 in
/// a register of vectors, longer ones in memory.
using Vector8 = float __attribute__((vector_size(8)));
using Vector16 = float __attribute__((vector_size(16)));
template <std::size_t kBytes>
struct alignas(kBytes) InMemory {
    std::array<char, kBytes> bytes;
};

template <class Value>
void take_bytes(std::va_list& arguments, char* to) {
    const auto value = va_arg(arguments, Value);
    std::memcpy(to, &value, sizeof value);
}

std::array<char, 128> take_vector(std::va_list& arguments, std::size_t bytes) {
    std::array<char, 128> all{};
    if (bytes <= 4)
        take_bytes<int>(arguments, all.data());
    else if (bytes == 8)
        take_bytes<Vector8>(arguments, all.data());
    else if (bytes == 16)
        take_bytes<Vector16>(arguments, all.data());
    else if (bytes == 32)
        take_bytes<InMemory<32>>(arguments, all.data());
    else if (bytes == 64)
        take_bytes<InMemory<64>>(arguments, all.data());
    else
        take_bytes<InMemory<128>>(arguments, all.data());
    return all;
}

template <class Value>
Value element_at(const char* from) {
    Value value{};
    std::memcpy(&value, from, sizeof value);
    return value;
}

std::string format_element(const Conversion& conversion, const char* from, std::size_t bytes) {
    if (is_floating(conversion.kind)) {
        if (bytes == 8) return format_number(conversion, "", element_at<double>(from));
        if (bytes == 4) return format_number(conversion, "", static_cast<double>(element_at<float>(from)));
        return format_number(conversion, "",
                             static_cast<double>(Half::from_bits(element_at<std::uint16_t>(from))));
    }
    const bool is_signed = conversion.kind == 'd' || conversion.kind == 'i';
    std::int64_t value = 0;
    if (bytes == 1)
        value = is_signed ? element_at<std::int8_t>(from) : element_at<std::uint8_t>(from);
    else if (bytes == 2)
        value = is_signed ? element_at<std::int16_t>(from) : element_at<std::uint16_t>(from);
    else if (bytes == 4)
        value = is_signed ? element_at<std::int32_t>(from) : std::int64_t{element_at<std::uint32_t>(from)};
    else
        value = element_at<std::int64_t>(from);
    return format_number(conversion, "l", static_cast<long>(value));
}

std::string format_vector(const Conversion& conversion, std::va_list& arguments) {
    const std::size_t bytes = conversion.length == "hh"  ? 1
                              : conversion.length == "h" ? 2
                              : conversion.length == "l" ? 8
                                                         : 4;
    const std::size_t stored = conversion.vector == 3 ? 4 : conversion.vector;
    const std::array<char, 128> all = take_vector(arguments, stored * bytes);
    std::string text;
    for (std::size_t i = 0; i < conversion.vector; ++i) {
        if (i > 0) text += ',';
        text += format_element(conversion, all.data() + i * bytes, bytes);
    }
    return text;
}

std::string format_scalar(const Conversion& conversion, std::va_list& arguments) {
    if (is_floating(conversion.kind)) return format_number(conversion, "", va_arg(arguments, double));
    if (conversion.kind == 'p') return format_number(conversion, "", va_arg(arguments, void*));
    if (conversion.kind == 'c') return format_number(conversion, "", va_arg(arguments, int));
    if (conversion.kind == 's') {
        const char* const text = va_arg(arguments, const char*);
        Conversion cut = conversion;
        if (cut.precision < 0) cut.precision = 1000;
        return text == nullptr ? "(null)" : format_number(cut, "", text);
    }
    if (conversion.length == "l") return format_number(conversion, "l", va_arg(arguments, long));
    const char* const length = conversion.length == "hl" ? "" : conversion.length.c_str();
    return format_number(conversion, length, va_arg(arguments, int));
}

}  // namespace

std::string printed_text(const char* format, std::va_list& arguments) {
    std::string text;
    while (*format != '\0' && text.size() < kMostTextBytes) {
        const Conversion conversion = *format == '%' ? read_conversion(format) : Conversion{};
        if (conversion.kind == '\0') {
            text += *format++;
            continue;
        }
        format += conversion.size;
        text += conversion.kind == '%'  ? "%"
                : conversion.vector > 1 ? format_vector(conversion, arguments)
                                        : format_scalar(conversion, arguments);
    }
    return text.substr(0, kMostTextBytes);
}

}  // namespace kwb::xray
