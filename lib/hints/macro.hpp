// Macros and their expansion.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hints/lexer.hpp"

namespace kwb::hints {

/// What is left of the words that a preprocessing may read, copy or make.
class Budget {
public:
    explicit Budget(std::size_t tokens) : left_(tokens), all_(tokens) {}

    /// @return  false once more was spent than there is
    bool spend(std::size_t tokens) {
        if (tokens > left_) exhaust();
        if (exhausted_) return false;
        left_ -= tokens;
        return true;
    }
    void exhaust() { exhausted_ = true; }
    bool exhausted() const { return exhausted_; }
    std::size_t left() const { return exhausted_ ? 0 : left_; }
    std::size_t used() const { return all_ - left_; }

private:
    std::size_t left_, all_;
    bool exhausted_ = false;
};

struct Macro {
    bool takes_arguments = false;
    bool variadic = false;  ///< the last parameter takes the rest
    bool given = false;     ///< as -DNAME=value
    std::vector<std::string_view> parameters = {};
    std::vector<Token> body = {};
    int under_way = 0;  ///< expansions of it that are not finished: its name stays as it is
};

/// The macros in force; made words are kept in `texts`.
class Macros {
public:
    Macros(std::deque<std::string>& texts, Budget& budget) : texts_(texts), budget_(budget) {}

    void define(std::string_view name, Macro macro);
    void undefine(std::string_view name) { macros_.erase(name); }
    bool defined(std::string_view name) const { return macros_.contains(name); }

    /// Append `input` with all macros expanded to `output`.
    void expand(std::vector<Token> input, std::vector<Token>& output) { expand(std::move(input), output, 0); }

private:
    using Tokens = std::vector<Token>;
    struct Frame {
        Tokens tokens;
        std::size_t at = 0;
        std::shared_ptr<Macro> macro;
    };
    using Frames = std::vector<Frame>;

    void expand(Tokens input, Tokens& output, int depth);
    static std::optional<Token> next(Frames& frames);
    static bool parenthesis_follows(const Frames& frames);
    static std::optional<std::vector<Tokens>> read_arguments(Frames& frames, Tokens& read);
    std::optional<Tokens> substitute(const Token& name, const Macro& macro, std::vector<Tokens>& arguments,
                                     int depth);
    Token paste(const Token& left, const Token& right);
    Token quote(const Tokens& words);

    std::unordered_map<std::string_view, std::shared_ptr<Macro>> macros_;
    std::deque<std::string>& texts_;
    Budget& budget_;
};

}  // namespace kwb::hints
