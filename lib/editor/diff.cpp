// SPDX-License-Identifier: Apache-2.0
// Finds the lines that differ.
#include "editor/diff.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace kwb::editor {
namespace {

using Lines = std::span<const std::string>;

/// Line `left` of the left text equals line `right` of the right text.
struct Match {
    std::size_t left;
    std::size_t right;
};
using Matches = std::vector<Match>;

/// A line that occurs in both texts; lines with the same content have the same content number.
struct KnownLine {
    std::size_t index;
    std::size_t content;
};

/// The lines that occur in both texts, and how often they occur in each.
struct Common {
    std::vector<KnownLine> left;
    std::vector<KnownLine> right;
    std::vector<std::pair<std::size_t, std::size_t>> counts;  ///< in the left and right text, by content
};

/// @param first  lines before it are equal and ignored, as are the lines from left_end and right_end on
Common find_common(Lines left, Lines right, std::size_t first, std::size_t left_end, std::size_t right_end) {
    std::unordered_map<std::string_view, std::size_t> contents;
    contents.reserve(left_end - first + right_end - first);
    Common common;
    const auto content_of = [&](const std::string& line) {
        const auto [found, is_new] = contents.try_emplace(line, contents.size());
        if (is_new) common.counts.emplace_back();
        return found->second;
    };
    for (std::size_t i = first; i < left_end; ++i) {
        common.left.push_back({i, content_of(left[i])});
        ++common.counts[common.left.back().content].first;
    }
    for (std::size_t i = first; i < right_end; ++i) {
        common.right.push_back({i, content_of(right[i])});
        ++common.counts[common.right.back().content].second;
    }
    const auto alone = [&](const KnownLine& line) {
        const auto& [in_left, in_right] = common.counts[line.content];
        return in_left == 0 || in_right == 0;
    };
    std::erase_if(common.left, alone);
    std::erase_if(common.right, alone);
    return common;
}

/// The greedy algorithm of Myers' figure 2.
/// @return  empty if more than `most_edits` insertions and deletions are needed
std::optional<Matches> shortest_edit(const std::vector<KnownLine>& a, const std::vector<KnownLine>& b,
                                     std::size_t most_edits) {
    using Int = std::ptrdiff_t;
    const Int n = std::ssize(a), m = std::ssize(b);
    const Int most = std::min(n + m, static_cast<Int>(most_edits));
    /// Equal lines [begin, end) of `a` on one diagonal, and the run before them on the same path, or -1.
    struct Run {
        Int begin, end, diagonal, before;
    };
    /// The path that reaches furthest on a diagonal: its position in `a`, and its last run.
    struct Path {
        Int x = 0, run = -1;
    };
    std::vector<Run> runs;
    std::vector<Path> furthest(static_cast<std::size_t>(2 * most + 3));
    const auto on = [&](Int diagonal) -> Path& {
        return furthest[static_cast<std::size_t>(diagonal + most + 1)];
    };
    for (Int edits = 0; edits <= most; ++edits)
        for (Int k = -edits; k <= edits; k += 2) {
            const bool inserts = k == -edits || (k != edits && on(k - 1).x < on(k + 1).x);
            Path path = on(inserts ? k + 1 : k - 1);
            if (!inserts) ++path.x;
            const Int begin = path.x;
            while (path.x < n && path.x - k < m &&
                   a[static_cast<std::size_t>(path.x)].content ==
                       b[static_cast<std::size_t>(path.x - k)].content)
                ++path.x;
            if (path.x > begin) {
                runs.push_back({begin, path.x, k, path.run});
                path.run = std::ssize(runs) - 1;
            }
            on(k) = path;
            if (path.x != n || path.x - k != m) continue;
            Matches matches;
            for (Int at = path.run; at >= 0; at = runs[static_cast<std::size_t>(at)].before) {
                const Run& run = runs[static_cast<std::size_t>(at)];
                for (Int x = run.end; x-- > run.begin;)
                    matches.push_back({a[static_cast<std::size_t>(x)].index,
                                       b[static_cast<std::size_t>(x - run.diagonal)].index});
            }
            std::ranges::reverse(matches);
            return matches;
        }
    return std::nullopt;
}

/// The longest increasing sequence of lines that are unique in both texts.
Matches match_unique_lines(const Common& common) {
    std::vector<std::size_t> right_of(common.counts.size());
    for (const KnownLine& line : common.right) right_of[line.content] = line.index;
    Matches unique;
    for (const KnownLine& line : common.left)
        if (common.counts[line.content] == std::pair<std::size_t, std::size_t>{1, 1})
            unique.push_back({line.index, right_of[line.content]});

    // Patience sorting: ends[i] is the last element of the increasing sequence of length i + 1 with the
    // smallest last element.
    std::vector<std::size_t> ends;
    std::vector<std::size_t> before(unique.size());
    for (std::size_t i = 0; i < unique.size(); ++i) {
        const auto place =
            std::lower_bound(ends.begin(), ends.end(), unique[i].right,
                             [&](std::size_t end, std::size_t right) { return unique[end].right < right; });
        before[i] = place == ends.begin() ? unique.size() : *(place - 1);
        if (place == ends.end())
            ends.push_back(i);
        else
            *place = i;
    }
    Matches matches;
    for (std::size_t i = ends.empty() ? unique.size() : ends.back(); i < unique.size(); i = before[i])
        matches.push_back(unique[i]);
    std::reverse(matches.begin(), matches.end());
    return matches;
}

/// Extend the matches to equal lines directly before and after them.
Matches grow(const Matches& seeds, Lines left, Lines right, std::size_t first, std::size_t left_end,
             std::size_t right_end) {
    Matches grown;
    std::size_t i = first;
    std::size_t j = first;
    const auto close_gap = [&](std::size_t left_stop, std::size_t right_stop) {
        while (i < left_stop && j < right_stop && left[i] == right[j]) grown.push_back({i++, j++});
        std::size_t common = 0;
        while (left_stop - common > i && right_stop - common > j &&
               left[left_stop - common - 1] == right[right_stop - common - 1])
            ++common;
        for (; common > 0; --common) grown.push_back({left_stop - common, right_stop - common});
    };
    for (const Match& seed : seeds) {
        close_gap(seed.left, seed.right);
        grown.push_back(seed);
        i = seed.left + 1;
        j = seed.right + 1;
    }
    close_gap(left_end, right_end);
    return grown;
}

/// A hunk that only inserts or only removes lines can often be shifted without changing the result. Shift it
/// down as far as possible, so that a closing brace stays with its function.
void slide_down(std::vector<DiffHunk>& hunks, Lines left, Lines right) {
    for (std::size_t i = 0; i < hunks.size(); ++i) {
        DiffHunk& hunk = hunks[i];
        if (hunk.removed > 0 && hunk.added > 0) continue;
        const Lines side = hunk.added > 0 ? right : left;
        std::size_t& begin = hunk.added > 0 ? hunk.right : hunk.left;
        std::size_t& other = hunk.added > 0 ? hunk.left : hunk.right;
        const std::size_t size = hunk.added + hunk.removed;
        // Leave at least one equal line before the next hunk.
        const std::size_t stop = i + 1 == hunks.size()
                                     ? side.size()
                                     : (hunk.added > 0 ? hunks[i + 1].right : hunks[i + 1].left) - 1;
        while (begin + size < stop && side[begin] == side[begin + size]) {
            ++begin;
            ++other;
        }
    }
}

}  // namespace

std::vector<DiffHunk> diff_lines(Lines left, Lines right, std::size_t most_edits) {
    std::size_t first = 0;
    while (first < left.size() && first < right.size() && left[first] == right[first]) ++first;
    std::size_t left_end = left.size();
    std::size_t right_end = right.size();
    while (left_end > first && right_end > first && left[left_end - 1] == right[right_end - 1]) {
        --left_end;
        --right_end;
    }

    Matches matches;
    if (left_end > first && right_end > first) {
        const Common common = find_common(left, right, first, left_end, right_end);
        if (auto shortest = shortest_edit(common.left, common.right, most_edits))
            matches = std::move(*shortest);
        else
            matches = grow(match_unique_lines(common), left, right, first, left_end, right_end);
    }

    // The hunks are the gaps between matches.
    std::vector<DiffHunk> hunks;
    matches.push_back({left_end, right_end});
    std::size_t i = first;
    std::size_t j = first;
    for (const Match& match : matches) {
        if (match.left > i || match.right > j) hunks.push_back({i, match.left - i, j, match.right - j});
        i = match.left + 1;
        j = match.right + 1;
    }
    slide_down(hunks, left, right);
    return hunks;
}

}  // namespace kwb::editor
