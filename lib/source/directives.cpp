#include "source/directives.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"

namespace kwb {
namespace {

/// @return  offset after the quoted text that starts at `at`; quoted text ends at the end of the line at the
///          latest
std::size_t skip_quoted(std::string_view source, std::size_t at) {
    const char quote = source[at++];
    while (at < source.size() && source[at] != '\n') {
        if (source[at] == quote) return at + 1;
        at += source[at] == '\\' ? 2 : 1;
    }
    return std::min(at, source.size());
}

/// Offset of the next comment at or after `at`, or npos.
std::size_t next_comment(std::string_view source, std::size_t at) {
    while (at < source.size()) {
        const char c = source[at];
        if (c == '"' || c == '\'') {
            at = skip_quoted(source, at);
            continue;
        }
        const std::string_view two = source.substr(at, 2);
        if (two == "//" || two == "/*") return at;
        ++at;
    }
    return std::string_view::npos;
}

}  // namespace

std::string blank_comments(std::string_view source) {
    std::string out(source);
    std::size_t at = 0;
    while ((at = next_comment(source, at)) != std::string_view::npos) {
        const bool to_line_end = source[at + 1] == '/';
        std::size_t end = to_line_end ? source.find('\n', at) : source.find("*/", at + 2);
        if (end == std::string_view::npos)
            end = source.size();
        else if (!to_line_end)
            end += 2;
        for (; at < end; ++at)
            if (out[at] != '\n' && out[at] != '\r') out[at] = ' ';
    }
    return out;
}

std::optional<std::size_t> find_first_comment(std::string_view source) {
    const std::size_t at = next_comment(source, 0);
    if (at == std::string_view::npos) return std::nullopt;
    return at;
}

std::string_view leading_identifier(std::string_view text) {
    std::size_t length = 0;
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    while (length < text.size() && is_part(text[length])) ++length;
    return length > 0 && std::isdigit(static_cast<unsigned char>(text[0])) ? "" : text.substr(0, length);
}

std::vector<Directive> find_directives(std::string_view blanked) {
    std::vector<Directive> directives;
    bool continued = false;  // the previous line ended with a backslash
    for (std::size_t start = 0; start < blanked.size();) {
        const std::size_t end = std::min(blanked.find('\n', start), blanked.size());
        const std::string_view line = blanked.substr(start, end - start);
        const std::size_t hash = line.find_first_not_of(" \t\r\f\v");
        if (!continued && hash != std::string_view::npos && line[hash] == '#') {
            const std::string_view words = trim(line.substr(hash + 1));
            const std::string_view keyword = leading_identifier(words);
            directives.push_back({keyword, trim(words.substr(keyword.size())), start + hash});
        }
        continued = trim(line).ends_with('\\');
        start = end + 1;
    }
    return directives;
}

}  // namespace kwb
