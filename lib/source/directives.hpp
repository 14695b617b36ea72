// Parses just the comments and preprocessor lines of OpenCL C.
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

/// The name at the start of `text`; empty if there is none.
std::string_view leading_identifier(std::string_view text);

}  // namespace kwb
