// SPDX-License-Identifier: Apache-2.0
// Similar sources side by side.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "editor/diff.hpp"
#include "grade/class_grades.hpp"
#include "report/html.hpp"
#include "report/text_layout.hpp"

namespace kwb {

const char* const kAboutSimilar =
    "Similar sources have many causes: an exercise with one obvious solution, work in pairs, a common "
    "template. Compare them yourself, and ask the students.";

namespace {

// Limits for a page that a browser still shows.
constexpr std::size_t kMostPairs = 20;         ///< of a group
constexpr std::size_t kMostComparisons = 100;  ///< of the page
constexpr std::size_t kMostLines = 1000;       ///< of a source
constexpr std::size_t kMostLetters = 240;      ///< of a line

std::vector<std::string> shown_lines(const Graded& graded) {
    std::vector<std::string> lines = split_lines(printable(whole_text(graded)));
    if (lines.size() > kMostLines) {
        const std::size_t more = lines.size() - kMostLines;
        lines.resize(kMostLines);
        lines.push_back(fmt::format("… {} more lines", more));
    }
    for (std::string& line : lines) line = shorten(line, kMostLetters, true);
    return lines;
}

HtmlComparison compare(const Graded& left, const Graded& right) {
    HtmlComparison comparison{"", "", left.name, right.name, {}};
    const std::vector<std::string> left_lines = shown_lines(left), right_lines = shown_lines(right);
    for (const editor::DiffRow& row : editor::diff_side_by_side(left_lines, right_lines)) {
        HtmlComparison::Row& shown = comparison.rows.emplace_back();
        shown.is_different = row.kind != editor::DiffKind::Same;
        if (row.left) shown.left_line = *row.left + 1, shown.left = left_lines[*row.left];
        if (row.right) shown.right_line = *row.right + 1, shown.right = right_lines[*row.right];
    }
    return comparison;
}

}  // namespace

std::string similar_page(const ClassGrades& grades, const std::string& made) {
    HtmlReport report;
    report.title = grades.rubric.title + ": similar sources";
    report.made = made;
    for (const SimilarSources& group : grades.similar) {
        const std::size_t pairs =
            std::min({group.members.size() - 1, kMostPairs, kMostComparisons - report.comparisons.size()});
        for (std::size_t i = 1; i <= pairs; ++i)
            report.comparisons.push_back(
                compare(grades.graded[group.members.front()], grades.graded[group.members[i]]));
        if (pairs == 0) break;
        HtmlComparison& first = report.comparisons[report.comparisons.size() - pairs];
        first.heading = names_of(group, grades);
        first.lead = fmt::format("They are {}.", to_words(group.likeness));
        if (pairs + 1 < group.members.size())
            first.lead += fmt::format(" The first {} are shown.", counted(pairs, "pair"));
    }
    if (!report.comparisons.empty())
        report.comparisons.front().lead = kAboutSimilar + (" " + report.comparisons.front().lead);
    return html_report(report);
}

}  // namespace kwb
