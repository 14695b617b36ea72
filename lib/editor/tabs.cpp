#include "editor/tabs.hpp"

#include <algorithm>

#include "editor/utf8.hpp"

namespace kwb::editor {
namespace {

bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u;
}

std::size_t next_stop(std::size_t cell) {
    return cell / kTabWidth * kTabWidth + kTabWidth;
}

}  // namespace

std::size_t cell_of_column(std::string_view line, std::size_t column) {
    std::size_t cell = 0;
    for (const char byte : line) {
        if (!begins_character(byte)) continue;
        if (column-- == 0) break;
        cell = byte == '\t' ? next_stop(cell) : cell + 1;
    }
    return cell;
}

std::size_t column_of_cell(std::string_view line, std::size_t cell) {
    std::size_t at = 0, column = 0;
    for (const char byte : line) {
        if (!begins_character(byte)) continue;
        const std::size_t behind = byte == '\t' ? next_stop(at) : at + 1;
        if (2 * cell < at + behind) break;
        at = behind;
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
        if (begins_character(byte)) ++cell;
    }
    return shown;
}

std::size_t blank_prefix(std::string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

}  // namespace kwb::editor
