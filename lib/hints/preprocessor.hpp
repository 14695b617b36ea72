// The preprocessor of OpenCL C, as far as kernels use it, with a budget.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "hints/hints.hpp"
#include "hints/lexer.hpp"

namespace kwb::hints {

inline constexpr std::size_t kMostTokens = 200'000;    // read, copied or made, all together
inline constexpr std::size_t kMostOwnBytes = 1 << 20;  // of the person's own file

/// A source after preprocessing.
struct Preprocessed {
    bool complete =
        false;  ///< false: over the budget or kMostOwnBytes, or nested too deeply; then `tokens` is empty
    std::vector<Token> tokens;  ///< borrow from `texts`
    std::deque<std::string> texts;
    std::size_t tokens_used = 0;  ///< of the budget
};

/// Object- and function-like macros, # and ##, conditions over integers, #include of the neighbours given.
/// What it does not know (#pragma, #error, a missing neighbour) it skips. Never throws on any text. A macro's
/// words bear the line where the macro is used, its arguments' words their own.
Preprocessed preprocess(const HintSource& source, std::size_t most_tokens = kMostTokens);

}  // namespace kwb::hints
