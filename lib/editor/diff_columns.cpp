// Where two lines differ: word by word.
#include <algorithm>
#include <cstdint>

#include "editor/diff.hpp"
#include "editor/utf8.hpp"

namespace kwb::editor {
namespace {

struct Token {
    std::string_view text;
    std::size_t begin;  ///< column
    std::size_t end;
};

/// Words and runs of blanks; each other character alone.
std::vector<Token> tokens_of(std::string_view line) {
    std::vector<Token> tokens;
    std::size_t column = 0;
    for (std::size_t byte = 0; byte < line.size();) {
        const CharClass kind = char_class(line[byte]);
        std::size_t end = byte + 1;
        if (kind != CharClass::Punctuation)
            while (end < line.size() && char_class(line[end]) == kind) ++end;
        const std::string_view text = line.substr(byte, end - byte);
        const std::size_t behind = column + count_code_points(text);
        tokens.push_back({text, column, behind});
        column = behind;
        byte = end;
    }
    return tokens;
}

/// Mark the tokens that belong to no longest common subsequence, by the usual table.
void mark_changed(std::span<const Token> left, std::span<const Token> right, std::vector<bool>& left_changed,
                  std::vector<bool>& right_changed, std::size_t first) {
    const std::size_t width = right.size() + 1;
    std::vector<std::uint16_t> longest((left.size() + 1) * width);  // of the tokens from (i, j) on
    for (std::size_t i = left.size(); i-- > 0;)
        for (std::size_t j = right.size(); j-- > 0;)
            longest[i * width + j] = left[i].text == right[j].text
                                         ? static_cast<std::uint16_t>(longest[(i + 1) * width + j + 1] + 1)
                                         : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < left.size() || j < right.size()) {
        if (i < left.size() && j < right.size() && left[i].text == right[j].text) {
            ++i;
            ++j;
        } else if (j == right.size() ||
                   (i < left.size() && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
            left_changed[first + i++] = true;
        } else {
            right_changed[first + j++] = true;
        }
    }
}

std::vector<ColumnRange> ranges_of(const std::vector<Token>& tokens, const std::vector<bool>& changed) {
    std::vector<ColumnRange> ranges;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!changed[i]) continue;
        if (!ranges.empty() && ranges.back().end == tokens[i].begin)
            ranges.back().end = tokens[i].end;
        else
            ranges.push_back({tokens[i].begin, tokens[i].end});
    }
    return ranges;
}

}  // namespace

ColumnChanges diff_columns(std::string_view left, std::string_view right, std::size_t most_cells) {
    const std::vector<Token> a = tokens_of(left);
    const std::vector<Token> b = tokens_of(right);
    std::size_t first = 0;
    while (first < a.size() && first < b.size() && a[first].text == b[first].text) ++first;
    std::size_t last = 0;
    while (last < a.size() - first && last < b.size() - first &&
           a[a.size() - last - 1].text == b[b.size() - last - 1].text)
        ++last;
    const std::size_t a_count = a.size() - first - last;
    const std::size_t b_count = b.size() - first - last;

    std::vector<bool> a_changed(a.size());
    std::vector<bool> b_changed(b.size());
    constexpr std::size_t kMostTokens = 10'000;  // counts fit in 16 bits
    const bool small = a_count < kMostTokens && b_count < kMostTokens && a_count * b_count <= most_cells;
    if (small && a_count > 0 && b_count > 0) {
        mark_changed(std::span(a).subspan(first, a_count), std::span(b).subspan(first, b_count), a_changed,
                     b_changed, first);
    } else {
        std::fill_n(a_changed.begin() + static_cast<std::ptrdiff_t>(first), a_count, true);
        std::fill_n(b_changed.begin() + static_cast<std::ptrdiff_t>(first), b_count, true);
    }
    return {ranges_of(a, a_changed), ranges_of(b, b_changed)};
}

}  // namespace kwb::editor
