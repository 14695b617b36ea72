// SPDX-License-Identifier: Apache-2.0
// Matching a kernel's arguments to the problem's arguments by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/kernel_spec.hpp"
#include "model/problem.hpp"

namespace kwb {

/// An argument of a kernel function to be matched.
struct NamedArgument {
    std::string name;
    bool is_pointer = false;               ///< false: a scalar
    bool is_const = false;                 ///< a pointer to const, so not an output
    std::optional<ElementType> type = {};  ///< of the value or of what it points to; nullopt: not known
};

NamedArgument named_argument(const KernelParameter& parameter);

/// How a name was matched, most reliable first.
enum class NameMatch { Exact, OtherCase, Synonym, Elimination };

struct MatchedArgument {
    std::string name;  ///< name of a buffer or scalar of the problem, or of a scratch buffer
    NameMatch how = NameMatch::Exact;
};

/// Maps a name of the problem to its other spellings, in lower case and without underscores: M → "ha",
/// "rowsa".
using Spellings = NamedList<std::vector<std::string>>;

/// Find the problem's argument for each argument of a kernel.
///
/// Tried in this order: the same name; the same name ignoring case; a common alternative spelling, such as
/// `d_A`, `A_dev`, `matA` for A, `n`, `size`, `num_elements` for the only size, `in`, `src` for the only
/// input and `out`, `dst` for the only output, or one from `spellings`. A match counts only if it is
/// unambiguous: the argument fits exactly one name, and no other argument of the kernel fits that name.
///
/// @param arguments  in the order of the kernel function
/// @param scratch    names of scratch buffers, matched exactly
/// @param spellings  of the problem: see spellings_of() in problems/problem.hpp; names that the problem does
///                   not have are ignored
/// @return  one entry for each argument; nullopt if there is no match
std::vector<std::optional<MatchedArgument>> match_arguments(const std::vector<NamedArgument>& arguments,
                                                            const ProblemInstance& problem,
                                                            const std::vector<std::string>& scratch = {},
                                                            const Spellings& spellings = {});

/// Whether a number's name suggests an offset, a stride, a leading dimension, a tile, a radius and the like:
/// of no size and no factor of a problem.
bool speaks_of_no_size(std::string_view name);

/// Bind by elimination the arguments that no name identifies, if there is exactly one way to give each of
/// these pointers, or each of these numbers, something that no other argument has. A pointer can be a buffer
/// of its element type, which must be known, and a pointer to const no output; a number can be a size, or a
/// scalar of its kind, unless speaks_of_no_size().
/// @param matches  from match_arguments(); receives the matches
/// @param taken    further names that arguments have, bound explicitly
void match_by_elimination(const std::vector<NamedArgument>& arguments,
                          std::vector<std::optional<MatchedArgument>>& matches,
                          const ProblemInstance& problem, const std::vector<std::string>& scratch = {},
                          std::vector<std::string> taken = {});

}  // namespace kwb
