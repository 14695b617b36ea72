// SPDX-License-Identifier: Apache-2.0
// The syntax tree of an expression: operators and operands, with their columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "catalog/value.hpp"

namespace kwb {

/// An expression that cannot be parsed or evaluated.
/// what() is "column 7: message"; the column counts characters from 1.
class ExpressionError : public BadInput {
public:
    ExpressionError(std::uint32_t column, std::string message);

    std::uint32_t column() const { return column_; }
    const std::string& message() const { return message_; }

private:
    std::uint32_t column_;
    std::string message_;
};

/// Limits on length in bytes and on nesting, so that malicious text cannot exhaust the stack or run for too
/// long.
inline constexpr std::size_t kMostExpressionBytes = 4096;
inline constexpr std::size_t kMostExpressionDepth = 64;

/// One node. The members it uses depend on its kind:
///   Literal    value
///   Name       text
///   Call       text, children: arguments
///   List       children
///   Unary      operators[0], children[0]
///   Chain      children[0] operators[0] children[1] operators[1] …, all of one precedence, left to right
///   Comparison the same, each pair compared as in Python: a < b < c means a < b and b < c
struct SyntaxNode {
    enum class Kind { Literal, Name, Call, List, Unary, Chain, Comparison };
    struct Sign {
        std::string op;  ///< as it is written: "//", "and", "not in"
        std::uint32_t column;
    };

    Kind kind = Kind::Literal;
    std::uint32_t column = 1;
    Value value = 0;
    std::string text;
    std::vector<SyntaxNode> children;
    std::vector<Sign> operators;
};

/// @throws ExpressionError
SyntaxNode parse_syntax(std::string_view text);

}  // namespace kwb
