// Reading OpenCL C just far enough: comments and preprocessor lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kwb {

/// Replace every comment by blanks; line breaks, and so all places, stay.
std::string blank_comments(std::string_view source);

/// @return  offset of the first `//` or `/*` outside of texts in quotes
std::optional<std::size_t> find_first_comment(std::string_view source);

/// A line such as `#define TILE 16`.
struct Directive {
    std::string_view keyword;  ///< "define"
    std::string_view rest;     ///< "TILE 16"
    std::size_t offset;        ///< of the `#` in the source
};

/// @param blanked  from blank_comments(); the result borrows from it
std::vector<Directive> find_directives(std::string_view blanked);

/// The name at the start of `text`; empty if there is none.
std::string_view leading_identifier(std::string_view text);

}  // namespace kwb
