// SPDX-License-Identifier: Apache-2.0
// Grades as CSV, JUnit XML and GitHub Classroom's JSON.
#include <fmt/format.h>

#include <algorithm>

#include "base/csv.hpp"
#include "base/json.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "grade/class_grades.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace {

/// Of a comment in Moodle; the student's page has all.
constexpr std::size_t kMostMoodleLetters = 300;

/// Empty for open points, so that a platform does not take them as 0.
std::string points_cell(const Graded& graded) {
    return graded.points ? points_text(graded.points) : "";
}

/// The faults, for a field of a table: one sentence per criterion without full points.
std::string feedback(const Graded& graded, const Rubric& rubric) {
    std::vector<std::string> sentences;
    if (graded.decision)
        sentences.push_back(decided_words(graded) +
                            (graded.decision->remark.empty() ? "" : ": " + graded.decision->remark));
    if (graded.question && !graded.points)
        sentences.push_back("not graded yet: " + graded.question->why);
    else if (!graded.work.obstacle.empty())
        sentences.push_back(graded.work.obstacle);
    if (graded.work.mistake) {
        const LessonMistake& mistake = rubric.mistakes[*graded.work.mistake];
        sentences.push_back(mistake.name + ": " + mistake.says);
    }
    const std::vector<std::string> reasons = reasons_once(graded.grade);
    for (std::size_t i = 0; i < rubric.criteria.size() && graded.work.obstacle.empty(); ++i)
        if (const std::string& why = reasons[i]; !why.empty())
            sentences.push_back(fmt::format("{} ({} of {}): {}", rubric.criteria[i].name,
                                            points_text(graded.grade.parts[i].points),
                                            points_text(rubric.criteria[i].points), why));
    if (graded.grade.late > 0)
        sentences.push_back(fmt::format("late: {} deducted", points_text(graded.grade.late)));
    return no_formula(printable_line(join(sentences, "; ")));
}

std::string counting_time(const Graded& graded, const Rubric& rubric) {
    const auto counting = std::ranges::find(graded.attempts, true, &HandedIn::counts);
    return counting != graded.attempts.end() ? handed_in_text(*counting, rubric) : "";
}

std::string plain_csv(const ClassGrades& grades) {
    std::vector<std::string> header = {"name", "id", "points", "of"};
    for (const Criterion& criterion : grades.rubric.criteria) header.push_back(criterion.name);
    if (grades.rubric.deadline) header.emplace_back("handed in");
    header.insert(header.end(), {"late", "tie", "mistake", "feedback"});
    std::string text = csv_line(header);
    for (const Graded& graded : grades.graded) {
        std::vector<std::string> row = {no_formula(printable_line(graded.name)), graded.id,
                                        points_cell(graded), points_text(grades.rubric.points())};
        for (const CriterionGrade& part : graded.grade.parts)
            row.push_back(graded.points || graded.work.obstacle.empty() ? points_text(part.points) : "");
        if (grades.rubric.deadline) row.push_back(counting_time(graded, grades.rubric));
        row.push_back(points_text(graded.grade.late));
        row.push_back(graded.grade.doubt() == Doubt::Undecided ? "undecided"
                      : graded.grade.doubt() == Doubt::Tie     ? "yes"
                                                               : "");
        row.push_back(graded.work.mistake ? grades.rubric.mistakes[*graded.work.mistake].name : "");
        row.push_back(feedback(graded, grades.rubric));
        text += csv_line(row);
    }
    return text;
}

/// The roster with points filled in, in columns that are added if it has none.
std::string roster_csv(const ClassGrades& grades) {
    Roster roster = *grades.roster;
    const bool is_canvas = roster.kind == Roster::Kind::Canvas;
    const auto column = [&](const std::string& name) {
        if (const auto found = roster.find_column({to_lower(name)})) return *found;
        roster.columns.push_back(name);
        for (auto& row : roster.rows) row.emplace_back();
        return roster.columns.size() - 1;
    };
    // Canvas writes "Title (4711)" once it knows the assignment.
    std::string title = grades.rubric.title;
    for (const std::string& known : roster.columns)
        if (is_canvas && known.starts_with(title + " (")) title = known;
    const std::size_t points = column(is_canvas ? title : "Grade");
    std::optional<std::size_t> most, comments;
    if (!is_canvas) comments = column("Feedback comments");
    if (roster.kind == Roster::Kind::Moodle) most = column("Maximum Grade");
    for (std::size_t row = 0; row < roster.rows.size(); ++row) {
        if (!roster.is_student[row] && is_canvas)
            roster.rows[row][points] = points_text(grades.rubric.points());
        const auto graded = std::ranges::find(grades.graded, std::optional(row), &Graded::row);
        if (graded == grades.graded.end()) continue;
        roster.rows[row][points] = points_cell(*graded);
        if (most) roster.rows[row][*most] = points_text(grades.rubric.points());
        if (!comments) continue;
        const std::string text = feedback(*graded, grades.rubric);
        roster.rows[row][*comments] =
            roster.kind == Roster::Kind::Moodle ? shorten(text, kMostMoodleLetters, true) : text;
    }
    std::string text = csv_line(roster.columns);
    for (const auto& row : roster.rows) text += csv_line(row);
    return text;
}

bool has_all_points(const Graded& graded, const Rubric& rubric, std::size_t criterion) {
    return graded.grade.parts[criterion].points >= rubric.criteria[criterion].points;
}

/// Text that Markdown shows as it is.
std::string as_markdown(const std::string& text) {
    std::string escaped;
    for (const char c : printable_line(text)) {
        if (std::string_view("\\`*_{}[]()<>#+-.!|~&$").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

/// What the criteria do not tell, in Markdown.
std::vector<std::string> remarks_in_markdown(const Graded& graded, const Rubric& rubric) {
    std::vector<std::string> remarks;
    if (graded.decision)
        remarks.push_back(as_markdown(decided_words(graded) + ": " + graded.decision->remark));
    if (!graded.work.obstacle.empty())
        remarks.push_back("**Not graded:** " + as_markdown(graded.work.obstacle));
    if (graded.work.mistake) {
        const LessonMistake& mistake = rubric.mistakes[*graded.work.mistake];
        remarks.push_back(fmt::format("**{}.** {}", as_markdown(mistake.name), as_markdown(mistake.says)));
    }
    if (graded.grade.late > 0)
        remarks.push_back(fmt::format("Handed in late: {} points deducted.", points_text(graded.grade.late)));
    return remarks;
}

}  // namespace

std::string decided_words(const Graded& graded) {
    return fmt::format("decided by {}, originally {}", graded.decision->by,
                       graded.question ? "open" : fmt::format("{:g} points", graded.grade.total));
}

std::string main_fault(const Graded& graded, const Rubric& rubric) {
    if (graded.decision) return decided_words(graded);
    if (graded.question) return graded.question->why;
    if (!graded.work.obstacle.empty()) return graded.work.obstacle;
    if (graded.work.mistake) return rubric.mistakes[*graded.work.mistake].name;
    for (const CriterionGrade& part : graded.grade.parts)
        if (!part.reason().empty()) return part.reason();
    return graded.grade.late > 0 ? fmt::format("late: {} deducted", points_text(graded.grade.late)) : "";
}

std::string grades_to_csv(const ClassGrades& grades) {
    return grades.roster ? roster_csv(grades) : plain_csv(grades);
}

std::string grades_to_junit(const ClassGrades& grades) {
    const Rubric& rubric = grades.rubric;
    std::string text = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n",
                                   xml_text(rubric.title));
    for (const Graded& graded : grades.graded) {
        std::size_t failures = 0;
        std::string cases;
        for (std::size_t i = 0; i < rubric.criteria.size(); ++i) {
            const CriterionGrade& part = graded.grade.parts[i];
            const bool is_failure = !has_all_points(graded, rubric, i);
            failures += is_failure ? 1 : 0;
            cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_text(graded.name),
                                 xml_text(rubric.criteria[i].name));
            cases += is_failure ? fmt::format(
                                      ">\n      <failure message=\"{}\">{} of {} points</failure>\n"
                                      "    </testcase>\n",
                                      xml_text(part.reason()), points_text(part.points),
                                      points_text(rubric.criteria[i].points))
                                : "/>\n";
        }
        text += fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n"
            "    <properties><property name=\"points\" value=\"{}\"/></properties>\n{}"
            "  </testsuite>\n",
            xml_text(graded.name), rubric.criteria.size(), failures, points_text(graded.points), cases);
    }
    return text + "</testsuites>\n";
}

std::string grades_to_classroom(const ClassGrades& grades) {
    const Rubric& rubric = grades.rubric;
    const Graded& graded = grades.graded.front();
    Json tests = Json::array();
    bool is_good = true;
    for (std::size_t i = 0; i < rubric.criteria.size(); ++i) {
        const CriterionGrade& part = graded.grade.parts[i];
        if (graded.decision) break;
        const bool passed = has_all_points(graded, rubric, i);
        is_good = is_good && passed;
        tests.push_back(
            {{"name", rubric.criteria[i].name},
             {"status", passed ? "pass" : "fail"},
             {"score", part.points},
             {"message", printable(part.reason())},
             {"test_code", ""},
             {"filename", graded.sources.empty() ? "" : printable_line(graded.sources.front().name)},
             {"line_no", 0}});
    }
    if (graded.decision) {  // the score is the sum of those of the tests
        is_good = graded.points >= rubric.points();
        tests.push_back({{"name", printable_line(decided_words(graded))},
                         {"status", is_good ? "pass" : "fail"},
                         {"score", graded.points.value_or(0)},
                         {"message", printable(graded.decision->remark)},
                         {"test_code", ""},
                         {"filename", ""},
                         {"line_no", 0}});
    }
    const Json document = {{"version", 1},
                           {"status", is_good ? "pass" : "fail"},
                           {"max_score", rubric.points()},
                           {"tests", std::move(tests)}};
    return dump_json(document, 2) + "\n";
}

std::string grades_to_gradescope(const ClassGrades& grades) {
    const Rubric& rubric = grades.rubric;
    const Graded& graded = grades.graded.front();
    Json tests = Json::array(), leaderboard = Json::array();
    for (std::size_t i = 0; i < rubric.criteria.size() && graded.work.obstacle.empty(); ++i) {
        const Criterion& criterion = rubric.criteria[i];
        const CriterionGrade& part = graded.grade.parts[i];
        tests.push_back({{"name", criterion.name},
                         {"score", part.points},
                         {"max_score", criterion.points},
                         {"status", has_all_points(graded, rubric, i) ? "passed" : "failed"},
                         {"visibility", to_string(criterion.visibility)},
                         {"output", as_markdown(part.reason())}});
    }
    for (const TimedWork& timed : graded.work.timed)
        if (is_good(timed.result().verdict) && timed.result().median_ms)
            leaderboard.push_back({{"name", timing_name(timed, rubric) + " (ms)"},
                                   {"value", *timed.result().median_ms},
                                   {"order", "asc"}});
    // Gradescope requires a score; an open one is 0 until the student hands in again.
    const Json document = {{"score", graded.points.value_or(0)},
                           {"output", join(remarks_in_markdown(graded, rubric), "\n\n")},
                           {"output_format", "md"},
                           {"test_output_format", "md"},
                           {"stdout_visibility", "hidden"},
                           {"tests", std::move(tests)},
                           {"leaderboard", std::move(leaderboard)}};
    return dump_json(document, 2) + "\n";
}

std::string grades_to_comment(const ClassGrades& grades) {
    const Rubric& rubric = grades.rubric;
    const Graded& graded = grades.graded.front();
    std::string text = fmt::format("**{}: {} of {} points**\n", as_markdown(rubric.title),
                                   points_text(graded.points), points_text(rubric.points()));
    const std::vector<std::string> reasons = reasons_once(graded.grade);
    if (graded.work.obstacle.empty()) text += "\n| for | points | reason for lost points |\n|---|---|---|\n";
    for (std::size_t i = 0; i < rubric.criteria.size() && graded.work.obstacle.empty(); ++i)
        text += fmt::format("| {} | {} of {} | {} |\n", as_markdown(rubric.criteria[i].name),
                            points_text(graded.grade.parts[i].points), points_text(rubric.criteria[i].points),
                            as_markdown(reasons[i]));
    for (const std::string& remark : remarks_in_markdown(graded, rubric)) text += '\n' + remark + '\n';
    return text;
}

}  // namespace kwb
