#include "editor/utf8.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kwb::editor {
namespace {

bool continues(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

bool needs_no_cleaning(std::string_view bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](char byte) {
        return static_cast<unsigned char>(byte) < 0x80 && byte != '\r' && byte != '\0';
    });
}

}  // namespace

CleanText clean_text(std::string_view bytes) {
    CleanText clean;
    if (needs_no_cleaning(bytes)) {
        clean.text = bytes;
        return clean;
    }
    const std::string valid = to_utf8(bytes);
    clean.replaced_bytes = (valid.size() - bytes.size()) / 2;  // U+FFFD takes three bytes
    clean.text.reserve(valid.size());
    std::size_t lf = 0;
    std::size_t crlf = 0;
    std::size_t cr = 0;
    for (std::size_t i = 0; i < valid.size(); ++i) {
        switch (valid[i]) {
            case '\r':
                clean.text += '\n';
                if (i + 1 < valid.size() && valid[i + 1] == '\n') {
                    ++crlf;
                    ++i;
                } else {
                    ++cr;
                }
                break;
            case '\0':
                clean.text += "\xEF\xBF\xBD";
                ++clean.replaced_bytes;
                break;
            case '\n':
                ++lf;
                [[fallthrough]];
            default:
                clean.text += valid[i];
        }
    }
    clean.crlf = crlf > lf + cr;
    clean.mixed_line_ends = cr > 0 || (crlf > 0 && lf > 0);
    return clean;
}

std::size_t count_code_points(std::string_view utf8) {
    std::size_t count = 0;
    for (const char byte : utf8) count += continues(byte) ? 0 : 1;
    return count;
}

std::size_t byte_of_column(std::string_view line, std::size_t column) {
    for (std::size_t byte = 0; byte < line.size(); ++byte) {
        if (continues(line[byte])) continue;
        if (column == 0) return byte;
        --column;
    }
    return line.size();
}

std::size_t column_of_byte(std::string_view line, std::size_t byte) {
    return count_code_points(line.substr(0, byte));
}

Position place_behind(Position at, std::string_view text) {
    const std::size_t last = text.rfind('\n');
    if (last == std::string_view::npos) return {at.line, at.column + count_code_points(text)};
    const auto breaks = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    return {at.line + breaks, count_code_points(text.substr(last + 1))};
}

CharClass char_class(char byte) {
    if (byte == ' ' || byte == '\t' || byte == '\f' || byte == '\v') return CharClass::Blank;
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    const bool digit = byte >= '0' && byte <= '9';
    if (letter || digit || byte == '_' || static_cast<unsigned char>(byte) >= 0x80) return CharClass::Word;
    return CharClass::Punctuation;
}

}  // namespace kwb::editor
