// SPDX-License-Identifier: Apache-2.0
#include "editor/columns.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kwb::editor {

CleanText clean_text(std::string_view bytes) {
    CleanText clean;
    const std::string valid = to_utf8(bytes);
    clean.replaced_bytes = (valid.size() - bytes.size()) / 2;  // U+FFFD has three bytes: two more each
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
    for (const char byte : utf8) count += starts_code_point(byte) ? 1 : 0;
    return count;
}

std::size_t byte_of_column(std::string_view line, std::size_t column) {
    for (std::size_t byte = 0; byte < line.size(); ++byte) {
        if (!starts_code_point(line[byte])) continue;
        if (column == 0) return byte;
        --column;
    }
    return line.size();
}

std::size_t column_of_byte(std::string_view line, std::size_t byte) {
    return count_code_points(line.substr(0, byte));
}

Position end_of_text(Position at, std::string_view text) {
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

namespace {

std::size_t next_stop(std::size_t cell) {
    return cell / kTabWidth * kTabWidth + kTabWidth;
}

}  // namespace

std::size_t cell_of_column(std::string_view line, std::size_t column) {
    std::size_t cell = 0;
    for (const char byte : line) {
        if (!starts_code_point(byte)) continue;
        if (column-- == 0) break;
        cell = byte == '\t' ? next_stop(cell) : cell + 1;
    }
    return cell;
}

std::size_t column_of_cell(std::string_view line, std::size_t cell) {
    std::size_t at = 0, column = 0;
    for (const char byte : line) {
        if (!starts_code_point(byte)) continue;
        const std::size_t end = byte == '\t' ? next_stop(at) : at + 1;
        if (2 * cell < at + end) break;
        at = end;
        ++column;
    }
    return column;
}

std::size_t cells_of(std::string_view line) {
    return cell_of_column(line, line.size());
}

std::string without_tabs(std::string_view line) {
    std::string shown;
    std::size_t cell = 0;
    for (const char byte : line) {
        if (byte == '\t') {
            shown.append(next_stop(cell) - cell, ' ');
            cell = next_stop(cell);
            continue;
        }
        shown += byte;
        if (starts_code_point(byte)) ++cell;
    }
    return shown;
}

std::size_t blank_prefix(std::string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

}  // namespace kwb::editor
