// SPDX-License-Identifier: Apache-2.0
// Recognises sources that are the same but for names, formatting, comments, macros or the order of
// statements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "source/syntax.hpp"

namespace kwb::source {

/// Hashes of a whole source. Accidental collisions of 64 bits are not worth a thought.
struct Fingerprint {
    std::uint64_t ordered = 0;    ///< equal if only names and formatting differ
    std::uint64_t unordered = 0;  ///< equal also if statements of a block, or functions, are in another order
    /// Of each statement without names; of a compound one, its head. Ascending.
    std::vector<std::uint64_t> statements = {};

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Takes time proportional to the tree, but for sorting.
/// @return  nullopt: a function is unreadable, or there is none
std::optional<Fingerprint> fingerprint_of(const Program& program);

/// How many statements are not among those of the given text.
std::size_t count_own_statements(const Fingerprint& print, std::span<const std::uint64_t> given);

}  // namespace kwb::source
