// The integer expressions behind #if.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "hints/lexer.hpp"

namespace kwb::hints {

/// @return  the value of a C integer literal ("16", "0x10u", "1e3" has none)
std::optional<std::int64_t> integer_value(std::string_view literal);

/// @param tokens  with macros expanded and `defined` replaced; names left over count as 0
/// @return  nothing for what is no integer expression. Overflow wraps around, division by zero gives nothing.
std::optional<std::int64_t> evaluate_condition(std::span<const Token> tokens);

}  // namespace kwb::hints
