// The sizes of OpenCL C's own types, on devices of 64 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kwb::hints {

struct Extent {
    std::uint64_t bytes = 0;
    std::uint64_t alignment = 1;

    friend bool operator==(const Extent&, const Extent&) = default;
};

/// Of float, uchar3, size_t, atomic_int, …; nothing for a word that is no such type.
std::optional<Extent> builtin_extent(std::string_view word);

/// Words that make a type together: unsigned long int.
bool is_integer_word(std::string_view word);
Extent integer_extent(const std::vector<std::string_view>& words);

}  // namespace kwb::hints
