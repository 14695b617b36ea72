// SPDX-License-Identifier: Apache-2.0
// The grades of a class: whose submission is whose, what is open, and what a teacher decided.
#include "grade/class_grades.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "support/temp_folder.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

const std::string kRubricOfClass =
    "title = \"T\"\nproblem = \"matmul\"\nkernel = \"matmul.cl\"\n"
    "[[criterion]]\nname = \"compiles\"\npoints = 10\ncompiles = true\n";

class ClassRoom {
public:
    explicit ClassRoom(const std::string& roster = "", const std::string& head = "")
        : rubric_(read_rubric(folder_.write("rubric.toml", head + kRubricOfClass))) {
        if (!roster.empty()) roster_ = read_roster(folder_.write("roster.csv", roster));
    }
    void hand_in(const std::string& path, const std::string& when = "2026-12-01 12:00Z") const {
        const fs::path file = folder_.write("in/" + path, "kernel");
        const auto time = parse_time(when)->in(TimeZone::open("UTC"));
        fs::last_write_time(file, std::chrono::file_clock::from_sys(time));
    }
    void decide(const std::string& toml) { toml_ = toml; }

    /// Everything that can be graded gets all points.
    ClassGrades grade() const {
        std::vector<Candidate> candidates;
        for (Submission& submission : find_submissions(folder_ / "in", rubric_.kernel))
            candidates.push_back({std::move(submission)});
        const Decisions decisions =
            toml_.empty() ? Decisions{} : read_decisions(folder_.write("d.toml", toml_), rubric_.points());
        apply_kernel_decisions(candidates, decisions);
        for (Candidate& candidate : candidates) {
            candidate.work.obstacle = candidate.submission.obstacle;
            candidate.work.checks.emplace_back().verdict = Verdict::Correct;
        }
        return grade_class(rubric_, roster_, candidates, decisions);
    }
    /// "Ann 10, Bob open"
    std::string points() const {
        std::vector<std::string> all;
        for (const Graded& graded : grade().graded)
            all.push_back(graded.name + ' ' + points_text(graded.points));
        return join(all, ", ");
    }
    std::string refusal(const std::string& toml) {
        toml_ = toml;
        try {
            grade();
        } catch (const BadInput& error) {
            return std::string(error.what()).substr((folder_ / "").string().size());
        }
        return "";
    }

private:
    TempFolder folder_;
    Rubric rubric_;
    std::optional<Roster> roster_;
    std::string toml_;
};

std::string decision(const std::string& lines) {
    return "[[decision]]\n" + lines + "\nby = \"Dr. Doe\"\n";
}

std::string questions(const ClassGrades& grades) {
    std::string all;
    for (const OpenQuestion& question : grades.open)
        all += question.file + '|' + question.student + '|' + question.why + '|' +
               join(question.answers, "; ") + '\n';
    return all;
}

}  // namespace

TEST_CASE("what cannot be graded is open until the teacher decides") {
    ClassRoom room;
    room.hand_in("Ann/matmul.cl");
    room.hand_in("Bob/a.cl");
    room.hand_in("Bob/b.cl");
    room.hand_in("Eve/readme.txt");
    CHECK(room.points() == "Ann 10, Bob open, Eve open");
    CHECK(questions(room.grade()) ==
          "Bob|Bob|matmul.cl is missing; found a.cl and b.cl|kernel = \"Bob/a.cl\"; kernel = \"Bob/b.cl\"; "
          "points = 0\n"
          "Eve|Eve|no kernel, that is, no file whose name ends with .cl|points = 0\n");
    room.decide(decision("file = \"Bob\"\nkernel = \"Bob/b.cl\"") +
                decision("student = \"Eve\"\npoints = 4\nremark = \"was ill\""));
    CHECK(room.points() == "Ann 10, Bob 10, Eve 4");
    CHECK(room.grade().open.empty());
    // An appeal: the original points stay visible.
    room.decide(decision("file = \"Ann\"\npoints = 7.5\nremark = \"copied\""));
    const Graded ann = room.grade().graded.front();
    CHECK(ann.points == 7.5);
    CHECK(ann.grade.total == 10);
    CHECK(decided_words(ann) == "decided by Dr. Doe, originally 10 points");
}

TEST_CASE("a submission whose student is unclear is open, and so are the students it may be from") {
    ClassRoom room("id,name\n1,Max\n2,Max\n3,Zoe Doe\n4,Kim\n");
    room.hand_in("Max/matmul.cl");
    room.hand_in("zd.cl");
    room.hand_in("Kim.cl");
    room.hand_in("kim/matmul.cl");
    CHECK(room.points() == "Kim open, Max 10, Max open, Max open, zd 10, Zoe Doe open");
    CHECK(questions(room.grade()) ==
          "|Kim|handed in 2 times, so it is unclear what counts: Kim.cl and kim|file = \"Kim.cl\"; "
          "file = \"kim\"; points = 0\n"
          "Max|Max|2 students in the roster are called Max|student = \"1\"; student = \"2\"; points = 0\n"
          "zd.cl|zd|zd is not in the roster|student = \"\"; points = 0\n");
    room.decide(decision("file = \"Max\"\nstudent = \"2\"") +
                decision("file = \"zd.cl\"\nstudent = \"Zoe Doe\"") +
                decision("student = \"Kim\"\nfile = \"kim\""));
    CHECK(room.points() == "Kim 10, Max 10, Max 0, Zoe Doe 10");
    CHECK(room.grade().open.empty());
}

TEST_CASE("who seems to have handed in nothing gets 0 only if every submission has its student") {
    ClassRoom room("id,name\n1,Ann\n2,Zoe\n");
    room.hand_in("Ann.cl");
    CHECK(room.points() == "Ann 10, Zoe 0");
    room.hand_in("zoo.cl");
    CHECK(room.points() == "Ann 10, Zoe open, zoo 10");
    const ClassGrades grades = room.grade();
    CHECK(grades.graded[1].work.obstacle == "nothing was handed in, unless zoo.cl is from this student");
    CHECK(has(grades_to_csv(grades), "2,Zoe,,"));
    room.decide(decision("file = \"zoo.cl\"\npoints = 0"));
    CHECK(room.points() == "Ann 10, Zoe 0, zoo 0");
    CHECK(room.refusal(decision("file = \"zoo.cl\"\npoints = 5")) ==
          "d.toml:1:1: zoo.cl is from nobody in the roster, so that its points would be lost. Add `student`");
}

TEST_CASE("a submission whose number and name are those of different students is open") {
    const ClassRoom room("id,name\njd12,Jane Doe\n12,Kim\nbm77,Bob Miller\n");
    room.hand_in("Bob Miller_12_assignsubmission_file_/matmul.cl");
    room.hand_in("Jane Doe_99_assignsubmission_file_/matmul.cl");
    CHECK(room.points() == "Bob Miller 10, Bob Miller open, Jane Doe 10, Kim open");
    CHECK(has(questions(room.grade()),
              "its number and its name are those of different students: Kim and Bob Miller|student = \"12\"; "
              "student = \"bm77\""));
}

TEST_CASE("of two students with one name and no roster, a decision must name the submission") {
    ClassRoom room;
    room.hand_in("Jane Doe_1_assignsubmission_file_/matmul.cl");
    room.hand_in("Jane Doe_2_assignsubmission_file_/matmul.cl");
    CHECK(
        room.refusal(decision("student = \"Jane Doe\"\npoints = 7")) ==
        "d.toml:1:1: 2 students are called Jane Doe. Name the submission, with `file` instead of `student`");
    room.decide(decision("student = \"2\"\npoints = 7"));
    CHECK(room.points() == "Jane Doe 10, Jane Doe 7");
}

TEST_CASE("what is decided is what platforms get") {
    ClassRoom room;
    room.hand_in("Ann.cl");
    room.decide(decision("student = \"Ann\"\npoints = 2.5\nremark = \"copied\""));
    const std::string text = grades_to_classroom(room.grade());
    CHECK(has(text, "\"score\": 2.5"));
    CHECK(has(text, "copied"));
    CHECK(has(text, "\"status\": \"fail\""));
    CHECK_FALSE(has(text, "\"score\": 10"));
}

TEST_CASE("the template of decisions can be read, and asks nothing twice") {
    ClassRoom room;
    room.hand_in("Bob \"x\"/a.cl");
    room.hand_in("Bob \"x\"/b.cl");
    const std::string text = decision_template(room.grade().open, {});
    CHECK(has(text, "[[decision]]\nfile = \"Bob \\\"x\\\""));
    CHECK(has(text, "\n# kernel = \"Bob \\\"x\\\""));
    room.decide(text);
    CHECK(room.points() == "Bob \"x\" open");
    const TempFolder folder;
    const Decisions known = read_decisions(folder.write("d.toml", text), 10);
    CHECK(decision_template(room.grade().open, known) == "");
    // Also the questions of a whole class.
    std::vector<OpenQuestion> many(1000, OpenQuestion{"", "", std::string(100, 'w'), {"points = 0"}});
    for (std::size_t i = 0; i < many.size(); ++i) many[i].file = "submission " + std::to_string(i);
    CHECK(read_decisions(folder.write("many.toml", decision_template(many, {})), 10).list.size() == 1000);
    room.decide(replaced(replaced(text, "# points = 0", "points = 3"), "by = \"\"", "by = \"me\""));
    CHECK(room.points() == "Bob \"x\" 3");
}

TEST_CASE("a decision that is unclear is refused with its place") {
    ClassRoom room("id,name\n1,Max\n2,Max\n3,Zoe\n");
    room.hand_in("Zoe/matmul.cl");
    CHECK(room.refusal(decision("student = \"Zo\"\npoints = 1")) ==
          "d.toml:1:1: no student is called Zo. Did you mean Zoe?");
    CHECK(room.refusal(decision("file = \"Zo\"\npoints = 1")) ==
          "d.toml:1:1: no submission is called Zo. Did you mean Zoe?");
    CHECK(room.refusal(decision("student = \"Max\"\npoints = 1")) ==
          "d.toml:1:1: 2 students are called Max. Name one by the id");
    CHECK(
        room.refusal(decision("student = \"Zoe\"\npoints = 1") + decision("student = \"zoe\"\npoints = 2")) ==
        "d.toml:5:1: zoe is already decided in line 1. Keep one of the two");
    CHECK(room.refusal(decision("student = \"3\"\npoints = 1") + decision("file = \"Zoe\"\npoints = 2")) ==
          "d.toml:5:1: Zoe is already decided in line 1. Keep one of the two");
    CHECK(room.refusal(decision("student = \"Zoe\"\npoints = 10.5")) ==
          "d.toml:1:1: points must be from 0 to 10, the most that the rubric gives");
    CHECK(room.refusal(decision("student = \"Zoe\"\npoints = nan")) != "");
    CHECK(room.refusal(decision("points = 1")) ==
          "d.toml:1:1: a decision must name a file (of a submission) or a student");
    CHECK(room.refusal(decision("student = \"Zoe\"\nremark = \"x\"")) ==
          "d.toml:1:1: nothing is decided. Add points, or kernel, or both file and student");
    CHECK(room.refusal("[[decision]]\nstudent = \"Zoe\"\npoints = 1\n") ==
          "d.toml:1:1: `by` must name who decided");
    CHECK(room.refusal(decision("file = \"Zoe\"\nkernel = \"b.cl\"")) ==
          "d.toml:1:1: Zoe has no kernel b.cl. It has: Zoe/matmul.cl");
    CHECK(has(room.refusal(decision("student = \"Zoe\"\npoint = 1")), "has no key `point`"));
}

TEST_CASE("days after the deadline cost points, unless there is a grace or an extension") {
    const std::string due = "deadline = 2026-12-01T23:59:00\nzone = \"Europe/Berlin\"\n";
    const ClassRoom room(
        "name,Last modified (submission),extension\nAnn,\"Tuesday, 1 December 2026, 11:59 PM\",\n"
        "Bob,2026-12-02 00:15,\nEve,2026-12-02 00:15,1\nKim,-,2026-12-05 12:00\nMax,2026-12-06 "
        "00:00,\nZoe,,\n",
        due + "late_per_day = 2\n");
    for (const char* name : {"Ann", "Bob", "Eve", "Max", "Zoe"}) room.hand_in(std::string(name) + ".cl");
    room.hand_in("Kim.cl", "2026-12-05 11:01Z");
    CHECK(room.points() == "Ann 10, Bob 8, Eve 10, Kim 8, Max 0, Zoe 10");
    const Graded kim = room.grade().graded[3];
    CHECK(kim.attempts.front().is_file_time);
    CHECK(has(student_page(room.grade(), kim, ""), "2026-12-05 12:01 +01:00 (of the file)"));
    CHECK(has(student_page(room.grade(), kim, ""), "the deadline was 2026-12-01 23:59 +01:00"));
    CHECK(has(grades_to_csv(room.grade()), "Bob,2026-12-02 00:15,,8,"));

    const ClassRoom grace("name,submitted\nBob,2026-12-02 00:15\n",
                          due + "late_per_day = 2\ngrace_min = 30\n");
    grace.hand_in("Bob.cl");
    CHECK(grace.points() == "Bob 10");

    // Summer time ends before the extension does.
    const ClassRoom summer("name,submitted,extension\nBob,2026-10-27 23:30,7\nEve,2026-10-28 00:00,7\n",
                           "deadline = 2026-10-20T23:59:00\nzone = \"Europe/Berlin\"\nlate_per_day = 2\n");
    for (const char* name : {"Bob", "Eve"}) summer.hand_in(std::string(name) + ".cl");
    CHECK(summer.points() == "Bob 10, Eve 8");
}

TEST_CASE("of several attempts, the rubric or the teacher chooses") {
    const auto points_by = [](const std::string& rule) {
        const ClassRoom room(
            "", "deadline = \"2026-12-01 12:00Z\"\nlate_per_day = 3\nattempts = \"" + rule + "\"\n");
        room.hand_in("Ann attempt 1.cl", "2026-11-01 12:00Z");
        room.hand_in("Ann_attempt2.cl", "2026-12-01 11:00Z");
        room.hand_in("Ann-attempt-3/matmul.cl", "2026-12-02 11:00Z");
        room.hand_in("Bob_attempt1.cl", "2026-12-02 11:00Z");
        room.hand_in("Bob_attempt2.cl", "2026-12-04 11:00Z");
        std::string all = room.points() + ':';
        for (const Graded& graded : room.grade().graded)
            for (const HandedIn& attempt : graded.attempts)
                if (attempt.counts) all += ' ' + attempt.entry;
        return all;
    };
    CHECK(points_by("best") == "Ann 10, Bob 7: Ann attempt 1.cl Bob_attempt1.cl");
    CHECK(points_by("last") == "Ann 7, Bob 1: Ann-attempt-3 Bob_attempt2.cl");
    CHECK(points_by("last_in_time") == "Ann 10, Bob 7: Ann_attempt2.cl Bob_attempt1.cl");
    CHECK(points_by("ask") == "Ann open, Bob open:");
}

TEST_CASE("an attempt that cannot be graded may be the best one, and equal times tell no order") {
    const auto room_by = [](const std::string& rule) {
        return ClassRoom("",
                         "late_per_day = 3\nattempts = \"" + rule + "\"\ndeadline = \"2026-12-01 13:00Z\"\n");
    };
    ClassRoom best = room_by("best");
    best.hand_in("Ann_attempt1.cl", "2026-12-01 14:00Z");  // 7 points
    best.hand_in("Ann_attempt2/a.cl");
    best.hand_in("Ann_attempt2/b.cl");
    CHECK(best.points() == "Ann open");
    CHECK(
        has(questions(best.grade()),
            "handed in 2 times, so it is unclear what counts: Ann_attempt2 and Ann_attempt1.cl; Ann_attempt2 "
            "cannot be graded: matmul.cl is missing"));
    best.decide(decision("file = \"Ann_attempt2\"\nkernel = \"Ann_attempt2/a.cl\""));
    CHECK(best.points() == "Ann 10");

    const ClassRoom full = room_by("best");
    full.hand_in("Ann_attempt1.cl");
    full.hand_in("Ann_attempt2/none.h");
    full.hand_in("Ann_attempt2/matmul.rar");
    CHECK(full.points() == "Ann 10");

    for (const char* rule : {"last", "last_in_time"}) {
        CAPTURE(rule);
        ClassRoom same = room_by(rule);
        same.hand_in("Ann_attempt2.cl");
        same.hand_in("Ann_attempt10.cl");
        CHECK(same.points() == "Ann 10");
        const Graded ann = same.grade().graded.front();
        CHECK(ann.attempts.back().entry == "Ann_attempt10.cl");
        CHECK(ann.attempts.back().counts);
        same.hand_in("Ann attempt 10.cl");
        CHECK(same.points() == "Ann open");
    }
}

TEST_CASE("a text typed online next to the file is no second submission") {
    // The roster's time is that of the only submission.
    const ClassRoom room("id,name,submitted\n1,Ann,2026-12-01 10:00\n",
                         "deadline = \"2026-12-01 12:00Z\"\nlate_per_day = 2\n");
    room.hand_in("Ann_1_assignsubmission_file_/matmul.cl", "2026-12-03 12:00Z");
    room.hand_in("Ann_1_assignsubmission_onlinetext_/onlinetext.html");
    CHECK(room.points() == "Ann 10");
}
