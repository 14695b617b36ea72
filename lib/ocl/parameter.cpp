#include "ocl/parameter.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

namespace kwb {
namespace {

using Tokens = std::vector<std::string>;

/// Splits into words and stars; other characters do not occur in types and are skipped.
Tokens tokenize(std::string_view text) {
    Tokens tokens;
    std::string word;
    for (const char c : std::string(text) + ' ') {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            word += c;
            continue;
        }
        if (!word.empty()) tokens.push_back(std::exchange(word, ""));
        if (c == '*') tokens.emplace_back("*");
    }
    return tokens;
}

std::string_view without_underscores(std::string_view word) {
    while (word.starts_with('_')) word.remove_prefix(1);
    return word;
}

/// A word about the location or use of a parameter, not about its type.
bool is_qualifier(std::string_view word) {
    constexpr std::array<std::string_view, 12> kQualifiers = {
        "global",   "constant",  "local",      "private",    "const",    "restrict",
        "volatile", "read_only", "write_only", "read_write", "register", "generic"};
    return std::ranges::find(kQualifiers, without_underscores(word)) != kQualifiers.end();
}

/// The type that C means by words such as "unsigned long int", in any order; nullopt for other types.
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

}  // namespace

std::string plain_type_name(std::string_view type) {
    Tokens words;
    std::string stars;
    for (const std::string& token : tokenize(type)) {
        if (token == "*")
            stars += '*';
        else if (!is_qualifier(token))
            words.push_back(token);
    }
    std::string name;
    for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
    return integer_name(words).value_or(name) + stars;
}

}  // namespace kwb
