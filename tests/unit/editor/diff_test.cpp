// SPDX-License-Identifier: Apache-2.0
#include "editor/diff.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support.hpp"

namespace kwb::editor {
namespace {

using test::Chance;
using test::lines_of;
using Lines = std::vector<std::string>;

/// Reconstruct the right text from the left one and the hunks; the lines between hunks must be equal.
Lines apply(const Lines& left, const Lines& right, const std::vector<DiffHunk>& diff) {
    Lines made;
    std::size_t i = 0;
    for (const DiffHunk& hunk : diff) {
        if (&hunk != &diff.front()) REQUIRE(hunk.left > i);  // at least one equal line between hunks
        while (i < hunk.left) made.push_back(left.at(i++));
        REQUIRE(made.size() == hunk.right);
        for (std::size_t j = 0; j < hunk.added; ++j) made.push_back(right.at(hunk.right + j));
        i += hunk.removed;
    }
    while (i < left.size()) made.push_back(left.at(i++));
    return made;
}

std::size_t edits(const std::vector<DiffHunk>& diff) {
    std::size_t count = 0;
    for (const DiffHunk& hunk : diff) count += hunk.removed + hunk.added;
    return count;
}

/// Length of a shortest edit script, from the textbook's table of common subsequences.
std::size_t fewest_edits(const Lines& a, const Lines& b) {
    std::vector<std::vector<std::size_t>> common(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t j = b.size(); j-- > 0;)
            common[i][j] =
                a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    return a.size() + b.size() - 2 * common[0][0];
}

/// Check that every line of both sides appears once and in order, with equal lines in the same row.
void check_rows(const Lines& left, const Lines& right, const std::vector<DiffRow>& rows) {
    std::size_t i = 0;
    std::size_t j = 0;
    for (const DiffRow& row : rows) {
        REQUIRE(row.left.has_value() == (row.kind != DiffKind::Added));
        REQUIRE(row.right.has_value() == (row.kind != DiffKind::Removed));
        if (row.left) REQUIRE(*row.left == i++);
        if (row.right) REQUIRE(*row.right == j++);
        if (row.left && row.right)
            REQUIRE((row.kind == DiffKind::Same) == (left.at(*row.left) == right.at(*row.right)));
    }
    REQUIRE(i == left.size());
    REQUIRE(j == right.size());
}

std::string kinds(const std::vector<DiffRow>& rows) {
    std::string out;
    for (const DiffRow& row : rows) out += "=~+-"[static_cast<std::size_t>(row.kind)];
    return out;
}

TEST_CASE("any two texts are reproduced, by a shortest script, and in rows") {
    const std::string alphabet = "abcde";
    for (unsigned seed = 0; seed < 3000; ++seed) {
        Chance chance(seed);
        const std::size_t letters = 1 + chance.below(5);
        Lines left(chance.below(14));
        Lines right(chance.below(14));
        for (Lines* side : {&left, &right})
            for (std::string& line : *side) line = std::string(1, alphabet[chance.below(letters)]);
        CAPTURE(seed);
        const std::vector<DiffHunk> diff = diff_lines(left, right);
        REQUIRE(apply(left, right, diff) == right);
        REQUIRE(edits(diff) == fewest_edits(left, right));
        check_rows(left, right, diff_side_by_side(left, right));
        const std::size_t few_edits = chance.below(3);
        REQUIRE(apply(left, right, diff_lines(left, right, few_edits)) == right);
        check_rows(left, right, diff_side_by_side(left, right, few_edits));
    }
}

TEST_CASE("texts that differ too much get a coarser answer that still matches what is unique") {
    Lines left;
    Lines right;
    for (int i = 0; i < 2000; ++i) {
        left.push_back(i % 2 == 0 ? "unique " + std::to_string(i) : (i % 3 == 0 ? "x" : "y"));
        right.push_back(i % 2 == 0 ? "unique " + std::to_string(i) : (i % 3 == 0 ? "y" : "x"));
    }
    const std::vector<DiffHunk> diff = diff_lines(left, right, 100);
    CHECK(apply(left, right, diff) == right);
    CHECK(edits(diff) == 2000);
}

TEST_CASE("equal texts, and empty ones, have no hunks") {
    CHECK(diff_lines(lines_of("a\nb"), lines_of("a\nb")).empty());
    CHECK(diff_lines({}, {}).empty());
    CHECK(diff_lines({}, lines_of("a\nb")) == std::vector<DiffHunk>{{0, 0, 0, 2}});
    CHECK(kinds(diff_side_by_side(lines_of("a\nb"), lines_of("a\nb"))) == "==");
}

TEST_CASE("an inserted function is one block that ends with its own brace") {
    const Lines left = lines_of("f {\n  1\n}\n\nh {\n  3\n}");
    const Lines right = lines_of("f {\n  1\n}\n\ng {\n  2\n}\n\nh {\n  3\n}");
    CHECK(diff_lines(left, right) == std::vector<DiffHunk>{{4, 0, 4, 4}});
    CHECK(diff_lines(right, left) == std::vector<DiffHunk>{{4, 4, 4, 0}});
}

TEST_CASE("lines that resemble each other are paired, others stand alone") {
    const Lines left = lines_of("float sum = 0;\nfor (int k = 0; k < K; ++k)\nreturn;");
    const Lines right =
        lines_of("int lx = get_local_id(0);\nfloat sum = 0.0f;\nfor (int k = 0; k < TILE; ++k)\nreturn;");
    CHECK(kinds(diff_side_by_side(left, right)) == "+~~=");
    CHECK(kinds(diff_side_by_side(lines_of("a = 1;"), lines_of("xyz(7)"))) == "~");  // a changed line
    CHECK(kinds(diff_side_by_side(lines_of("a\n\nb"), lines_of("a\nnew\nb"))) == "=-+=");
}

TEST_CASE("of a changed pair the words that differ are marked, in columns of code points") {
    const auto changes = diff_columns("\xC3\xA9 = sum + a[i];", "\xC3\xA9 = total + a[i][j];");
    CHECK(changes.left == std::vector<ColumnRange>{{4, 7}});
    CHECK(changes.right == std::vector<ColumnRange>{{4, 9}, {16, 19}});
    const auto blank = diff_columns("a", "  a");
    CHECK(blank.left.empty());
    CHECK(blank.right == std::vector<ColumnRange>{{0, 2}});
    CHECK(diff_columns("same", "same").left.empty());
}

TEST_CASE("what is not marked in a changed pair is equal on both sides, for any lines") {
    const char* const words[] = {"a", "bb", " ", "  ", "+", "(", "\xC3\xA9", "1"};
    const auto unmarked = [](const std::string& line, const std::vector<ColumnRange>& ranges) {
        std::string rest;
        std::size_t column = 0;
        const auto piece = [&](std::size_t end) {
            const std::size_t from = byte_of_column(line, column);
            rest += line.substr(from, byte_of_column(line, end) - from);
        };
        for (const ColumnRange& range : ranges) {
            REQUIRE(range.begin >= column);
            REQUIRE(range.begin < range.end);
            piece(range.begin);
            column = range.end;
        }
        piece(count_code_points(line));
        return rest;
    };
    Chance chance(5);
    for (int round = 0; round < 5000; ++round) {
        std::string left;
        std::string right;
        for (std::size_t i = chance.below(9); i > 0; --i) left += chance.of(words);
        for (std::size_t i = chance.below(9); i > 0; --i) right += chance.of(words);
        CAPTURE(left);
        CAPTURE(right);
        const auto changes = diff_columns(left, right);
        REQUIRE(unmarked(left, changes.left) == unmarked(right, changes.right));
    }
}

}  // namespace
}  // namespace kwb::editor
