// SPDX-License-Identifier: Apache-2.0
#include "report/text_layout.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

struct LetterBlock {
    std::uint32_t first;
    std::uint32_t last;
};

constexpr std::array<LetterBlock, 5> kZeroWidth = {
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}}};
constexpr std::array<LetterBlock, 8> kDoubleWidth = {{{0x1100, 0x115F},
                                                      {0x2E80, 0xA4CF},
                                                      {0xAC00, 0xD7A3},
                                                      {0xF900, 0xFAFF},
                                                      {0xFE30, 0xFE6F},
                                                      {0xFF00, 0xFF60},
                                                      {0x1F300, 0x1F64F},
                                                      {0x1F900, 0x1F9FF}}};

template <std::size_t N>
bool lies_in(const std::array<LetterBlock, N>& blocks, std::uint32_t letter) {
    return std::any_of(blocks.begin(), blocks.end(), [letter](const LetterBlock& block) {
        return letter >= block.first && letter <= block.last;
    });
}

/// One character or colour sequence.
struct Piece {
    std::size_t bytes;
    std::size_t columns;
};

Piece piece_at(std::string_view text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead == 0x1B && text.substr(at, 2) == "\x1B[") {
        const std::size_t end = text.find('m', at);
        if (end != std::string_view::npos) return {end + 1 - at, 0};
    }
    if (lead < 0x80) return {1, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    std::uint32_t letter = lead & (0xFFu >> (bytes + 1));
    for (std::size_t i = 1; i < bytes && at + i < text.size(); ++i)
        letter = letter << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
    const std::size_t columns = lies_in(kZeroWidth, letter) ? 0 : lies_in(kDoubleWidth, letter) ? 2 : 1;
    return {std::min(bytes, text.size() - at), columns};
}

/// A word in the parts between which a line may break: on both sides of a wide character (Chinese and
/// Japanese have no blanks), but not before closing punctuation nor after opening punctuation.
std::vector<std::string> breakable_parts(std::string_view word) {
    constexpr std::string_view kClosing =
        "\u3001\u3002\uFF0C\uFF1A\uFF1B\uFF1F\uFF01\uFF09\u300D\u300F\u3011\u300B\u201D";
    constexpr std::string_view kOpening = "\uFF08\u300C\u300E\u3010\u300A\u201C";
    std::vector<std::string> parts;
    bool may_break = false;
    for (std::size_t at = 0; at < word.size();) {
        const Piece piece = piece_at(word, at);
        const std::string_view letter = word.substr(at, piece.bytes);
        const bool is_long = letter.size() > 1;
        const bool is_wide = piece.columns == 2;
        const bool is_closing = is_long && kClosing.find(letter) != std::string_view::npos;
        if (parts.empty() || ((may_break || is_wide) && !is_closing && piece.columns > 0))
            parts.emplace_back();
        parts.back() += letter;
        may_break = (is_wide || is_closing) && !(is_long && kOpening.find(letter) != std::string_view::npos);
        at += piece.bytes;
    }
    return parts;
}

/// "   12 | x = ;" or "      |     ^"
bool shows_source(std::string_view line) {
    const std::size_t bar = line.find_first_not_of(" 0123456789");
    return bar != std::string_view::npos && bar > 0 && line[bar] == '|';
}

constexpr std::size_t kGap = 2;  ///< blanks between columns

constexpr std::array<std::string_view, 7> kCodes = {"", "32", "31", "35", "33", "1", "2"};  ///< of each Tone
constexpr std::string_view kCodeOfEnd = "0";

/// Whether paint() writes this code: others, such as 8, hide text.
bool is_of_paint(std::string_view code) {
    return code == kCodeOfEnd || (!code.empty() && std::ranges::find(kCodes, code) != kCodes.end());
}

}  // namespace

std::size_t display_width(std::string_view text) {
    std::size_t columns = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Piece piece = piece_at(text, at);
        columns += piece.columns;
        at += piece.bytes;
    }
    return columns;
}

std::string pad_right(std::string_view text, std::size_t width) {
    const std::size_t used = display_width(text);
    return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string shorten(std::string_view text, std::size_t width, bool unicode) {
    if (display_width(text) <= width) return std::string(text);
    if (width == 0) return "";
    std::size_t columns = 0;
    std::size_t end = 0;
    while (end < text.size()) {
        const Piece piece = piece_at(text, end);
        if (columns + piece.columns > width - 1) break;
        columns += piece.columns;
        end += piece.bytes;
    }
    return std::string(text.substr(0, end)) + (unicode ? "…" : "~");
}

std::string printable_painted(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t next = std::min(text.find('\x1B', 1), text.size());
        const std::string_view piece = text.substr(0, next);
        const std::size_t end = piece.find('m');
        const bool is_painted = piece.starts_with("\x1B[") && end != std::string_view::npos &&
                                is_of_paint(piece.substr(2, end - 2));
        const std::size_t kept = is_painted ? end + 1 : 0;
        out.append(piece, 0, kept).append(printable(piece.substr(kept)));
        text.remove_prefix(next);
    }
    return out;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent) {
    const std::string margin(indent, ' ');
    std::vector<std::string> lines;
    for (const std::string& whole : split_lines(printable(text))) {
        if (shows_source(whole) || display_width(whole) + indent <= width) {
            lines.push_back(trim(whole).empty() ? "" : margin + whole);
            continue;
        }
        // Continuation lines align with the text of the first line.
        const std::string inner =
            margin + std::string(std::min(whole.find_first_not_of(' '), indent + 8), ' ');
        std::string line = inner;
        bool empty = true;
        for (const std::string& word : split(whole, ' ')) {
            std::string_view gap = " ";
            for (const std::string& part : breakable_parts(word)) {
                if (!empty && display_width(line) + gap.size() + display_width(part) > width) {
                    lines.push_back(std::exchange(line, inner));
                    empty = true;
                }
                if (!empty) line += gap;
                line += part;
                empty = false;
                gap = "";
            }
        }
        lines.push_back(line);
    }
    return lines;
}

std::string paragraph(std::string_view text, std::size_t width, std::size_t indent) {
    std::string out;
    for (const std::string& line : wrap(text, width, indent)) out += line + "\n";
    return out;
}

std::string paint(std::string_view text, Tone tone, const TableOptions& options) {
    std::string shown = printable(text);
    if (!options.colour || tone == Tone::Plain || shown.empty()) return shown;
    return "\x1B[" + std::string(kCodes[static_cast<std::size_t>(tone)]) + "m" + shown + "\x1B[" +
           std::string(kCodeOfEnd) + "m";
}

std::string plain_signs(std::string text, const TableOptions& options) {
    if (options.unicode) return text;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSigns = {
        {{"·", "*"}, {"µ", "u"}, {"–", "-"}, {"×", "x"}, {"…", "..."}}};
    for (const auto& [sign, plain] : kSigns)
        for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos; at += plain.size())
            text.replace(at, sign.size(), plain);
    return text;
}

void Grid::add_column(std::string header, Align align, std::vector<Cell> cells) {
    expects(columns_.empty() || cells.size() + 1 == columns_.front().cells.size(),
            "Grid::add_column: a cell for every row");
    cells.insert(cells.begin(), {std::move(header), Tone::Strong});
    std::size_t width = 0;
    for (Cell& cell : cells) {
        cell.text = printable_line(cell.text);
        width = std::max(width, display_width(cell.text));
    }
    columns_.push_back({align, width, std::move(cells)});
}

std::size_t Grid::width() const {
    std::size_t sum = kGap * (columns_.size() - 1);
    for (const Column& column : columns_) sum += column.width;
    return sum;
}

std::size_t Grid::least_width(std::size_t least) const {
    const std::size_t first = columns_.front().width;
    return width() - first + std::min(first, least);
}

void Grid::fit_first_column(std::size_t width_wanted, std::size_t least, bool unicode) {
    Column& first = columns_.front();
    const std::size_t rest = width() - first.width;
    const std::size_t room = std::max(least, width_wanted > rest ? width_wanted - rest : 0);
    if (room >= first.width) return;
    first.width = room;
    for (Cell& cell : first.cells) cell.text = shorten(cell.text, room, unicode);
}

std::string Grid::render_in_parts(std::size_t keys, std::size_t least, const TableOptions& options) const {
    const auto part_of = [&](std::size_t first, std::size_t last) {
        const auto column = [&](std::size_t number) {
            return columns_.begin() + static_cast<std::ptrdiff_t>(number);
        };
        Grid part;
        part.columns_.assign(columns_.begin(), column(keys));
        part.columns_.insert(part.columns_.end(), column(first), column(last));
        return part;
    };
    std::string text;
    for (std::size_t first = keys; first < columns_.size();) {
        std::size_t last = first + 1;
        while (last < columns_.size() && part_of(first, last + 1).width() <= options.width) ++last;
        Grid part = part_of(first, last);
        part.fit_first_column(options.width, least, options.unicode);
        text += (first == keys ? "" : "\n") + part.render(options);
        first = last;
    }
    return text;
}

std::string Grid::render(const TableOptions& options) const {
    std::string text;
    for (std::size_t row = 0; row < columns_.front().cells.size(); ++row) {
        std::size_t pending = 0;  // blanks, written only if another cell follows
        for (const auto& [align, width, cells] : columns_) {
            const std::size_t used = display_width(cells[row].text);
            const std::size_t spare = width - std::min(used, width);
            if (align == Align::Right) pending += spare;
            if (used > 0) {
                text += std::string(pending, ' ') + paint(cells[row].text, cells[row].tone, options);
                pending = 0;
            }
            pending += (align == Align::Right ? 0 : spare) + kGap;
        }
        text += "\n";
    }
    return text;
}

}  // namespace kwb
