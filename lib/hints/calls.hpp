// Where a source calls a function.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hints/hints.hpp"

namespace kwb {

/// The first place inside a function's body, in the order of the text, where `name` stands before a `(`.
/// Bodies that the parser does not follow are searched too; declarations outside of bodies do not count.
/// @return  line of the person's own file, from 1 (in an included file: that of its #include); nothing for
///          source that is too large to read
std::optional<std::uint32_t> find_first_call(const HintSource& source, std::string_view name);

}  // namespace kwb
