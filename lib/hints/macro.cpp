#include "hints/macro.hpp"

#include <algorithm>
#include <cctype>

namespace kwb::hints {
namespace {

constexpr int kMostMacroDepth = 40;        // arguments within arguments
constexpr std::size_t kMostLetters = 400;  // of a word that ## or # makes

TokenKind kind_of(std::string_view word) {
    if (word.empty()) return TokenKind::Other;
    const auto c = static_cast<unsigned char>(word[0]);
    if (std::isdigit(c)) return TokenKind::Number;
    return std::isalpha(c) || c == '_' || c >= 0x80 ? TokenKind::Identifier : TokenKind::Punctuator;
}

}  // namespace

void Macros::define(std::string_view name, Macro macro) {
    macros_[name] = std::make_shared<Macro>(std::move(macro));
}

void Macros::expand(Tokens input, Tokens& output, int depth) {
    if (depth > kMostMacroDepth) return budget_.exhaust();
    Frames frames;
    frames.push_back({std::move(input), 0, nullptr});
    while (!budget_.exhausted()) {
        std::optional<Token> token = next(frames);
        if (!token || !budget_.spend(1)) break;
        const auto found = token->is_name() && !token->painted ? macros_.find(token->text) : macros_.end();
        if (found == macros_.end()) {
            output.push_back(*token);
            continue;
        }
        const std::shared_ptr<Macro> macro = found->second;
        if (macro->under_way > 0) token->painted = true;
        if (token->painted || (macro->takes_arguments && !parenthesis_follows(frames))) {
            output.push_back(*token);
            continue;
        }
        std::vector<Tokens> arguments;
        if (macro->takes_arguments) {
            Tokens read;
            auto split = read_arguments(frames, read);
            if (!budget_.spend(read.size())) break;
            if (!split) {  // the parenthesis is never closed: leave all as it stands
                output.push_back(*token);
                output.insert(output.end(), read.begin(), read.end());
                continue;
            }
            arguments = std::move(*split);
        }
        auto body = substitute(*token, *macro, arguments, depth);
        if (!body || !budget_.spend(body->size())) break;
        ++macro->under_way;
        frames.push_back({std::move(*body), 0, macro});
    }
    for (const Frame& frame : frames)
        if (frame.macro) --frame.macro->under_way;
}

std::optional<Token> Macros::next(Frames& frames) {
    while (!frames.empty() && frames.back().at == frames.back().tokens.size()) {
        if (frames.back().macro) --frames.back().macro->under_way;
        frames.pop_back();
    }
    if (frames.empty()) return std::nullopt;
    return frames.back().tokens[frames.back().at++];
}

bool Macros::parenthesis_follows(const Frames& frames) {
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
        if (frame->at < frame->tokens.size()) return frame->tokens[frame->at].is("(");
    return false;
}

/// @param read  becomes all words from `(` on, whether the call is closed or not
std::optional<std::vector<std::vector<Token>>> Macros::read_arguments(Frames& frames, Tokens& read) {
    std::vector<Tokens> arguments(1);
    int depth = 0;
    while (const std::optional<Token> token = next(frames)) {
        read.push_back(*token);
        const bool opens = token->is("("), closes = token->is(")");
        if (opens && depth++ == 0) continue;
        if (closes && --depth == 0) return arguments;
        if (depth == 1 && token->is(","))
            arguments.emplace_back();
        else
            arguments.back().push_back(*token);
    }
    return std::nullopt;
}

/// The macro's body with its arguments in place; nothing when the budget is spent.
std::optional<std::vector<Token>> Macros::substitute(const Token& name, const Macro& macro,
                                                     std::vector<Tokens>& arguments, int depth) {
    const std::size_t count = macro.parameters.size();
    if (macro.variadic && arguments.size() > count) {  // the last one takes the rest, commas too
        Token comma = name;
        comma.kind = TokenKind::Punctuator;
        comma.text = ",";
        for (std::size_t i = count; i < arguments.size(); ++i) {
            arguments[count - 1].push_back(comma);
            arguments[count - 1].insert(arguments[count - 1].end(), arguments[i].begin(), arguments[i].end());
        }
    }
    arguments.resize(std::max(arguments.size(), count));

    std::vector<std::optional<Tokens>> expanded(count);
    const auto parameter = [&](const Token& token) -> std::optional<std::size_t> {
        const auto at = std::find(macro.parameters.begin(), macro.parameters.end(), token.text);
        if (!token.is_name() || at == macro.parameters.end()) return std::nullopt;
        return static_cast<std::size_t>(at - macro.parameters.begin());
    };

    Tokens out;
    bool pasting = false;
    const std::vector<Token>& body = macro.body;
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (body[i].is("##") && i > 0) {
            pasting = true;
            continue;
        }
        Tokens piece;
        const bool before_paste = i + 1 < body.size() && body[i + 1].is("##");
        if (macro.takes_arguments && body[i].is("#") && i + 1 < body.size() && parameter(body[i + 1])) {
            piece.push_back(quote(arguments[*parameter(body[i + 1])]));
            ++i;
        } else if (const auto which = parameter(body[i])) {
            if (pasting || before_paste) {
                piece = arguments[*which];
            } else {
                if (!expanded[*which]) {
                    expanded[*which].emplace();
                    expand(arguments[*which], *expanded[*which], depth + 1);
                }
                piece = *expanded[*which];
            }
        } else {
            piece.push_back(body[i]);
            piece.back().macro = body[i].macro;
            piece.back().line = name.line;
            piece.back().own = name.own;
            piece.back().given = macro.given;
        }
        if (!budget_.spend(piece.size())) return std::nullopt;
        if (pasting && !out.empty() && !piece.empty()) {
            out.back() = paste(out.back(), piece.front());
            piece.erase(piece.begin());
        } else if (pasting && piece.empty() && !out.empty() && out.back().is(",")) {
            out.pop_back();  // `, ## __VA_ARGS__` with nothing behind
        }
        pasting = false;
        out.insert(out.end(), piece.begin(), piece.end());
    }
    return out;
}

Token Macros::paste(const Token& left, const Token& right) {
    Token made = left;
    if (left.text.size() + right.text.size() > kMostLetters) {
        budget_.exhaust();
        return made;
    }
    made.text = texts_.emplace_back(std::string(left.text) + std::string(right.text));
    made.kind = kind_of(made.text);
    made.painted = false;
    return made;
}

Token Macros::quote(const Tokens& words) {
    std::string text = "\"";
    for (const Token& word : words) {
        if (text.size() + word.text.size() > kMostLetters) break;  // texts say nothing to the analyses
        if (word.space_before && text.size() > 1) text += ' ';
        text += word.text;
    }
    Token made = words.empty() ? Token{} : words.front();
    made.kind = TokenKind::Text;
    made.text = texts_.emplace_back(text + '"');
    return made;
}

}  // namespace kwb::hints
