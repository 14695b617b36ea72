// SPDX-License-Identifier: Apache-2.0
#include "grade/class_grades.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/toml_text.hpp"

namespace kwb {
namespace {

/// The name of a submission's folder or file, as decisions have it.
std::string entry_of(const Submission& submission) {
    return printable_line(submission.entry);
}

/// A student, or the sender of a submission that cannot be assigned to one.
struct Owner {
    std::string name, id;
    std::vector<std::size_t> rows;  ///< of the roster; unless it is one, the student is unknown
    std::vector<const Candidate*> handed_in = {};
    const Decision* assigned_by = nullptr;  ///< if a decision says which submission counts
};

class GradeBook {
public:
    GradeBook(const Rubric& rubric, const std::optional<Roster>& roster, const Decisions& decisions)
        : rubric_(rubric), decisions_(decisions), grades_{rubric, roster, {}} {}

    ClassGrades make(const std::vector<Candidate>& candidates) && {
        for (const Candidate& candidate : candidates) add(candidate);
        for (const Owner& owner : owners_) grade(owner);
        add_absent();
        for (const Decision& decision : decisions_.list)
            if (decision.points) decide(decision);
        leave_open_while_unassigned();
        std::ranges::stable_sort(grades_.graded, {}, [](const Graded& each) { return to_lower(each.name); });
        for (const Graded& graded : grades_.graded)
            if (graded.question && !graded.decision) grades_.open.push_back(*graded.question);
        return std::move(grades_);
    }

private:
    void add(const Candidate& candidate) {
        const Submission& submission = candidate.submission;
        const auto assigns = std::ranges::find_if(decisions_.list, [&](const Decision& decision) {
            return !decision.student.empty() && decision.file == entry_of(submission);
        });
        const bool is_assigned = assigns != decisions_.list.end();
        Owner wanted = is_assigned ? owner_by(*assigns) : Owner{submission.name, submission.id, {}};
        if (grades_.roster && !is_assigned)
            wanted.rows = find_students(*grades_.roster, wanted.name, wanted.id);
        const auto same = std::ranges::find_if(owners_, [&](const Owner& owner) {
            return grades_.roster ? owner.rows == wanted.rows && owner.rows.size() == 1
                                  : owner.name == wanted.name && owner.id == wanted.id;
        });
        Owner& owner = same != owners_.end() ? *same : owners_.emplace_back(std::move(wanted));
        if (is_assigned) {
            if (owner.assigned_by != nullptr)
                decisions_.refuse(*assigns, fmt::format("the decision in line {} assigns another submission "
                                                        "to {}. Keep one of the two",
                                                        owner.assigned_by->place.line, assigns->student));
            owner.assigned_by = &*assigns;
            owner.handed_in.clear();
        }
        if (is_assigned || owner.assigned_by == nullptr) owner.handed_in.push_back(&candidate);
    }

    /// The student whom a decision names.
    Owner owner_by(const Decision& decision) const {
        if (!grades_.roster) return {decision.student, "", {}};
        std::vector<std::size_t> rows =
            find_students(*grades_.roster, decision.student, to_lower(decision.student));
        if (rows.size() > 1)
            decisions_.refuse(decision, fmt::format("{} students are called {}. Name one by the id",
                                                    rows.size(), decision.student));
        if (rows.empty()) {
            std::vector<std::string> names;
            for (std::size_t row = 0; row < grades_.roster->rows.size(); ++row)
                if (grades_.roster->is_student[row]) names.push_back(grades_.roster->name(row));
            refuse_unknown(decision, names);
        }
        return {decision.student, "", std::move(rows)};
    }

    [[noreturn]] void refuse_unknown(const Decision& decision, const std::vector<std::string>& names) const {
        const bool is_file = !decision.file.empty();
        const std::string& wanted = is_file ? decision.file : decision.student;
        decisions_.refuse(decision, fmt::format("no {} is called {}.{}", is_file ? "submission" : "student",
                                                wanted, did_you_mean(wanted, names)));
    }

    void grade(const Owner& owner) {
        std::vector<const Candidate*> handed_in = owner.handed_in;
        if (!std::ranges::all_of(handed_in, is_empty)) std::erase_if(handed_in, is_empty);
        std::vector<Graded> tries;
        for (const Candidate* each : handed_in)
            tries.push_back(grade_attempt(owner, *each, handed_in.size() == 1));
        std::ranges::stable_sort(tries, {}, order_of);
        const std::optional<std::size_t> counting = counting_attempt(tries);
        Graded graded = tries[counting.value_or(0)];
        graded.attempts.clear();
        for (std::size_t i = 0; i < tries.size(); ++i) {
            graded.attempts.push_back(tries[i].attempts.front());
            graded.attempts.back().counts = counting == i;
        }
        if (!counting) {
            graded.points.reset();
            graded.question = question_about_attempts(graded);
        }
        grades_.graded.push_back(std::move(graded));
    }

    /// By time, and by number where the time is the same: that of files is often the time of unpacking.
    static std::pair<std::optional<std::chrono::sys_seconds>, std::optional<int>> order_of(
        const Graded& attempt) {
        return {attempt.attempts.front().handed_in, attempt.attempts.front().number};
    }

    /// Moodle adds an empty submission for a text that was typed online.
    static bool is_empty(const Candidate* candidate) { return candidate->submission.is_empty; }

    Graded grade_attempt(const Owner& owner, const Candidate& candidate, bool is_only) const {
        const Submission& submission = candidate.submission;
        Graded graded{owner.name, owner.id};
        if (owner.rows.size() == 1) {
            graded.row = owner.rows.front();
            graded.name = grades_.roster->name(*graded.row);
            graded.id = grades_.roster->id(*graded.row);
        }
        graded.sources = submission.files;
        std::stable_partition(graded.sources.begin(), graded.sources.end(),
                              [&](const auto& file) { return file.name == submission.kernel.string(); });
        HandedIn attempt = attempt_of(submission, graded.row, is_only);
        graded.print = candidate.print;
        graded.work = candidate.work;
        graded.grade = grade_work(graded.work, rubric_, attempt.days_late);
        if (graded.work.obstacle.empty()) graded.points = graded.grade.total;
        graded.question = question_about(owner, submission, graded);
        attempt.points = graded.points;
        graded.attempts = {std::move(attempt)};
        return graded;
    }

    /// When it was handed in, and how late: the roster knows best, but only about one submission.
    HandedIn attempt_of(const Submission& submission, std::optional<std::size_t> row, bool is_only) const {
        HandedIn attempt{entry_of(submission), submission.changed};
        attempt.number = submission.attempt;
        attempt.obstacle = submission.obstacle;
        double days = row ? grades_.roster->days_late(*row) : 0;
        if (!rubric_.deadline) {
            attempt.days_late = std::max(days, submission.is_late ? 1.0 : 0.0);
            return attempt;
        }
        const DueDate& deadline = *rubric_.deadline;
        const auto known = row && is_only ? grades_.roster->handed_in(*row, deadline.zone) : std::nullopt;
        if (known) {
            attempt.handed_in = known;
            attempt.is_file_time = false;
        }
        const Extension extension = row ? grades_.roster->extension(*row, deadline.zone) : Extension{};
        if (attempt.handed_in) days = std::max(days, kwb::days_late(deadline, extension, *attempt.handed_in));
        attempt.days_late = days;
        return attempt;
    }

    /// @param tries  by time
    /// @return  nullopt: the teacher must decide
    std::optional<std::size_t> counting_attempt(const std::vector<Graded>& tries) const {
        if (tries.size() == 1) return 0;
        if (rubric_.attempts == AttemptRule::Ask) return std::nullopt;
        if (rubric_.attempts == AttemptRule::Best) {
            const auto best = std::ranges::max_element(tries, {}, &Graded::points);
            const bool may_be_beaten =
                best->points < rubric_.points() &&
                std::ranges::find(tries, std::optional<double>(), &Graded::points) != tries.end();
            return may_be_beaten ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(best - tries.begin()));
        }
        if (!tries.front().attempts.front().handed_in) return std::nullopt;  // unknown times sort first
        std::size_t counting = tries.size() - 1;
        if (rubric_.attempts == AttemptRule::LastInTime) {
            const auto in_time = std::ranges::find_if(tries.rbegin(), tries.rend(), [](const Graded& each) {
                return each.attempts.front().days_late == 0;
            });
            counting = in_time == tries.rend() ? 0 : static_cast<std::size_t>(tries.rend() - in_time) - 1;
        }
        const bool is_clear = std::ranges::count(tries, order_of(tries[counting]), order_of) == 1;
        return is_clear ? std::optional(counting) : std::nullopt;
    }

    /// Students of the roster without a submission of their own.
    void add_absent() {
        for (std::size_t row = 0; grades_.roster && row < grades_.roster->rows.size(); ++row) {
            if (!grades_.roster->is_student[row] ||
                std::ranges::find(grades_.graded, std::optional(row), &Graded::row) != grades_.graded.end())
                continue;
            Graded missing{grades_.roster->name(row), grades_.roster->id(row), row, false};
            const auto maybe = std::ranges::find_if(owners_, [&](const Owner& owner) {
                return std::ranges::find(owner.rows, row) != owner.rows.end();
            });
            missing.work.obstacle = maybe == owners_.end() ? "nothing was handed in"
                                                           : entry_of(maybe->handed_in.front()->submission) +
                                                                 " may be from this student";
            missing.grade = grade_work(missing.work, rubric_, 0);
            if (maybe == owners_.end()) missing.points = 0;
            grades_.graded.push_back(std::move(missing));
        }
    }

    /// Who seems to have handed in nothing may be the sender of a submission that nobody is assigned to.
    void leave_open_while_unassigned() {
        const auto unassigned = std::ranges::find_if(grades_.graded, [&](const Graded& graded) {
            return grades_.roster && graded.was_handed_in && !graded.row && !graded.decision;
        });
        if (unassigned == grades_.graded.end()) return;
        for (Graded& graded : grades_.graded) {
            if (graded.was_handed_in || graded.decision || !graded.points) continue;
            graded.points.reset();
            graded.work.obstacle +=
                fmt::format(", unless {} is from this student", unassigned->attempts.front().entry);
        }
    }

    static std::string answer(const char* key, const std::string& text) {
        return key + (" = " + in_quotes(printable_line(text)));
    }

    static OpenQuestion question_about_attempts(const Graded& graded) {
        std::vector<std::string> names;
        OpenQuestion question{"", graded.name, "", {}};
        for (const HandedIn& attempt : graded.attempts) {
            names.push_back(attempt.entry);
            question.answers.push_back(answer("file", attempt.entry));
        }
        question.answers.emplace_back("points = 0");
        question.why = fmt::format("handed in {} times, so it is unclear what counts: {}", names.size(),
                                   enumerate(names));
        for (const HandedIn& attempt : graded.attempts)
            if (!attempt.obstacle.empty())
                question.why += fmt::format("; {} cannot be graded: {}", attempt.entry, attempt.obstacle);
        return question;
    }

    std::optional<OpenQuestion> question_about(const Owner& owner, const Submission& submission,
                                               const Graded& graded) const {
        OpenQuestion question{entry_of(submission), graded.name, "", {}};
        if (grades_.roster && owner.rows.empty()) {
            question.why = fmt::format("{} is not in the roster", owner.name);
            question.answers = {answer("student", "")};
        } else if (owner.rows.size() > 1) {
            const auto name_of = [&](std::size_t row) { return grades_.roster->name(row); };
            const bool is_one_name = std::ranges::all_of(
                owner.rows, [&](std::size_t row) { return name_of(row) == name_of(owner.rows.front()); });
            std::vector<std::string> names;
            std::ranges::transform(owner.rows, std::back_inserter(names), name_of);
            question.why =
                is_one_name
                    ? fmt::format("{} students in the roster are called {}", owner.rows.size(), owner.name)
                    : fmt::format("its number and its name are those of different students: {}",
                                  enumerate(names));
            for (const std::size_t row : owner.rows)
                question.answers.push_back(answer("student", grades_.roster->id(row)));
        } else if (!graded.work.obstacle.empty()) {
            question.why = graded.work.obstacle;
            for (const std::string& kernel : submission.kernels)
                question.answers.push_back(answer("kernel", kernel));
        } else {
            return std::nullopt;
        }
        question.answers.emplace_back("points = 0");
        return question;
    }

    void decide(const Decision& decision) {
        const std::vector<std::size_t> rows =
            decision.file.empty() ? owner_by(decision).rows : std::vector<std::size_t>{};
        const auto is_meant = [&](const Graded& graded) {
            if (!decision.file.empty())
                return std::ranges::find(graded.attempts, decision.file, &HandedIn::entry) !=
                       graded.attempts.end();
            return grades_.roster ? graded.row == rows.front()
                                  : graded.name == decision.student || graded.id == decision.student;
        };
        const auto found = std::ranges::find_if(grades_.graded, is_meant);
        if (const auto count = std::ranges::count_if(grades_.graded, is_meant); count > 1)
            decisions_.refuse(decision, fmt::format("{} students are called {}. Name the submission, with "
                                                    "`file` instead of `student`",
                                                    count, decision.student));
        if (found == grades_.graded.end()) {
            std::vector<std::string> names;
            for (const Graded& graded : grades_.graded)
                if (decision.file.empty())
                    names.push_back(graded.name);
                else
                    std::ranges::transform(graded.attempts, std::back_inserter(names), &HandedIn::entry);
            refuse_unknown(decision, names);
        }
        if (found->decision)
            decisions_.refuse(decision, fmt::format("{} is already decided in line {}. Keep one of the two",
                                                    found->name, found->decision->place.line));
        if (grades_.roster && !found->row && *decision.points > 0)
            decisions_.refuse(decision,
                              fmt::format("{} is from nobody in the roster, so that its points would "
                                          "be lost. Add `student`",
                                          decision.file));
        found->decision = decision;
        found->points = decision.points;
    }

    const Rubric& rubric_;
    const Decisions& decisions_;
    ClassGrades grades_;
    std::vector<Owner> owners_;
};

}  // namespace

void apply_kernel_decisions(std::vector<Candidate>& candidates, const Decisions& decisions) {
    for (const Decision& decision : decisions.list) {
        if (decision.file.empty() || !decision.is_made()) continue;
        std::vector<std::string> names;
        for (const Candidate& candidate : candidates) names.push_back(entry_of(candidate.submission));
        const auto found = std::ranges::find(names, decision.file);
        if (found == names.end())
            decisions.refuse(decision, fmt::format("no submission is called {}.{}", decision.file,
                                                   did_you_mean(decision.file, names)));
        if (decision.kernel.empty()) continue;
        Submission& submission = candidates[static_cast<std::size_t>(found - names.begin())].submission;
        const auto kernel = std::ranges::find(submission.kernels, decision.kernel, printable_line);
        if (kernel == submission.kernels.end())
            decisions.refuse(decision, fmt::format("{} has no kernel {}. It has: {}", decision.file,
                                                   decision.kernel, enumerate(submission.kernels)));
        submission.kernel = *kernel;
        submission.obstacle.clear();
    }
}

ClassGrades grade_class(const Rubric& rubric, const std::optional<Roster>& roster,
                        const std::vector<Candidate>& candidates, const Decisions& decisions) {
    return GradeBook(rubric, roster, decisions).make(candidates);
}

void compare_sources(ClassGrades& grades, const std::vector<ComparedSource>& given) {
    std::vector<std::optional<ComparedSource>> sources;
    for (const Graded& graded : grades.graded)
        if (graded.sources.empty())
            sources.emplace_back();
        else
            sources.push_back(ComparedSource{sha256_hex(whole_text(graded)), graded.print});
    grades.similar = find_similar(sources, given);
}

std::string whole_text(const Graded& graded) {
    std::string text;
    for (const auto& [name, content] : graded.sources)
        text +=
            (text.empty() ? "" : "\n// " + std::filesystem::path(name).filename().string() + '\n') + content;
    return text;
}

std::string names_of(const SimilarSources& group, const ClassGrades& grades) {
    std::vector<std::string> names;
    for (const std::size_t i : group.members) names.push_back(printable_line(grades.graded[i].name));
    return enumerate(names);
}

std::string handed_in_text(const HandedIn& attempt, const Rubric& rubric) {
    return attempt.handed_in && rubric.deadline ? rubric.deadline->zone.format(*attempt.handed_in) : "";
}

std::string timing_name(const TimedWork& timed, const Rubric& rubric) {
    return rubric.criteria[timed.criterion].name + place_words(timed.on);
}

std::string points_text(const std::optional<double>& points) {
    return points ? fmt::format("{:g}", *points) : "open";
}

}  // namespace kwb
