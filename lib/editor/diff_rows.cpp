// SPDX-License-Identifier: Apache-2.0
// Builds the rows of the side-by-side view: pairs lines, and finds the differences within paired lines.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "editor/columns.hpp"
#include "editor/diff.hpp"

namespace kwb::editor {
namespace {

/// A line as words, runs of whitespace, and single punctuation characters.
struct Tokens {
    std::vector<std::string> texts;
    std::vector<std::size_t> begins;  ///< columns, and the length of the line

    explicit Tokens(std::string_view line) {
        std::size_t column = 0;
        while (!line.empty()) {
            const CharClass kind = char_class(line[0]);
            std::size_t end = 1;
            if (kind != CharClass::Punctuation)
                while (end < line.size() && char_class(line[end]) == kind) ++end;
            begins.push_back(column);
            texts.emplace_back(line.substr(0, end));
            column += count_code_points(texts.back());
            line.remove_prefix(end);
        }
        begins.push_back(column);
    }
};

}  // namespace

ColumnChanges diff_columns(std::string_view left, std::string_view right) {
    constexpr std::size_t kMostTokenEdits = 100;
    const Tokens a(left), b(right);
    ColumnChanges changes;
    for (const DiffHunk& hunk : diff_lines(a.texts, b.texts, kMostTokenEdits)) {
        if (hunk.removed > 0)
            changes.left.push_back({a.begins[hunk.left], a.begins[hunk.left + hunk.removed]});
        if (hunk.added > 0)
            changes.right.push_back({b.begins[hunk.right], b.begins[hunk.right + hunk.added]});
    }
    return changes;
}

namespace {

using Lines = std::span<const std::string>;

/// Limit on the pairs of lines compared for a whole view. Above it, lines are paired in order.
constexpr std::size_t kMostLinePairs = 40'000;

/// Limit on the length of the changed lines of a whole view. Above it, a row does not show where its lines
/// differ.
constexpr std::size_t kMostChangedBytes = std::size_t{1} << 20;

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

using LinePairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// The increasing sequence of pairs with the largest sum of similarities, by dynamic programming from the
/// end.
LinePairs most_alike(Lines left, Lines right, const DiffHunk& hunk) {
    std::vector<Fingerprint> a, b;
    for (const std::string& line : left.subspan(hunk.left, hunk.removed)) a.push_back(fingerprint(line));
    for (const std::string& line : right.subspan(hunk.right, hunk.added)) b.push_back(fingerprint(line));
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
    LinePairs pairs;
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

/// The lines of a hunk that are shown next to each other.
/// @param budget  how many pairs of lines may still be compared; reduced by those of this hunk
LinePairs pair_lines(Lines left, Lines right, const DiffHunk& hunk, std::size_t& budget) {
    const std::size_t fewer = std::min(hunk.removed, hunk.added);
    if (fewer == 0) return {};
    const auto is_blank = [](const std::string& line) { return blank_prefix(line) == line.size(); };
    const bool lone = hunk.removed == 1 && hunk.added == 1;
    if (lone && (is_blank(left[hunk.left]) || is_blank(right[hunk.right]))) return {};
    const bool too_many = hunk.removed > budget / hunk.added;
    if (lone || too_many) {
        LinePairs in_order;
        for (std::size_t i = 0; i < fewer; ++i) in_order.emplace_back(hunk.left + i, hunk.right + i);
        return in_order;
    }
    budget -= hunk.removed * hunk.added;
    return most_alike(left, right, hunk);
}

}  // namespace

std::vector<DiffRow> diff_side_by_side(Lines left, Lines right, std::size_t most_edits) {
    std::vector<DiffRow> rows;
    std::size_t i = 0, j = 0;  // the next lines
    std::size_t bytes = 0;
    const auto add_pair = [&] {
        // A coarse diff may have missed that two lines are equal.
        const DiffKind kind = left[i] == right[j] ? DiffKind::Same : DiffKind::Changed;
        ColumnChanges changes;
        if (kind == DiffKind::Changed && (bytes += left[i].size() + right[j].size()) <= kMostChangedBytes)
            changes = diff_columns(left[i], right[j]);
        rows.push_back({kind, i++, j++, std::move(changes.left), std::move(changes.right)});
    };
    const auto add_lone_until = [&](std::size_t left_end, std::size_t right_end) {
        for (; i < left_end; ++i) rows.push_back({DiffKind::Removed, i, {}, {}, {}});
        for (; j < right_end; ++j) rows.push_back({DiffKind::Added, {}, j, {}, {}});
    };
    std::size_t budget = kMostLinePairs;
    for (const DiffHunk& hunk : diff_lines(left, right, most_edits)) {
        while (i < hunk.left) add_pair();
        for (const auto& [paired_left, paired_right] : pair_lines(left, right, hunk, budget)) {
            add_lone_until(paired_left, paired_right);
            add_pair();
        }
        add_lone_until(hunk.left + hunk.removed, hunk.right + hunk.added);
    }
    while (i < left.size()) add_pair();
    return rows;
}

}  // namespace kwb::editor
