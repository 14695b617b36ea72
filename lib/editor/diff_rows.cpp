// Rows of the side-by-side view: which line stands beside which.
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "editor/diff.hpp"
#include "editor/utf8.hpp"

namespace kwb::editor {
namespace {

using Lines = std::span<const std::string>;

/// Bounds on the work for a whole view: beyond, lines are paired in order and only the ends of pairs
/// compared.
constexpr std::size_t kMostLinePairs = 40'000;
constexpr std::size_t kMostTokenPairs = 500'000;
constexpr std::size_t kMostTokenPairsOfLine = 20'000;

/// Of 1000: below, two lines are strangers. Chosen by eye: a renamed variable stays above, another statement
/// of the same kind below.
constexpr std::uint32_t kAlike = 400;

/// How often each pair of neighbouring characters occurs, blanks left out, hashed into few counters.
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

/// Dice's coefficient, 0 .. 1000.
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
        if (left_[left] == right_[right]) return add_same(left, right);  // a coarse diff overlooked it
        const std::size_t most = std::min(token_pairs_, kMostTokenPairsOfLine);
        ColumnChanges changes = diff_columns(left_[left], right_[right], most);
        // An estimate: three characters a token.
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

    /// The ascending pairs whose likenesses add up to most, by dynamic programming from the end.
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
