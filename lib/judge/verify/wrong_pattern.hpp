// SPDX-License-Identifier: Apache-2.0
// Recognizes what is wrong with an output as a whole: it is transposed, its last rows are missing …
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "judge/reference/large_arrays.hpp"
#include "model/finding.hpp"

namespace kwb {

/// A wrong output next to what was expected. The functions take the index of an element.
struct WrongOutput {
    std::size_t elements = 0;
    std::size_t columns = 0;  ///< of a row-major matrix; 0: it is none
    std::function<double(std::size_t)> got;
    std::function<double(std::size_t)> expected;
    std::function<double(std::size_t)> bound;  ///< largest error allowed; 0: must be equal
    std::function<bool(std::size_t)> is_wrong;
};

/// The matrices (rows x terms, terms x columns) whose product the output should be.
struct Factors {
    std::span<const float> a, b;
    std::size_t terms = 0;
};

/// A statement about all elements, never a guess from some of them.
struct FoundPattern {
    WrongPattern pattern = WrongPattern::Transposed;
    NamedList<double> numbers = {};
};

/// Fewer wrong elements may fit a pattern by chance.
inline constexpr std::uint64_t kLeastWrongForPattern = 8;

/// Reads the output a few times at most; most wrong outputs fit none of the patterns from their first
/// elements on.
/// @return  the first that fits, in the order of WrongPattern; nullopt for random errors
std::optional<FoundPattern> find_wrong_pattern(const WrongOutput& output, const Checkpoint& checkpoint);

/// True for B · A, with all three as matrices stored column by column: (columns x terms) times (terms x
/// rows). Large ones are checked by random vectors, which needs inputs that are integers, with a chance of
/// 2^-32 that some element is another.
bool is_column_major(const WrongOutput& output, const Factors& factors, const Checkpoint& checkpoint);

/// Finds that all sums of a product begin too late, end too early, or have a term at an end twice.
/// @return  nullopt, too, if that would take more than some seconds to verify
std::optional<FoundPattern> find_wrong_terms(const WrongOutput& output, const Factors& factors,
                                             const Checkpoint& checkpoint);

}  // namespace kwb
