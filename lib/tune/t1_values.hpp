// SPDX-License-Identifier: Apache-2.0
// The lists of values in Kernel Tuner's T1 files. Kernel Tuner runs them as Python; here they are only
// parsed.
#pragma once

#include <cctype>
#include <cstddef>
#include <string_view>
#include <vector>

#include "model/kernel_spec.hpp"

namespace kwb {

/// The largest number of values of one parameter.
inline constexpr std::size_t kMostT1Values = 4096;

/// Whether a name of Python may contain it.
inline bool is_word_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Reads "[16, 32]", "range(1, 9)", "list(range(32, 1025, 32))", "[2**i for i in range(6) if i != 3]" and
/// sums of these, "[1, 2] + [16*i for i in range(1, 9)]". All else are expressions of catalog/expression.hpp.
/// True and False become 1 and 0, as in front matter. Repeated values are left out.
/// @throws ExpressionError  with the column: not of this form; no value, or too many; a value that is neither
///                          a whole number, a truth value nor a text
std::vector<ParamValue> read_t1_values(std::string_view text);

}  // namespace kwb
