// SPDX-License-Identifier: Apache-2.0
// The grades of a class, and the files that they are written to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "grade/decisions.hpp"
#include "grade/grade.hpp"
#include "grade/grading.hpp"
#include "grade/roster.hpp"
#include "grade/rubric.hpp"
#include "grade/similar.hpp"

namespace kwb {

/// Something that a student handed in.
struct HandedIn {
    std::string entry;                                       ///< its name, as decisions have it
    std::optional<std::chrono::sys_seconds> handed_in = {};  ///< nullopt: unknown
    bool is_file_time = true;                                ///< false: the roster has it
    std::optional<int> number = {};                          ///< of the attempt, in its name
    double days_late = 0;
    std::optional<double> points = {};  ///< nullopt: it cannot be graded
    std::string obstacle = {};          ///< why
    bool counts = true;
};

struct Graded {
    std::string name;
    std::string id = {};                            ///< empty: unknown
    std::optional<std::size_t> row = {};            ///< of the roster
    bool was_handed_in = true;                      ///< false: only the roster has this student
    NamedList<std::string> sources = {};            ///< path in the submission → text, the kernel first
    std::optional<source::Fingerprint> print = {};  ///< of the source; nullopt: it was not read
    Work work = {};
    Grade grade = {};
    std::vector<HandedIn> attempts = {};  ///< in the order in which they were handed in, as far as known
    std::optional<OpenQuestion> question = {};
    /// That count: decided, or graded; nullopt: the teacher must decide first.
    std::optional<double> points = {};
    std::optional<Decision> decision = {};
};

struct ClassGrades {
    Rubric rubric;
    std::optional<Roster> roster;
    std::vector<Graded> graded;  ///< by name
    std::vector<OpenQuestion> open = {};
    Environment environment = {};              ///< of the device
    NamedList<Environment> elsewhere = {};     ///< by Criterion::on
    std::vector<SimilarSources> similar = {};  ///< indices in `graded`; see compare_sources()
};

/// Chooses the kernels that decisions name.
/// @throws BadInput  with the place of the decision: there is no such submission, or no such file in it
void apply_kernel_decisions(std::vector<Candidate>& candidates, const Decisions& decisions);

/// The grades of everybody who handed something in, or is in the roster. What could not be graded, or not be
/// assigned to a student, is an open question unless it is decided.
/// @throws BadInput  with the place of the decision: nobody has the name that it gives
ClassGrades grade_class(const Rubric& rubric, const std::optional<Roster>& roster,
                        const std::vector<Candidate>& candidates, const Decisions& decisions);

/// Finds similar sources of different students, each with the one submission that counts.
void compare_sources(ClassGrades& grades, const std::vector<ComparedSource>& given);

/// All texts of a submission, the kernel first.
std::string whole_text(const Graded& graded);

/// The names of a group, in one line.
std::string names_of(const SimilarSources& group, const ClassGrades& grades);

/// "2026-12-01 23:59 +01:00", or empty
std::string handed_in_text(const HandedIn& attempt, const Rubric& rubric);

/// "fast on gpubox": the criterion's name, and the place if it names any
std::string timing_name(const TimedWork& timed, const Rubric& rubric);

/// "17.5", or "open"
std::string points_text(const std::optional<double>& points);

/// "decided by Dr. Doe, originally 45 points"; of a decided one.
std::string decided_words(const Graded& graded);

/// What was decided, or is open; else the mistake by name, or the reason of the first criterion without full
/// points; empty if all points were given.
std::string main_fault(const Graded& graded, const Rubric& rubric);

/// One row for each student: those of the roster with its columns, so that the platform takes it back, with
/// the points in Moodle's "Grade" and "Feedback comments", or in a column of the assignment for Canvas; else
/// name, id, points, those of each criterion, and the faults.
std::string grades_to_csv(const ClassGrades& grades);

/// JUnit's XML: a test suite for each student, a test case for each criterion.
std::string grades_to_junit(const ClassGrades& grades);

/// The JSON that GitHub Classroom's reporter reads: {version, status, max_score, tests[]}; of the first
/// submission.
std::string grades_to_classroom(const ClassGrades& grades);

/// Gradescope's results.json of the first submission: the score, a test for each criterion, and a leaderboard
/// of the times. Source: https://gradescope-autograders.readthedocs.io/en/latest/specs/
std::string grades_to_gradescope(const ClassGrades& grades);

/// Markdown for a comment on a pull request, about the first submission.
std::string grades_to_comment(const ClassGrades& grades);

/// A page for one student: points, what was wrong and where, with pictures and sources.
std::string student_page(const ClassGrades& grades, const Graded& graded, const std::string& made);

/// The teacher's page: all students, the distribution of points, the most common mistakes.
/// @param pages  file of each student's page, by index
std::string class_page(const ClassGrades& grades, const std::vector<std::string>& pages,
                       const std::string& made);

/// The file of similar_page() in the folder of the pages.
inline constexpr const char* kSimilarPage = "similar.html";

/// The similar sources of ClassGrades::similar, side by side.
std::string similar_page(const ClassGrades& grades, const std::string& made);

/// What a teacher should know about similar sources: a sentence.
extern const char* const kAboutSimilar;

}  // namespace kwb
