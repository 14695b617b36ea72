// Builds the rows of the side-by-side view: pairs lines, and finds the differences within paired lines.
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "editor/columns.hpp"
#include "editor/diff.hpp"

namespace kwb::editor {
namespace {

struct Token {
    std::string_view text;
    std::size_t begin;  ///< column
    std::size_t end;
};

/// A line as words, runs of whitespace, and single punctuation characters.
std::vector<Token> tokens_of(std::string_view line) {
    std::vector<Token> tokens;
    std::size_t column = 0;
    for (std::size_t byte = 0; byte < line.size();) {
        const CharClass kind = char_class(line[byte]);
        std::size_t end = byte + 1;
        if (kind != CharClass::Punctuation)
            while (end < line.size() && char_class(line[end]) == kind) ++end;
        const std::string_view text = line.substr(byte, end - byte);
        const std::size_t column_after = column + count_code_points(text);
        tokens.push_back({text, column, column_after});
        column = column_after;
        byte = end;
    }
    return tokens;
}

/// Mark the tokens that are not part of a longest common subsequence, found by dynamic programming.
void mark_changed(std::span<const Token> left, std::span<const Token> right, std::vector<bool>& left_changed,
                  std::vector<bool>& right_changed, std::size_t first) {
    const std::size_t width = right.size() + 1;
    std::vector<std::uint16_t> longest((left.size() + 1) * width);  // length for the tokens from (i, j) on
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

namespace {

using Lines = std::span<const std::string>;

/// Limits on the work for a whole view. Above them, lines are paired in order, and paired lines are compared
/// only at their beginnings and ends.
constexpr std::size_t kMostLinePairs = 40'000;
constexpr std::size_t kMostTokenPairs = 500'000;
constexpr std::size_t kMostTokenPairsOfLine = 20'000;

/// In thousandths: the least similarity of two lines that are paired. Chosen by trial: a line with a renamed
/// variable is above it, a different statement of the same kind below.
constexpr std::uint32_t kAlike = 400;

/// The number of occurrences of each pair of adjacent characters, ignoring whitespace, hashed into a few
/// counters.
struct Fingerprint {
    std::array<std::uint8_t, 128> counts{};
    std::uint32_t total = 0;
};

Fingerprint fingerprint(std::string_view line) {
    Fingerprint print;
    unsigned before = 0;
    for (const char c : line) {
        if (char_class(c) == CharClass::Blank) continue;
        const auto byte = static_cast<unsigned char>(c);
        std::uint8_t& count = print.counts[(before * 31u + byte) % print.counts.size()];
        if (count < 255) {
            ++count;
            ++print.total;
        }
        before = byte;
    }
    return print;
}

/// Dice's coefficient in thousandths, 0 .. 1000.
std::uint32_t likeness(const Fingerprint& a, const Fingerprint& b) {
    if (a.total + b.total == 0) return 0;
    std::uint32_t common = 0;
    for (std::size_t i = 0; i < a.counts.size(); ++i) common += std::min(a.counts[i], b.counts[i]);
    return 2000 * common / (a.total + b.total);
}

class RowMaker {
public:
    RowMaker(Lines left, Lines right) : left_(left), right_(right) {
        rows_.reserve(std::max(left.size(), right.size()));
    }

    void add_same(std::size_t left, std::size_t right) {
        rows_.push_back({DiffKind::Same, left, right, {}, {}});
    }

    void add_hunk(const DiffHunk& hunk) {
        std::size_t i = hunk.left;
        std::size_t j = hunk.right;
        for (const auto& [left, right] : pairs_of(hunk)) {
            add_lone(i, left, j, right);
            add_pair(left, right);
            i = left + 1;
            j = right + 1;
        }
        add_lone(i, hunk.left + hunk.removed, j, hunk.right + hunk.added);
    }

    std::vector<DiffRow> take() { return std::move(rows_); }

private:
    using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

    void add_lone(std::size_t i, std::size_t left_end, std::size_t j, std::size_t right_end) {
        for (; i < left_end; ++i) rows_.push_back({DiffKind::Removed, i, {}, {}, {}});
        for (; j < right_end; ++j) rows_.push_back({DiffKind::Added, {}, j, {}, {}});
    }

    void add_pair(std::size_t left, std::size_t right) {
        if (left_[left] == right_[right]) return add_same(left, right);  // a coarse diff missed this match
        const std::size_t most = std::min(token_pairs_, kMostTokenPairsOfLine);
        ColumnChanges changes = diff_columns(left_[left], right_[right], most);
        // Estimated at three characters per token.
        token_pairs_ -= std::min(most, left_[left].size() * right_[right].size() / 9);
        rows_.push_back({DiffKind::Changed, left, right, std::move(changes.left), std::move(changes.right)});
    }

    Pairs pairs_of(const DiffHunk& hunk) {
        if (hunk.removed == 0 || hunk.added == 0) return {};
        if (hunk.removed == 1 && hunk.added == 1) {
            const auto blank = [](const std::string& line) {
                return line.find_first_not_of(" \t") == line.npos;
            };
            if (blank(left_[hunk.left]) || blank(right_[hunk.right])) return {};
            return {{hunk.left, hunk.right}};
        }
        if (hunk.removed * hunk.added > line_pairs_ || hunk.removed > kMostLinePairs) {
            Pairs in_order;
            for (std::size_t i = 0; i < std::min(hunk.removed, hunk.added); ++i)
                in_order.emplace_back(hunk.left + i, hunk.right + i);
            return in_order;
        }
        line_pairs_ -= hunk.removed * hunk.added;
        return most_alike(hunk);
    }

    /// The increasing sequence of pairs with the largest sum of similarities, by dynamic programming from the
    /// end.
    Pairs most_alike(const DiffHunk& hunk) const {
        std::vector<Fingerprint> a;
        std::vector<Fingerprint> b;
        for (std::size_t i = 0; i < hunk.removed; ++i) a.push_back(fingerprint(left_[hunk.left + i]));
        for (std::size_t j = 0; j < hunk.added; ++j) b.push_back(fingerprint(right_[hunk.right + j]));
        const std::size_t width = b.size() + 1;
        std::vector<std::uint32_t> best((a.size() + 1) * width);
        std::vector<bool> paired((a.size() + 1) * width);
        for (std::size_t i = a.size(); i-- > 0;)
            for (std::size_t j = b.size(); j-- > 0;) {
                const std::size_t at = i * width + j;
                best[at] = std::max(best[at + width], best[at + 1]);
                const std::uint32_t alike = likeness(a[i], b[j]);
                if (alike < kAlike || best[at + width + 1] + alike <= best[at]) continue;
                best[at] = best[at + width + 1] + alike;
                paired[at] = true;
            }
        Pairs pairs;
        for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
            const std::size_t at = i * width + j;
            if (paired[at])
                pairs.emplace_back(hunk.left + i++, hunk.right + j++);
            else if (best[at + width] >= best[at + 1])
                ++i;
            else
                ++j;
        }
        return pairs;
    }

    Lines left_;
    Lines right_;
    std::vector<DiffRow> rows_;
    std::size_t line_pairs_ = kMostLinePairs;
    std::size_t token_pairs_ = kMostTokenPairs;
};

}  // namespace

std::vector<DiffRow> diff_rows(Lines left, Lines right, const LineDiff& diff) {
    RowMaker maker(left, right);
    std::size_t i = 0;
    std::size_t j = 0;
    for (const DiffHunk& hunk : diff.hunks) {
        for (; i < hunk.left; ++i, ++j) maker.add_same(i, j);
        maker.add_hunk(hunk);
        i = hunk.left + hunk.removed;
        j = hunk.right + hunk.added;
    }
    for (; i < left.size(); ++i, ++j) maker.add_same(i, j);
    return maker.take();
}

std::vector<DiffRow> diff_side_by_side(Lines left, Lines right) {
    return diff_rows(left, right, diff_lines(left, right));
}

}  // namespace kwb::editor
