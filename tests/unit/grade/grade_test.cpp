// SPDX-License-Identifier: Apache-2.0
// Rubrics, rosters, submissions, and the points that follow.
#include "grade/grade.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "base/error.hpp"
#include "grade/class_grades.hpp"
#include "grade/grading.hpp"
#include "grade/roster.hpp"
#include "grade/submissions.hpp"
#include "support/temp_folder.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

#define CHECK_HAS(text, part)          \
    do {                               \
        const std::string said = text; \
        INFO(said);                    \
        CHECK(has(said, part));        \
    } while (false)

const std::string kHead = "title = \"T\"\nproblem = \"matmul\"\n";
const std::string kCompiles = "[[criterion]]\nname = \"compiles\"\npoints = 10\ncompiles = true\n";

template <class Work>
std::string refusal_of(const Work& work) {
    try {
        work();
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

Rubric rubric_of(const std::string& toml) {
    const TempFolder folder;
    return read_rubric(folder.write("r.toml", toml));
}

std::string refused_rubric(const std::string& toml) {
    return refusal_of([&] { rubric_of(toml); });
}

KernelResult result_at(const std::string& sizes, Verdict verdict) {
    KernelResult result;
    result.size = {{"N", std::stoll(sizes)}};
    result.verdict = verdict;
    result.reason = is_good(verdict) ? "" : "because\nand a line of the source";
    return result;
}

KernelResult timed_at(double ratio, double low, double high) {
    KernelResult result = result_at("8", Verdict::Correct);
    result.speedup = Speedup{"the reference", ratio, Interval{low, high}};
    return result;
}

const std::string kWhole =
    kHead + kCompiles +
    "[[criterion]]\nname = \"all\"\npoints = 20\nsizes = [\"1\", \"8\"]\n"
    "[[criterion]]\nname = \"each\"\npoints = 30\nsizes = [\"1\", \"8\", \"9\"]\neach = true\n"
    "[[criterion]]\nname = \"fact\"\npoints = 15\nat = \"8\"\nwhen = \"A.loads <= 4\"\n"
    "[[criterion]]\nname = \"fast\"\nfaster_than = \"x\"\nat = \"8\"\n"
    "steps = [[1, 5], [2, 25]]\n";

Work right() {
    Work work;
    for (const char* size : {"1", "8", "9"}) work.checks.push_back(result_at(size, Verdict::Correct));
    work.facts.assign(5, std::nullopt);
    work.facts[3] = true;
    work.timed.push_back({4, {timed_at(3, 2.9, 3.1)}});
    return work;
}

fs::path zip_of(const TempFolder& folder, const std::string& name, const std::string& script) {
    const fs::path file = folder / name;
    const std::string command = "cd '" + folder.path().string() + "' && " + script;
    REQUIRE(std::system(command.c_str()) == 0);
    return file;
}

}  // namespace

TEST_CASE("a rubric that gives no points, or is misspelt, is refused with its place") {
    CHECK_HAS(refused_rubric(kHead), "no points to award");
    CHECK_HAS(refused_rubric(kHead + "[[criterion]]\nname = \"a\"\npoints = 0\ncompiles = true\n"),
              "no points to award");
    CHECK_HAS(refused_rubric(kHead + "[[criterion]]\nname = \"a\"\npoints = 1\n"),
              "r.toml:3:1: a criterion must state its condition");
    CHECK_HAS(refused_rubric(kHead + "[[criterion]]\nname = \"a\"\npoints = -1\ncompiles = true\n"),
              "r.toml:5:10: points must be a number from 0");
    CHECK_HAS(refused_rubric(kHead + kCompiles + "visibility = \"secret\"\n"),
              "visibility must be \"visible\", \"after_due_date\"");
    CHECK_HAS(refused_rubric(kHead + "[[criterion]]\nname = \"a\"\nfaster_than = \"x\"\nat = \"8\"\n"
                                     "steps = [[2, 5], [1, 10]]\n"),
              "r.toml:7:18: ratios and points must rise");
    CHECK_HAS(refused_rubric(kHead + kCompiles + "lateness = 3\n"), "lateness");
    const std::string due = "deadline = 2026-12-01T23:59:00\n";
    CHECK_HAS(refused_rubric(due + kHead + kCompiles),
              "r.toml:1:12: add the time zone of the deadline: zone = ");
    CHECK_HAS(refused_rubric(due + "zone = \"Europe/Berlinn\"\n" + kHead + kCompiles),
              "r.toml:2:8: there is no time zone \"Europe/Berlinn\"");
    CHECK_HAS(refused_rubric("deadline = \"soon\"\nzone = \"UTC\"\n" + kHead + kCompiles),
              "r.toml:1:12: deadline must be a date and time, as 2026-12-01T23:59:00");
    CHECK_HAS(refused_rubric("deadline = 2026-12-01T23:59\n" + kHead + kCompiles), "r.toml:1:");
    CHECK_HAS(refused_rubric(due + due + kHead + kCompiles), "cannot redefine existing date-time 'deadline'");
    CHECK_HAS(refused_rubric("attempts = \"last_in_time\"\n" + kHead + kCompiles), "need a deadline");
    CHECK_HAS(refused_rubric("attempts = \"first\"\n" + kHead + kCompiles),
              "attempts must be \"ask\", \"best\", \"last\" or \"last_in_time\"");
    CHECK(rubric_of("deadline = 2026-12-01T23:59:00+01:00\n" + kHead + kCompiles).deadline.has_value());
    CHECK_HAS(refused_rubric(kHead + "[[criterion]]\nname = \"a\"\npoints = 1\nsizes = []\n"),
              "sizes must not be empty");
    CHECK_HAS(refused_rubric(kHead + "[[criterion]]\nname = \"a\"\npoints = 1\nat = \"8\"\n"
                                     "when = \"A.loadz <= 4\"\n"),
              "unknown fact `A.loadz`; an array has loads, ");
    CHECK_HAS(
        refused_rubric(kHead + kCompiles +
                       "[[mistake]]\nname = \"m\"\nwhen = \"'outside_bufer' in findings\"\nsays = \"S\"\n"),
        "`findings` never has 'outside_bufer'. Did you mean outside_buffer?");
}

TEST_CASE("points follow from what was observed") {
    const Rubric rubric = rubric_of(kWhole);
    CHECK(rubric.points() == 100);
    CHECK(rubric.sizes() == std::vector<std::string>{"1", "8", "9"});
    CHECK(grade_work(right(), rubric, 0).total == 100);
    CHECK(grade_work(right(), rubric, 0).doubt() == Doubt::None);

    Work work = right();
    work.checks[2] = result_at("9", Verdict::Undefined);
    work.timed.clear();
    const Grade grade = grade_work(work, rubric, 0);
    CHECK(grade.parts[1].points == 20);
    CHECK(grade.parts[2].points == doctest::Approx(20));
    CHECK(grade.parts[2].reason() == "right at 2 of 3 sizes; undefined at size N=9: because");
    CHECK(grade.parts[3].points == 15);
    CHECK(grade.parts[4].reason() == "only correct submissions are timed; undefined at size N=9: because");

    work = {};
    work.checks.push_back(result_at("1", Verdict::CompileError));
    work.facts.assign(5, std::nullopt);
    CHECK(grade_work(work, rubric, 0).total == 0);
    // A fault is told once.
    CHECK(reasons_once(grade_work(work, rubric, 0)) ==
          std::vector<std::string>{"compile error at size N=1: because", "compile error at size N=1",
                                   "right at 0 of 3 sizes; compile error at size N=1",
                                   "counts only for a correct result; compile error at size N=1",
                                   "only correct submissions are timed; compile error at size N=1"});
    work.obstacle = "there is nothing";
    CHECK(grade_work(work, rubric, 0).parts[1].why == "there is nothing");
}

TEST_CASE("a rubric without sizes still has one, to compile and to observe") {
    const Rubric rubric = rubric_of(kHead + kCompiles);
    CHECK(rubric.sizes() == std::vector<std::string>{kAnySize});
    Work work;
    work.checks.push_back(result_at("64", Verdict::Wrong));
    CHECK(grade_work(work, rubric, 0).total == 10);
}

TEST_CASE("a ratio near a step is a tie, and is marked") {
    const Rubric rubric = rubric_of(kWhole);
    Work work = right();
    using enum Doubt;
    KernelResult few_rounds = timed_at(5, 4, 6);
    few_rounds.speedup->interval.reset();
    for (const auto& [result, points, doubt] :
         {std::tuple{timed_at(2.5, 2.4, 2.6), 25.0, None},
          {timed_at(1.95, 1.9, 2.01), 5.0, Tie},
          {timed_at(2.03, 2.02, 2.04), 25.0, Tie},  // runs drift
          {timed_at(1.5, 1.4, 1.6), 5.0, None},
          {timed_at(0.5, 0.4, 0.6), 0.0, None},
          // Noise: only the step below the interval is sure.
          {timed_at(2.1, 1.6, 2.6), 5.0, Undecided},
          {timed_at(2.1, 0.9, 2.6), 0.0, Undecided},
          {timed_at(6, 4, 9), 25.0, None},  // above all steps, whatever it is
          {few_rounds, 0.0, Undecided}}) {
        work.timed.front().results = {result};
        const Grade grade = grade_work(work, rubric, 0);
        CHECK(grade.parts[4].points == points);
        CHECK(grade.doubt() == doubt);
    }
    work.timed.front().results = {few_rounds};
    CHECK_HAS(grade_work(work, rubric, 0).parts[4].why,
              "5.00× as fast as the reference: undecided, because fewer than 6 rounds");
}

TEST_CASE("portability is the harmonic mean of the shares of the best, over all places or not at all") {
    const Rubric rubric =
        rubric_of(kHead +
                  "[[criterion]]\nname = \"portable\"\nshare_of = [\"x\", \"y\"]\nat = \"8\"\n"
                  "on = [\"here\", \"gpubox\"]\nsteps = [[0.3, 5], [0.5, 10], [0.9, 20]]\n");
    CHECK(rubric.places() == std::vector<std::string>{"here", "gpubox"});
    const auto timed = [](const char* name, double ms, std::size_t rounds = 8) {
        KernelResult result = result_at("8", Verdict::Correct);
        result.kernel = name;
        result.samples_ms.assign(rounds, ms);
        return result;
    };
    Work work;
    work.checks = {result_at("64", Verdict::Correct)};
    work.timed = {{0, {timed("own", 1), timed("x", 2), timed("y", 5)}, "here"}};
    CHECK(share_of_best(work.timed.front())->value == 1);
    CHECK(grade_work(work, rubric, 0).parts[0].reason() == "its time could not be compared");
    work.timed.push_back({0, {timed("own", 4), timed("x", 2), timed("y", 1)}, "gpubox"});
    CHECK(grade_work(work, rubric, 0).parts[0].points == 5);
    CHECK(grade_work(work, rubric, 0).parts[0].why ==
          "a portability of 0.40 (0.40 to 0.40): 1.00 of the speed of x here and 0.25 of the speed of y on "
          "gpubox; 10 points at 0.5");
    work.timed[1].results[2] = timed("y", 1, 3);
    CHECK(grade_work(work, rubric, 0).doubt() == Doubt::Undecided);
    work.timed[1].results[0].verdict = Verdict::Wrong;
    CHECK_HAS(grade_work(work, rubric, 0).parts[0].reason(), "on gpubox; wrong at size N=8");
    CHECK_HAS(refused_rubric(kHead + "[[criterion]]\nname = \"a\"\nshare_of = \"x\"\nat = \"8\"\n"
                                     "on = \"here\"\nsteps = [[2, 5]]\n"),
              "the share must be a number from 0.01 to 1");
}

TEST_CASE("what is missing for the next points is told with its figures") {
    const Rubric rubric = rubric_of(kWhole);
    Work work = right();
    work.facts[3] = false;
    work.figures = {"", "", "", "A.loads is 8", ""};
    KernelResult timed = timed_at(1.5, 1.4, 1.6), reference = result_at("8", Verdict::Correct);
    timed.median_ms = 2;
    reference.median_ms = 3;
    work.timed.front().results = {timed, reference};
    const Grade grade = grade_work(work, rubric, 0);
    CHECK(grade.parts[3].why == "at size 8, this is false: A.loads <= 4; A.loads is 8");
    CHECK(
        grade.parts[4].why ==
        "1.50× (1.40 to 1.60) as fast as the reference; 25 points at 2×, that is 1.50 ms instead of 2.00 ms");
    CHECK(gpus_in(Expression::parse("a100.bound_ns <= 5 and gfx906.occupancy > 0.5 and A.loads < 2")) ==
          std::vector<std::string>{"a100", "gfx906"});
    Rubric computed = rubric;
    computed.criteria[3].when = Expression::parse("a100.bound_ns <= 5");
    CHECK_HAS(grade_work(work, computed, 0).parts[3].why, " (computed, not measured)");
    computed.criteria[3].when = Expression::parse("b200x.bound_ns <= 5");
    CHECK_HAS(refusal_of([&] { gpus_of(computed); }), "in `b200x.bound_ns <= 5`, ");
}

TEST_CASE("late days cost points, totals are rounded, nobody gets less than 0") {
    const Rubric rubric = rubric_of(
        "title = \"T\"\nproblem = \"matmul\"\nrounding = 0.5\nlate_per_day = 7.3\nlate_at_most = 60\n" +
        kWhole.substr(kHead.size()));
    CHECK(grade_work(right(), rubric, 0.2).total == 92.5);
    CHECK(grade_work(right(), rubric, 30).total == 40);
    Work work;
    work.checks = {result_at("1", Verdict::Wrong)};
    work.facts.assign(5, std::nullopt);
    CHECK(grade_work(work, rubric, 30).total == 0);
    Rubric coarse = rubric;
    coarse.rounding = 7;
    CHECK(grade_work(right(), coarse, 0).total == 100);
    CHECK(grade_work(right(), coarse, 1).total == 91);
}

TEST_CASE("submissions are found however they are packed") {
    const TempFolder folder;
    folder.write("in/Jane Doe_12_assignsubmission_file_/matmul.cl", "kernel");
    folder.write("in/Jane Doe_12_assignsubmission_file_/other.cl", "old");
    folder.write("in/doejohn_LATE_34_56_matmul.cl", "\xef\xbb\xbfkernel");
    folder.write("in/octocat.cl", std::string("\xff\xfek\0\n\0", 6));
    folder.write("in/README.md", "not one");
    folder.write("in/Zoe/deep/er/mine.cl", "kernel // \xfc");
    folder.write("in/Zoe/__MACOSX/._mine.cl", "junk");
    fs::create_directories(folder / "in/Nobody");
    folder.write("in/Two/a.cl", "1");
    folder.write("in/Two/b.cl", "2");
    fs::create_directories(folder / "in/Link");
    fs::create_symlink("/etc/passwd", folder / "in/Link/matmul.cl");
    const auto found = find_submissions(folder / "in", "matmul.cl");
    REQUIRE(found.size() == 7);
    CHECK(found[0].name == "doejohn");
    CHECK(found[0].id == "34");
    CHECK(found[0].is_late);
    CHECK(found[0].files.front().value == "kernel");
    CHECK(found[1].name == "Jane Doe");
    CHECK(found[1].id == "12");
    CHECK(found[1].kernel == "Jane Doe_12_assignsubmission_file_/matmul.cl");
    CHECK_HAS(found[2].obstacle, "matmul.cl is a link");
    CHECK_HAS(found[3].obstacle, "no kernel");
    CHECK(found[4].files.front().value == "k\n");
    CHECK_HAS(found[5].obstacle, "matmul.cl is missing; found a.cl and b.cl");
    CHECK(found[6].kernel == "Zoe/deep/er/mine.cl");
    CHECK(found[6].files.front().value == "kernel // ü");
    CHECK(found[6].obstacle == "");
    CHECK_HAS(refusal_of([&] { find_submissions(folder / "none", {}); }),
              "Give the folder with the submissions");
    CHECK_HAS(refusal_of([&] { find_submissions(folder / "in/Nobody", {}); }), "no submissions");
}

TEST_CASE("a file that is no kernel is a submission without one, unless teachers keep such files") {
    const TempFolder folder;
    for (const char* name : {"dan.rar", "eve.c", "kim.tar.gz", "roster.csv", "doejohn_34_56_report.pdf"})
        folder.write(std::string("src/") + name, "x");
    const auto told = [&](const fs::path& where) {
        std::string all;
        for (const Submission& each : find_submissions(where, {}))
            all += each.name + ": " + each.obstacle + '\n';
        return all;
    };
    const std::string wanted =
        "dan: dan.rar is an archive that cannot be opened. Ask for .zip, .tar, .tar.gz or .7z\n"
        "doejohn: no kernel, that is, no file whose name ends with .cl\n"
        "eve: no kernel, that is, no file whose name ends with .cl\n"
        "kim: kim.tar.gz cannot be unpacked";
    CHECK_HAS(told(folder / "src"), wanted);
    CHECK_HAS(told(zip_of(folder, "all.tar.gz", "tar czf all.tar.gz -C src .")), wanted);
}

TEST_CASE("a time in an archive that has no zone is one of the deadline's") {
    const TempFolder folder;
    // Ann.cl of 2026-07-01 23:30, as zipfile of Python writes it.
    constexpr std::string_view kZip(
        "PK\003\004\024\000\000\000\000\000\300\273\341\134]Wb\010\001\000\000\000\001\000\000\000"
        "\006\000\000\000Ann.clkPK\001\002\024\003\024\000\000\000\000\000\300\273\341\134]Wb\010"
        "\001\000\000\000\001\000\000\000\006\000\000\000\000\000\000\000\000\000\000\000\200\001"
        "\000\000\000\000Ann.clPK\005\006\000\000\000\000\001\000\001\0004\000\000\000%\000\000"
        "\000\000\000",
        111);
    const fs::path made = folder.write("all.zip", std::string(kZip));
    const TimeZone berlin = TimeZone::open("Europe/Berlin"), tokyo = TimeZone::open("Asia/Tokyo");
    CHECK(berlin.format(*find_submissions(made, {}, &berlin).front().changed) == "2026-07-01 23:30 +02:00");
    CHECK(tokyo.format(*find_submissions(made, {}, &tokyo).front().changed) == "2026-07-01 23:30 +09:00");
    // A .tar has UTC.
    const fs::path packed = zip_of(
        folder, "all.tar", "mkdir Ann && touch -d 2026-07-01T21:30Z Ann/matmul.cl && tar cf all.tar Ann");
    CHECK(berlin.format(*find_submissions(packed, {}, &tokyo).front().changed) == "2026-07-01 23:30 +02:00");
}

TEST_CASE("archives are opened, and what is wrong with them is said") {
    const TempFolder folder;
    folder.write("src/Ann_1_assignsubmission_file_/matmul.cl", "kernel");
    folder.write("src/Bob_2_assignsubmission_file_/x/matmul.cl", "kernel");
    fs::create_directories(folder / "in");
    const fs::path packed = zip_of(folder, "all.tar.gz", "tar czf all.tar.gz -C src .");
    const auto found = find_submissions(packed, {});
    REQUIRE(found.size() == 2);
    CHECK(found[1].name == "Bob");
    CHECK(found[1].kernel == "Bob_2_assignsubmission_file_/x/matmul.cl");
    zip_of(folder, "in/a.tgz", "tar czf in/a.tgz -C src/Bob_2_assignsubmission_file_ x");
    zip_of(folder, "in/b.tar",
           "tar cPf in/b.tar --transform 's,^,../,' src/Ann_1_assignsubmission_file_/matmul.cl");
    zip_of(folder, "in/c.tar", "ln -s /etc/passwd matmul.cl && tar cf in/c.tar matmul.cl");
    folder.write("in/d.zip", "PK\x03\x04 and then nothing");
    const auto some = find_submissions(folder / "in", {});
    REQUIRE(some.size() == 4);
    CHECK(some[0].obstacle == "");
    CHECK_HAS(some[1].obstacle, "which leads out of the archive");
    CHECK_HAS(some[2].obstacle, "matmul.cl in c.tar is a link");
    CHECK_HAS(some[3].obstacle, "d.zip cannot be unpacked");
}

TEST_CASE("a roster finds its students, and is refused if it is unclear") {
    const TempFolder folder;
    const Roster roster = read_roster(folder.write(
        "r.csv",
        "Identifier,Full name,Email address,Grade\r\nParticipant 12,\"Doe, Jane\",j@x.org,\r\nParticipant "
        "34,Max Müller,max.m@x.org,\r\n"));
    CHECK(roster.kind == Roster::Kind::Moodle);
    using Rows = std::vector<std::size_t>;
    CHECK(find_students(roster, "whoever", "34") == Rows{1});
    CHECK(find_students(roster, "Jane Doe", "") == Rows{0});
    CHECK(find_students(roster, "doejane", "") == Rows{0});
    CHECK(find_students(roster, "max.m", "") == Rows{1});
    CHECK(find_students(roster, "Someone Else", "99").empty());
    CHECK(find_students(roster, "Jane Doe", "34") == Rows{1, 0});
    const Roster logins = read_roster(folder.write("r.csv", "name,id,email\nAda,ml12,a@x\nBob,ab12,b@x\n"));
    CHECK(find_students(logins, "Bob", "12") == Rows{1});
    CHECK(find_students(logins, "ml12", "ml12") == Rows{0});
    const Roster twins = read_roster(folder.write("r.csv", "id,name\n1,Max\n2,Max\n3,Eve\n"));
    CHECK(find_students(twins, "Max", "") == Rows{0, 1});
    CHECK(find_students(twins, "Max", "2") == Rows{1});
    CHECK_HAS(refusal_of([&] { read_roster(folder.write("r.csv", "points\n1\n")); }),
              "no column identifies the students");
    CHECK_HAS(refusal_of([&] { read_roster(folder.write("r.csv", "name\n")); }), "no students");
    CHECK_HAS(refusal_of([&] { read_roster(folder.write("r.csv", "name;id\nA;1\nB;1\n")); }),
              "record 3: B appears twice, already in record 2");
    CHECK_HAS(refusal_of([&] { read_roster(folder.write("r.csv", "id,name\nann,A\nAnn,B\n")); }),
              "record 3: B appears twice, already in record 2");
    CHECK_HAS(refusal_of([&] { read_roster(folder.write("r.csv", "name,id\nA,1,2\n")); }),
              "record 2 has 3 fields");
    const TimeZone utc = TimeZone::open("UTC");
    const Roster times =
        read_roster(folder.write("r.csv", "name;submitted;extension\nA;soon;1.5\nB;;2026-12-01 10:00\n"));
    CHECK_HAS(refusal_of([&] { times.handed_in(0, utc); }),
              "A: 'soon' is not a time. Write it as 2026-12-01 23:59");
    CHECK_HAS(refusal_of([&] { times.extension(0, utc); }),
              "A: the extension '1.5' is neither a whole number of days, at most 1000, nor a time");
    CHECK(times.extension(1, utc).until.has_value());
    const Roster late = read_roster(folder.write("r.csv", "name\tdays late\nA\t2\nB\tlots\n"));
    CHECK(late.days_late(0) == 2);
    CHECK_HAS(refusal_of([&] { late.days_late(1); }), "B: 'lots' is not a number of days");
}

TEST_CASE("grades are written as platforms read them") {
    ClassGrades grades{rubric_of(kWhole), std::nullopt, {}, {}};
    Graded graded{"=cmd|' /C calc'!A0", "7"};
    graded.work = right();
    graded.work.checks[0] = result_at("1", Verdict::Wrong);
    graded.work.timed.clear();
    graded.grade = grade_work(graded.work, grades.rubric, 0);
    graded.points = graded.grade.total;
    grades.graded.push_back(graded);
    CHECK_HAS(grades_to_csv(grades), "'=cmd");
    CHECK_HAS(grades_to_junit(grades),
              "<failure message=\"wrong at size N=1: because\">0 of 20 points</failure>");
    CHECK_HAS(grades_to_classroom(grades), "\"max_score\": 100");
    const TempFolder folder;
    grades.rubric.criteria[1].visibility = Visibility::AfterDueDate;
    const auto results = nlohmann::json::parse(grades_to_gradescope(grades));
    CHECK(results["score"] == 45);
    CHECK(results["tests"][1]["visibility"] == "after_due_date");
    CHECK(results["tests"][1]["max_score"] == 20);
    CHECK(results["tests"][1]["status"] == "failed");
    CHECK(results["tests"][1]["output"] == "wrong at size N=1: because");
    CHECK(results["leaderboard"].empty());
    KernelResult timed = timed_at(3, 2.9, 3.1);
    timed.median_ms = 1.5;
    grades.graded.front().work.timed = {{4, {timed}}};
    const auto leader = nlohmann::json::parse(grades_to_gradescope(grades))["leaderboard"][0];
    CHECK(leader["name"] == "fast (ms)");
    CHECK(leader["value"] == 1.5);
    CHECK(leader["order"] == "asc");
    grades.graded.front().decision = Decision{"", "x", "", 45.0, std::string(400, 'x'), "*me* <b>", {}};
    CHECK_HAS(grades_to_comment(grades),
              "**T: 45 of 100 points**\n\n| for | points | reason for lost points |\n|---|---|---|\n"
              "| compiles | 10 of 10 |  |\n| all | 0 of 20 | wrong at size N=1: because |\n");
    CHECK_HAS(grades_to_comment(grades), "\n\ndecided by \\*me\\*");
    CHECK_HAS(nlohmann::json::parse(grades_to_gradescope(grades))["output"].get<std::string>(),
              "decided by \\*me\\* \\<b\\>, originally 45 points: xxx");
    grades.roster = read_roster(folder.write("r.csv", "Identifier,Full name,Grade\n7,Jane,\n"));
    grades.graded.front().row = 0;
    const std::string moodle = read_csv(grades_to_csv(grades), ',')[1][3];
    CHECK(moodle.starts_with("decided by *me* <b>"));
    CHECK(moodle.ends_with("x…"));
    CHECK(std::ranges::count_if(moodle, starts_character) == 300);
    grades.graded.front().decision.reset();
    grades.roster =
        read_roster(folder.write("r.csv", "Student,ID,Section\n    Points Possible,,\n\"Doe, Jane\",7,A\n"));
    grades.graded.front().row = 1;
    CHECK(grades_to_csv(grades) ==
          "Student,ID,Section,T\r\n    Points Possible,,,100\r\n\"Doe, Jane\",7,A,45\r\n");
}

TEST_CASE("a journal gives back what was kept, and ignores a line that was cut off") {
    const TempFolder folder;
    const fs::path file = folder / "deep/journal.jsonl";
    Journal(file, false).keep("a", right());
    std::ofstream(file, std::ios::app) << "{\"version\": \"";
    const Journal again(file, true);
    REQUIRE(again.find("a") != nullptr);
    CHECK(again.find("a")->timed.front().result().speedup->value == 3);
    CHECK(again.find("b") == nullptr);
    CHECK(Journal(file, false).find("a") == nullptr);
}

TEST_CASE("CSV fields keep what they hold") {
    CHECK(read_csv("a;\"b;\"\"c\"\"\nd\"\r\n\r\n;x", ';') ==
          std::vector<std::vector<std::string>>{{"a", "b;\"c\"\nd"}, {"", "x"}});
    CHECK(csv_line({"a", "b,\"c\"", ""}) == "a,\"b,\"\"c\"\"\",\r\n");
}
