#include "hints/type_sizes.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kwb::hints {
namespace {

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 11> kNumberTypes{{{"char", 1},
                                                                                   {"uchar", 1},
                                                                                   {"short", 2},
                                                                                   {"ushort", 2},
                                                                                   {"half", 2},
                                                                                   {"int", 4},
                                                                                   {"uint", 4},
                                                                                   {"float", 4},
                                                                                   {"long", 8},
                                                                                   {"ulong", 8},
                                                                                   {"double", 8}}};

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 12> kOtherSizes{{{"bool", 1},
                                                                                  {"size_t", 8},
                                                                                  {"ptrdiff_t", 8},
                                                                                  {"intptr_t", 8},
                                                                                  {"uintptr_t", 8},
                                                                                  {"atomic_int", 4},
                                                                                  {"atomic_uint", 4},
                                                                                  {"atomic_float", 4},
                                                                                  {"atomic_flag", 4},
                                                                                  {"atomic_long", 8},
                                                                                  {"atomic_ulong", 8},
                                                                                  {"atomic_double", 8}}};

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 5> kVectorWidths{
    {{"16", 16}, {"2", 2}, {"3", 4}, {"4", 4}, {"8", 8}}};  // three numbers take the room of four

}  // namespace

bool is_integer_word(std::string_view word) {
    return word == "unsigned" || word == "signed" || word == "char" || word == "short" || word == "int" ||
           word == "long";
}

std::optional<Extent> builtin_extent(std::string_view word) {
    for (const auto& [name, bytes] : kOtherSizes)
        if (word == name) return Extent{bytes, bytes};
    for (const auto& [name, bytes] : kNumberTypes) {
        if (word == name) return Extent{bytes, bytes};
        if (!word.starts_with(name)) continue;
        for (const auto& [width, count] : kVectorWidths)
            if (word.substr(name.size()) == width) return Extent{bytes * count, bytes * count};
    }
    return std::nullopt;
}

Extent integer_extent(const std::vector<std::string_view>& words) {
    const auto has = [&](std::string_view word) { return std::ranges::count(words, word) > 0; };
    const std::uint64_t bytes = has("char") ? 1 : has("short") ? 2 : has("long") ? 8 : 4;
    return {bytes, bytes};
}

}  // namespace kwb::hints
