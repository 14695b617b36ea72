// SPDX-License-Identifier: Apache-2.0
#include "source/types.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.hpp"
#include "model/device_fit.hpp"

namespace kwb::source {
namespace {

constexpr std::uint64_t kPointerBytes = 8;
constexpr int kLongestChain = 20;  // maximum length of a chain of typedefs
constexpr std::string_view kVector = "__attribute__((ext_vector_type(";

struct Basic {
    std::string_view words, name;
    std::uint64_t bytes;
};
constexpr std::array<Basic, 15> kBasics{{{"bool", "bool", 1},
                                         {"_Bool", "bool", 1},
                                         {"char", "char", 1},
                                         {"signed char", "char", 1},
                                         {"unsigned char", "uchar", 1},
                                         {"short", "short", 2},
                                         {"unsigned short", "ushort", 2},
                                         {"half", "half", 2},
                                         {"int", "int", 4},
                                         {"unsigned int", "uint", 4},
                                         {"unsigned", "uint", 4},
                                         {"float", "float", 4},
                                         {"long", "long", 8},
                                         {"unsigned long", "ulong", 8},
                                         {"double", "double", 8}}};

const Basic* find_basic(std::string_view words) {
    const auto found = std::ranges::find(kBasics, words, &Basic::words);
    return found == kBasics.end() ? nullptr : &*found;
}

std::optional<Space> space_of(std::string_view word) {
    if (word == "__private") return Space::Private;
    if (word == "__local") return Space::Local;
    if (word == "__global") return Space::Global;
    if (word == "__constant") return Space::Constant;
    if (word == "__generic") return Space::Other;
    return std::nullopt;
}

bool is_qualifier(std::string_view word) {
    return word == "const" || word == "volatile" || word == "restrict" || word == "__read_only" ||
           word == "__write_only" || word == "__read_write" || space_of(word).has_value();
}

/// Calls `see` with each word; an attribute counts as one word.
template <class F>
void for_each_word(std::string_view text, F see) {
    while (!(text = trim(text)).empty()) {
        std::size_t end = 0;
        for (int depth = 0; end < text.size() && (depth > 0 || text[end] != ' '); ++end)
            depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        see(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::int64_t number_in(std::string_view text) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// Removes `[16][17]` from the end.
std::vector<std::int64_t> take_extents(std::string_view& type) {
    std::vector<std::int64_t> extents;
    while (type.ends_with(']')) {
        const std::size_t open = type.rfind('[');
        if (open == std::string_view::npos) break;
        extents.insert(extents.begin(), number_in(type.substr(open + 1)));
        type = trim(type.substr(0, open));
    }
    return extents;
}

void read_base(std::string_view base, TypeParts& parts, Space& space) {
    for_each_word(base, [&](std::string_view word) {
        if (const auto named = space_of(word)) space = *named;
        if (word == "const" || word == "__read_only") parts.element_const = true;
        if (!is_qualifier(word)) parts.element += (parts.element.empty() ? "" : " ") + std::string(word);
    });
}

}  // namespace

TypeParts take_apart(std::string_view type) {
    TypeParts parts;
    type = trim(type);
    if (const std::size_t inner = type.find("(*"); inner != std::string_view::npos) {  // float (*)[16]
        parts.pointer = true;
        read_base(type.substr(0, inner), parts, parts.pointee_space);
        return parts;
    }
    parts.extents = take_extents(type);
    const std::size_t star = type.rfind('*');
    parts.pointer = star != std::string_view::npos;
    if (!parts.pointer) {
        read_base(type, parts, parts.space);
        return parts;
    }
    for_each_word(type.substr(star + 1),
                  [&](std::string_view word) { parts.space = space_of(word).value_or(parts.space); });
    read_base(type.substr(0, star), parts, parts.pointee_space);
    return parts;
}

std::string Types::plain_name(std::string_view element) const {
    std::string name(element);
    for (int i = 0; i < kLongestChain; ++i) {
        const auto known = own.find(name);
        if (known == own.end()) break;
        const TypeParts parts = take_apart(known->second);
        if (parts.pointer || !parts.extents.empty() || parts.element == name ||
            parts.element.find('(') != std::string::npos || parts.element.starts_with("struct ") ||
            parts.element.starts_with("union ") || parts.element.starts_with("enum "))
            break;
        name = parts.element;
    }
    const Basic* const basic = find_basic(name);
    return basic != nullptr ? std::string(basic->name) : name;
}

bool Types::is_record(std::string_view element) const {
    std::string name(element);
    for (int i = 0; i < kLongestChain; ++i) {
        if (name.starts_with("struct ") || name.starts_with("union ")) return true;
        const auto known = own.find(name);
        if (known == own.end()) return false;
        name = take_apart(known->second).element;
    }
    return false;
}

std::optional<std::uint64_t> Types::bytes_of(std::string_view type, int depth) const {
    if (depth > kLongestChain) return std::nullopt;
    const TypeParts parts = take_apart(type);
    std::uint64_t count = 1;
    for (const std::int64_t extent : parts.extents) {
        if (extent < 1) return std::nullopt;
        count = multiply_bytes(count, static_cast<std::uint64_t>(extent));
    }
    if (parts.pointer) return multiply_bytes(count, kPointerBytes);
    std::string_view element = parts.element;
    if (const std::size_t vector = element.find(kVector); vector != std::string_view::npos) {
        const auto width = static_cast<std::uint64_t>(number_in(element.substr(vector + kVector.size())));
        count = multiply_bytes(count, width == 3 ? 4 : width);  // a 3-vector takes the space of four
        element = trim(element.substr(0, vector));
    }
    if (const Basic* basic = find_basic(element)) return multiply_bytes(count, basic->bytes);
    constexpr std::string_view kAtomic = "_Atomic(";
    if (element.starts_with(kAtomic) && element.ends_with(')'))
        if (const auto bytes =
                bytes_of(element.substr(kAtomic.size(), element.size() - kAtomic.size() - 1), depth + 1))
            return multiply_bytes(count, *bytes);
    if (element.starts_with("enum ")) return multiply_bytes(count, 4);
    if (const auto record = records.find(std::string(element)); record != records.end())
        return multiply_bytes(count, record->second.bytes);
    std::optional<std::uint64_t> bytes;
    if (const auto known = own.find(std::string(element)); known != own.end())
        bytes = bytes_of(known->second, depth + 1);
    if (const auto known = header.find(element); !bytes && known != header.end())
        bytes = bytes_of(known->second, depth + 1);
    return bytes ? std::optional(multiply_bytes(count, *bytes)) : std::nullopt;
}

}  // namespace kwb::source
