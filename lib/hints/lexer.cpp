#include "hints/lexer.hpp"

#include <algorithm>
#include <array>

namespace kwb::hints {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Bytes beyond ASCII count as letters, so that a name in any script is one word.
bool is_name_part(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::array<std::string_view, 23> kLongPunctuators{
    "<<=", ">>=", "...", "##", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "++", "--", "->"};

/// One pass over a text whose continued lines are joined.
class Lexer {
public:
    Lexer(std::string_view text, const std::vector<std::size_t>& joints) : text_(text), joints_(joints) {}

    std::vector<Token> read(std::size_t most_tokens) {
        std::vector<Token> tokens;
        bool first = true;
        while (tokens.size() < most_tokens) {
            const std::uint32_t line_before = breaks_;
            const std::size_t from = at_;
            skip_blanks();
            if (at_ >= text_.size()) break;
            if (breaks_ != line_before) first = true;
            Token token;
            token.first_on_line = first;
            token.space_before = at_ != from;
            token.line = line();
            const std::size_t start = at_;
            token.kind = step();
            token.text = text_.substr(start, at_ - start);
            tokens.push_back(token);
            first = false;
        }
        return tokens;
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    std::uint32_t line() {
        while (joint_ < joints_.size() && joints_[joint_] <= at_) ++joint_;
        return 1 + lines_ + static_cast<std::uint32_t>(joint_);
    }

    /// Blanks, line breaks and comments. A line break within a comment begins no line for directives.
    void skip_blanks() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                ++lines_;
                ++breaks_;
                ++at_;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {
                ++at_;
            } else if (c == '/' && peek(1) == '/') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (c == '/' && peek(1) == '*') {
                const std::size_t close = text_.find("*/", at_ + 2);
                const std::size_t end = close == std::string_view::npos ? text_.size() : close + 2;
                lines_ += static_cast<std::uint32_t>(
                    std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                               text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
                at_ = end;
            } else {
                return;
            }
        }
    }

    /// Move behind the word that begins here.
    TokenKind step() {
        const char c = peek();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            while (is_name_part(peek()) || peek() == '.' || is_exponent_sign()) ++at_;
            return TokenKind::Number;
        }
        if (is_name_part(c)) {
            while (is_name_part(peek())) ++at_;
            return TokenKind::Identifier;
        }
        if (c == '"' || c == '\'') {
            skip_quoted(c);
            return c == '"' ? TokenKind::Text : TokenKind::Character;
        }
        const std::string_view rest = text_.substr(at_, 3);
        for (std::string_view punctuator : kLongPunctuators)
            if (rest.starts_with(punctuator)) {
                at_ += punctuator.size();
                return TokenKind::Punctuator;
            }
        ++at_;
        return c > ' ' && c != '@' && c != '`' && c != '$' && c != '\\' ? TokenKind::Punctuator
                                                                        : TokenKind::Other;
    }

    bool is_exponent_sign() const {
        if (peek() != '+' && peek() != '-') return false;
        const char before = text_[at_ - 1];
        return before == 'e' || before == 'E' || before == 'p' || before == 'P';
    }

    void skip_quoted(char quote) {
        ++at_;
        while (at_ < text_.size() && text_[at_] != '\n') {
            if (text_[at_] == quote) {
                ++at_;
                return;
            }
            at_ += text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
        }
    }

    std::string_view text_;
    const std::vector<std::size_t>& joints_;
    std::size_t at_ = 0;
    std::size_t joint_ = 0;     // joints before at_
    std::uint32_t lines_ = 0;   // line breaks before at_
    std::uint32_t breaks_ = 0;  // those outside of comments
};

}  // namespace

std::string join_continued_lines(std::string_view source, std::vector<std::size_t>& joints) {
    std::string joined;
    joined.reserve(source.size());
    joints.clear();
    for (std::size_t at = 0; at < source.size(); ++at) {
        if (source[at] == '\\') {
            const std::string_view next = source.substr(at + 1, 2);
            const std::size_t width = next.starts_with('\n') ? 1 : next == "\r\n" ? 2 : 0;
            if (width > 0) {
                joints.push_back(joined.size());
                at += width;
                continue;
            }
        }
        joined.push_back(source[at]);
    }
    return joined;
}

std::vector<Token> read_tokens(std::string_view joined, const std::vector<std::size_t>& joints,
                               std::size_t most_tokens) {
    return Lexer(joined, joints).read(most_tokens);
}

}  // namespace kwb::hints
