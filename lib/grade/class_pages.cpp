// SPDX-License-Identifier: Apache-2.0
// Grades as HTML pages.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "grade/class_grades.hpp"
#include "report/html.hpp"
#include "report/numbers.hpp"

namespace kwb {
namespace {

using Column = XrayTable::Column;

std::string points_of(const std::optional<double>& points, double of) {
    return fmt::format("{} of {:g}", points ? points_text(std::round(100 * *points) / 100) : "open", of);
}

XrayTable points_table(const Graded& graded, const Rubric& rubric) {
    Column what{"for", false, {}}, points{"points", true, {}}, why{"reason for lost points", false, {}};
    const auto add = [&](const std::string& name, const std::string& count, const std::string& reason) {
        what.cells.push_back(name);
        points.cells.push_back(count);
        why.cells.push_back(reason);
    };
    if (graded.question)
        add(graded.decision ? "not graded" : "needs a decision",
            graded.decision ? "open" : points_text(graded.points), graded.question->why);
    else if (!graded.work.obstacle.empty())
        add("everything", points_of(graded.points, rubric.points()), graded.work.obstacle);
    const std::vector<std::string> reasons = reasons_once(graded.grade);
    for (std::size_t i = 0; i < rubric.criteria.size() && graded.work.obstacle.empty(); ++i)
        add(rubric.criteria[i].name, points_of(graded.grade.parts[i].points, rubric.criteria[i].points),
            reasons[i]);
    if (graded.grade.late > 0) add("handed in late", fmt::format("−{:g}", graded.grade.late), "");
    if (graded.decision)
        add(decided_words(graded), points_of(graded.points, rubric.points()), graded.decision->remark);
    return {"Points", {what, points, why}};
}

/// When each attempt was handed in, and which one counts.
XrayTable attempts_table(const Graded& graded, const Rubric& rubric) {
    Column what{"submission", false, {}}, when{"handed in", false, {}}, late{"days late", true, {}},
        points{"points", true, {}}, counts{"counts", false, {}};
    for (const HandedIn& attempt : graded.attempts) {
        const std::string time = handed_in_text(attempt, rubric);
        what.cells.push_back(attempt.entry);
        when.cells.push_back(time.empty() ? "unknown"
                                          : time + (attempt.is_file_time ? " (of the file)" : ""));
        late.cells.push_back(fmt::format("{:g}", attempt.days_late));
        points.cells.push_back(points_text(attempt.points));
        counts.cells.emplace_back(attempt.counts ? "yes" : "");
    }
    std::vector<Column> columns = {what, late, points, counts};
    if (rubric.deadline) columns.insert(columns.begin() + 1, when);
    return {rubric.deadline
                ? "Handed in; the deadline was " + rubric.deadline->zone.format(rubric.deadline->at)
                : "Handed in",
            std::move(columns)};
}

/// How many students have how many tenths of the points.
XrayTable distribution(const ClassGrades& grades) {
    constexpr std::size_t kBins = 10;
    std::array<std::size_t, kBins> counts{};
    const double most = grades.rubric.points();
    for (const Graded& graded : grades.graded)
        if (graded.points)
            ++counts[std::min(kBins - 1, static_cast<std::size_t>(kBins * *graded.points / most))];
    const auto highest = static_cast<double>(std::ranges::max(counts));
    Column range{"points", false, {}}, count{"students", true, {}}, bars{"", false, {}};
    for (std::size_t i = kBins; i-- > 0;) {
        const double width = most / kBins;
        range.cells.push_back(
            fmt::format("{:g} to {:g}", width * static_cast<double>(i), width * static_cast<double>(i + 1)));
        count.cells.push_back(std::to_string(counts[i]));
        bars.cells.push_back(bar(static_cast<double>(counts[i]) / std::max(1.0, highest), 40));
    }
    return {"Distribution of points", {range, count, bars}};
}

/// The most frequent mistakes.
std::optional<XrayTable> commonest_mistakes(const ClassGrades& grades) {
    constexpr std::size_t kNames = 5;
    std::map<std::string, std::vector<std::string>> who;
    for (const Graded& graded : grades.graded)
        if (graded.work.mistake)
            who[grades.rubric.mistakes[*graded.work.mistake].name].push_back(graded.name);
        else
            for (std::size_t i = 0; i < grades.rubric.criteria.size(); ++i)
                if (!graded.grade.parts[i].reason().empty() && graded.work.obstacle.empty()) {
                    who["unnamed: " + grades.rubric.criteria[i].name].push_back(graded.name);
                    break;
                }
    if (who.empty()) return std::nullopt;
    std::vector<std::pair<std::string, std::vector<std::string>>> sorted(who.begin(), who.end());
    std::ranges::stable_sort(sorted, std::greater(), [](const auto& each) { return each.second.size(); });
    Column what{"mistake", false, {}}, count{"students", true, {}}, names{"who", false, {}};
    for (auto& [mistake, students] : sorted) {
        what.cells.push_back(mistake);
        count.cells.push_back(std::to_string(students.size()));
        const std::size_t more = students.size() > kNames ? students.size() - kNames : 0;
        students.resize(students.size() - more);
        names.cells.push_back(join(students, ", ") + (more > 0 ? fmt::format(" and {} more", more) : ""));
    }
    return XrayTable{"Most common mistakes", {what, count, names}};
}

XrayTable similar_table(const ClassGrades& grades) {
    Column who{"students", false, {}}, how{"their sources are", false, {}}, own{"statements", true, {}};
    for (const SimilarSources& group : grades.similar) {
        who.cells.push_back(names_of(group, grades));
        who.links.emplace_back(kSimilarPage);
        how.cells.push_back(to_words(group.likeness));
        own.cells.push_back(group.statements ? std::to_string(*group.statements) : "unknown");
    }
    return {"Similar sources", {who, how, own}};
}

}  // namespace

std::string student_page(const ClassGrades& grades, const Graded& graded, const std::string& made) {
    HtmlReport report;
    report.title = fmt::format("{}: {}, {} points", grades.rubric.title, graded.name,
                               points_of(graded.points, grades.rubric.points()));
    report.made = made;
    report.tables.push_back(points_table(graded, grades.rubric));
    if (!graded.attempts.empty() && (grades.rubric.deadline || graded.attempts.size() > 1))
        report.tables.push_back(attempts_table(graded, grades.rubric));
    const auto section_of = [&](const std::string& heading) {
        HtmlSection section;
        section.heading = heading;
        section.environment = grades.environment;
        return section;
    };
    if (!graded.work.checks.empty()) {
        HtmlSection checks = section_of("Is it right?");
        for (const KernelResult& result : graded.work.checks) {
            checks.results.emplace_back(&result, 1);
            checks.sizes.push_back(result.size);
        }
        checks.sources = {graded.sources};
        if (graded.work.mistake) checks.lead = grades.rubric.mistakes[*graded.work.mistake].says;
        report.sections.push_back(std::move(checks));
    }
    for (const TimedWork& timed : graded.work.timed) {
        HtmlSection times = section_of(timing_name(timed, grades.rubric));
        if (const Environment* const there = find_named(grades.elsewhere, timed.on))
            times.environment = *there;
        times.results = {timed.results};
        times.sizes = {timed.result().size};
        times.baseline = std::min<std::size_t>(1, timed.results.size() - 1);
        report.sections.push_back(std::move(times));
    }
    return html_report(report);
}

std::string class_page(const ClassGrades& grades, const std::vector<std::string>& pages,
                       const std::string& made) {
    const Rubric& rubric = grades.rubric;
    HtmlReport report;
    report.title = rubric.title;
    report.made = made;
    Column name{"student", false, {}, pages}, total{"points", true, {}}, fault{"first fault", false, {}};
    std::vector<Column> parts;
    for (const Criterion& criterion : rubric.criteria)
        parts.push_back({fmt::format("{} ({:g})", criterion.name, criterion.points), true, {}});
    for (const Graded& graded : grades.graded) {
        name.cells.push_back(graded.name);
        total.cells.push_back(points_text(graded.points) + doubt_mark(graded.grade.doubt()));
        for (std::size_t i = 0; i < parts.size(); ++i)
            parts[i].cells.push_back(points_text(std::round(100 * graded.grade.parts[i].points) / 100));
        fault.cells.push_back(main_fault(graded, rubric));
    }
    std::vector<Column> columns = {std::move(name), std::move(total)};
    std::ranges::move(parts, std::back_inserter(columns));
    columns.push_back(std::move(fault));
    report.tables.push_back(
        {fmt::format("{}, {:g} points", counted(grades.graded.size(), "student"), rubric.points()),
         std::move(columns)});
    if (!grades.open.empty()) {
        Column what{"submission", false, {}}, why{"reason", false, {}};
        for (const OpenQuestion& question : grades.open) {
            what.cells.push_back(question.file.empty() ? question.student : question.file);
            why.cells.push_back(question.why);
        }
        report.tables.push_back({"Needs your decision", {what, why}});
    }
    if (!grades.similar.empty()) report.tables.push_back(similar_table(grades));
    report.tables.push_back(distribution(grades));
    if (auto mistakes = commonest_mistakes(grades)) report.tables.push_back(std::move(*mistakes));
    return html_report(report);
}

}  // namespace kwb
