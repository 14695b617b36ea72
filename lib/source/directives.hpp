// SPDX-License-Identifier: Apache-2.0
// Parses only the comments and preprocessor lines of OpenCL C.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kwb {

/// Replaces every comment by spaces; line breaks are kept, so all positions stay the same.
std::string blank_comments(std::string_view source);

/// @return  offset of the first `//` or `/*` outside quotes
std::optional<std::size_t> find_first_comment(std::string_view source);

/// A line such as `#define TILE 16`.
struct Directive {
    std::string_view keyword;  ///< "define"
    std::string_view rest;     ///< "TILE 16"
    std::size_t offset;        ///< of the `#` in the source
};

/// @param blanked  result of blank_comments(); the returned views refer to it
std::vector<Directive> find_directives(std::string_view blanked);

/// A kernel function in the text of a source, with the conditions around it, which may be false.
struct ConditionalKernel {
    std::string name;
    std::size_t line = 1;  ///< of the word __kernel
    /// "#ifdef USE_FLOAT (line 1)", outermost first; after the first eight, "3 more"
    std::vector<std::string> conditions;
    std::vector<std::string> macros;  ///< those that the conditions need, except compilers' own
};

/// Finds kernel functions inside `#if`, `#ifdef` and `#ifndef`; include guards do not count. Macros are not
/// expanded.
/// @return  the first 256, in source order
std::vector<ConditionalKernel> find_conditional_kernels(std::string_view source);

/// "reduce (line 9) is inside #ifdef USE_FLOAT (line 1), which does not hold"
/// @param hidden  with at least one condition
std::string describe(const ConditionalKernel& hidden);

/// The name at the start of `text`; empty if there is none.
std::string_view leading_identifier(std::string_view text);

}  // namespace kwb
