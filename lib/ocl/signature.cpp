#include "ocl/signature.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace kwb {
namespace {

using Tokens = std::vector<std::string>;
using TokenSpan = std::span<const std::string>;

bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_word(const std::string& token) {
    return is_word_character(token.front()) && std::isdigit(static_cast<unsigned char>(token.front())) == 0;
}

/// End of the line at `at`; a backslash before the newline continues it.
std::size_t line_end(std::string_view text, std::size_t at) {
    for (; at < text.size(); ++at)
        if (text[at] == '\n' && (at == 0 || text[at - 1] != '\\')) return at;
    return text.size();
}

std::size_t literal_end(std::string_view text, std::size_t at) {
    const char quote = text[at];
    for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
        if (text[at] == '\\') ++at;
    return std::min(at + 1, text.size());
}

/// Words, and every other visible character by itself; comments, literals and directives left out.
Tokens tokenize(std::string_view text) {
    Tokens tokens;
    bool line_is_empty = true;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        const std::string_view rest = text.substr(at);
        if (c == '\n') {
            line_is_empty = true;
            ++at;
        } else if (rest.starts_with("//") || (c == '#' && line_is_empty)) {
            at = line_end(text, at);
        } else if (rest.starts_with("/*")) {
            const std::size_t end = text.find("*/", at + 2);
            at = end == std::string_view::npos ? text.size() : end + 2;
        } else if (c == '"' || c == '\'') {
            at = literal_end(text, at);
            line_is_empty = false;
        } else if (is_word_character(c)) {
            const std::size_t start = at;
            while (at < text.size() && is_word_character(text[at])) ++at;
            tokens.emplace_back(text.substr(start, at - start));
            line_is_empty = false;
        } else {
            if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '\\') {
                tokens.emplace_back(1, c);
                line_is_empty = false;
            }
            ++at;
        }
    }
    return tokens;
}

bool is_open(const std::string& token) {
    return token == "(" || token == "[" || token == "{";
}
bool is_close(const std::string& token) {
    return token == ")" || token == "]" || token == "}";
}

/// @param at  of an opening bracket
/// @return  index of its partner, or tokens.size()
std::size_t matching(TokenSpan tokens, std::size_t at) {
    int depth = 0;
    for (; at < tokens.size(); ++at) {
        depth += is_open(tokens[at]) ? 1 : is_close(tokens[at]) ? -1 : 0;
        if (depth == 0) return at;
    }
    return tokens.size();
}

/// Without `__attribute__((…))`.
Tokens without_attributes(TokenSpan tokens) {
    Tokens kept;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const bool is_attribute = tokens[at] == "__attribute__" || tokens[at] == "__attribute";
        if (is_attribute && at + 1 < tokens.size() && tokens[at + 1] == "(")
            at = matching(tokens, at + 1);
        else
            kept.push_back(tokens[at]);
    }
    return kept;
}

std::string_view without_underscores(std::string_view word) {
    while (word.starts_with('_')) word.remove_prefix(1);
    return word;
}

/// A word about where a parameter lives or how it is used, not about its type.
bool is_qualifier(std::string_view word) {
    constexpr std::array<std::string_view, 12> kQualifiers = {
        "global",   "constant",  "local",      "private",    "const",    "restrict",
        "volatile", "read_only", "write_only", "read_write", "register", "generic"};
    return std::ranges::find(kQualifiers, without_underscores(word)) != kQualifiers.end();
}

/// The type that C means by words such as "unsigned long int", in any order; nothing for other types.
std::optional<std::string> integer_name(const Tokens& words) {
    const auto count = [&](std::string_view word) { return std::ranges::count(words, word); };
    const auto longs = count("long");
    const auto others = count("signed") + count("int");
    const bool is_unsigned = count("unsigned") > 0;
    const auto known = longs + others + count("unsigned") + count("char") + count("short");
    if (words.empty() || known != static_cast<std::ptrdiff_t>(words.size())) return std::nullopt;
    if (longs > 1) return is_unsigned ? "unsigned long long" : "long long";
    const std::string plain = count("char") > 0    ? "char"
                              : count("short") > 0 ? "short"
                              : longs > 0          ? "long"
                                                   : "int";
    return (is_unsigned ? "u" : "") + plain;
}

std::string type_name_of(TokenSpan tokens) {
    Tokens words;
    std::string stars;
    for (const std::string& token : tokens) {
        if (token == "*")
            stars += '*';
        else if (!is_qualifier(token))
            words.push_back(token);
    }
    std::string name;
    for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
    return integer_name(words).value_or(name) + stars;
}

AddressSpace space_of(TokenSpan tokens, const std::string& type_name) {
    if (type_name.starts_with("image")) return AddressSpace::Image;
    if (type_name == "sampler_t" || type_name.starts_with("pipe") || type_name == "queue_t")
        return AddressSpace::Other;
    if (!type_name.ends_with('*')) return AddressSpace::Private;
    for (const std::string& token : tokens) {
        const std::string_view word = without_underscores(token);
        if (word == "global") return AddressSpace::Global;
        if (word == "constant") return AddressSpace::Constant;
        if (word == "local") return AddressSpace::Local;
    }
    return AddressSpace::Other;
}

KernelParameter parse_parameter(TokenSpan all) {
    Tokens tokens = without_attributes(all);
    // `float x[4]` is a pointer.
    const auto bracket = std::ranges::find(tokens, "[");
    const bool is_array = bracket != tokens.end();
    tokens.erase(bracket, tokens.end());

    KernelParameter parameter;
    // The name is the last word, unless all that is there is a type.
    if (tokens.size() > 1 && is_word(tokens.back()) && !is_qualifier(tokens.back())) {
        parameter.name = tokens.back();
        tokens.pop_back();
    }
    if (is_array) tokens.push_back("*");
    parameter.type_name = type_name_of(tokens);
    parameter.space = space_of(tokens, parameter.type_name);
    const auto star = std::ranges::find(tokens, "*");
    const bool points_to_const = star != tokens.end() && (std::find(tokens.begin(), star, "const") != star);
    parameter.is_const = points_to_const || parameter.space == AddressSpace::Constant;
    return parameter;
}

std::vector<KernelParameter> parse_parameters(TokenSpan list) {
    if (list.empty() || (list.size() == 1 && list.front() == "void")) return {};
    std::vector<KernelParameter> parameters;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t at = 0; at <= list.size(); ++at) {
        if (at == list.size() || (depth == 0 && list[at] == ",")) {
            parameters.push_back(parse_parameter(list.subspan(start, at - start)));
            start = at + 1;
        } else {
            depth += is_open(list[at]) ? 1 : is_close(list[at]) ? -1 : 0;
        }
    }
    return parameters;
}

}  // namespace

std::optional<std::vector<KernelParameter>> parse_signature(std::string_view source, std::string_view name) {
    const Tokens tokens = without_attributes(tokenize(source));
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (tokens[at] == "{") {  // a body: nothing begins in there
            at = matching(tokens, at);
            continue;
        }
        if (without_underscores(tokens[at]) != "kernel") continue;
        const auto open = std::find(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end(), "(");
        if (open == tokens.end()) break;
        if (*(open - 1) != name) continue;
        const auto start = static_cast<std::size_t>(open - tokens.begin());
        const std::size_t end = matching(tokens, start);
        if (end >= tokens.size()) break;
        return parse_parameters(TokenSpan(tokens).subspan(start + 1, end - start - 1));
    }
    return std::nullopt;
}

std::string plain_type_name(std::string_view type) {
    return type_name_of(tokenize(type));
}

}  // namespace kwb
