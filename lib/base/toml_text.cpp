// SPDX-License-Identifier: Apache-2.0
#include "base/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace kwb {
namespace {

/// @return  offset after the string that begins at `at`; a string of one line ends with its line at the
/// latest
std::size_t skip_string(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const bool has_escapes = quote == '"';
    const bool has_lines = text.substr(at, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''");
    const std::string_view closing = text.substr(at, has_lines ? 3 : 1);
    for (at += closing.size(); at < text.size(); ++at) {
        if (text.substr(at).starts_with(closing)) {
            at += closing.size();
            // Up to two more quotes belong to the text: """He said "no.""""" ends with five.
            for (int i = 0; has_lines && i < 2 && at < text.size() && text[at] == quote; ++i) ++at;
            return at;
        }
        if (!has_lines && text[at] == '\n') return at;
        if (has_escapes && text[at] == '\\') ++at;
    }
    return text.size();
}

/// Offset of the first dot, bracket or brace that is one too many. Dots are counted up to the next sign that
/// ends a key; a value has at most one. Right for any text up to the place at which it is no longer TOML.
std::optional<std::size_t> find_too_deep(std::string_view text) {
    std::size_t dots = 0;
    std::size_t open = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"' || c == '\'')
            at = skip_string(text, at) - 1;
        else if (c == '#')
            at = std::min(text.find('\n', at), text.size()) - 1;
        else if (c == '.' && ++dots >= kMostTomlDepth)
            return at;
        else if ((c == '[' || c == '{') && ++open > kMostTomlDepth)
            return at;
        else if ((c == ']' || c == '}') && open > 0)
            --open;
        if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots = 0;
    }
    return std::nullopt;
}

}  // namespace

toml::table parse_toml(std::string_view text) {
    if (const auto deep = find_too_deep(text)) {
        const Place place = place_of(text, *deep);
        throw toml::parse_error(fmt::format("nested more than {} levels deep", kMostTomlDepth).c_str(),
                                toml::source_position{place.line, place.column});
    }
    return toml::parse(text);
}

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

}  // namespace kwb
