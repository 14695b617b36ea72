// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "lessons/assessment.hpp"
#include "lessons/lesson.hpp"
#include "lessons/progress.hpp"
#include "support/temp_folder.hpp"
#include "support/words.hpp"

// --- lessons ---

// Lessons: their files, and what is said of an attempt.

using namespace kwb;
using namespace kwb::test;

namespace {

const std::string kHead =
    "title = \"T\"\nproblem = \"copy\"\nsize = \"8\"\nsizes = [\"1\", \"8\"]\nhints = [\"a\", \"b\", "
    "\"c\"]\n";

/// A course with one lesson. @param toml  of the lesson
std::filesystem::path write_course(const TempFolder& folder, const std::string& toml) {
    folder.write("02_idea/lesson.toml", toml);
    folder.write("02_idea/lesson.md", "# Story\n");
    folder.write("02_idea/exercise.cl", "a = ____;");
    folder.write("02_idea/solution/exercise.cl", "a = b + b;");
    return folder.path();
}

std::string refusal_of(const std::string& toml) {
    const TempFolder folder;
    try {
        read_lessons(write_course(folder, toml));
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

KernelResult result_with(Verdict verdict) {
    KernelResult result;
    result.verdict = verdict;
    return result;
}

/// Sub-groups of 4 that load A in 6 sectors an access, each element twice.
XrayReport observed() {
    XrayReport report;
    report.sub_group = 4;
    report.launches = {{"k", {8}, {4}, 2, 2, 2}};
    XrayBuffer buffer;
    buffer.name = "A";
    buffer.loads = 16;
    buffer.elements_loaded = 8;
    report.buffers = {buffer};
    XraySite site;
    site.sub_group_accesses = 2;
    site.sectors = 12;
    site.active_lanes = 6;
    report.sites = {site};
    return report;
}

}  // namespace

TEST_CASE("a lesson is read whole, and found by number, idea and name") {
    const TempFolder folder;
    const auto lessons = read_lessons(write_course(
        folder, kHead + "[[goal]]\nsays = \"few\"\nwhen = \"A.loads <= 1\"\n[[mistake]]\nname = \"m\"\n"
                        "is_exercise = true\nchanges = [[\"+ b\", \"- b\", \"a = \", \"c = \"]]\nwhen = "
                        "\"verdict == 'wrong'\"\n"
                        "says = \"S.\"\n"));
    REQUIRE(lessons.size() == 1);
    const Lesson& lesson = lessons.front();
    CHECK(lesson.number == 2);
    CHECK(lesson.story == "# Story\n");
    CHECK(lesson.sizes == std::vector<std::string>{"1", "8"});
    CHECK(lesson.goals.front().when.text() == "A.loads <= 1");
    CHECK(lesson.mistakes.front().sources == std::vector<std::string>{"a = ____;", "c = b - b;"});
    for (const char* name : {"2", "02", "idea", "02_idea"}) CHECK(&find_lesson(lessons, name) == &lesson);
    for (const char* name : {"", "3", "ide", "02_", "99999999999999999999999"})
        CHECK_THROWS_AS(find_lesson(lessons, name), BadInput);
}

TEST_CASE("a broken lesson is refused with place and remedy") {
    CHECK(has(refusal_of("title = \"T\"\n"), "lesson.toml:1:1: the key problem is missing"));
    CHECK(has(refusal_of(kHead + "hint = \"x\"\n"), "hints"));
    CHECK(has(refusal_of("title = \"T\"\nproblem = \"copy\"\nsize = \"8\"\nsizes = []\n"),
              "sizes must not be empty"));
    CHECK(has(refusal_of(kHead + "goal = 3\n"), "lesson.toml:6:8: goal must be a table"));
    CHECK(has(refusal_of(kHead + "[[goal]]\nsays = \"x\"\nwhen = \"A.loads <\"\n"), "lesson.toml:8:"));
    CHECK(has(refusal_of(kHead + "[[goal]]\nsays = \"x\"\nwhen = \"work_item == 1\"\n"),
              "lesson.toml:8:8: unknown fact `work_item`; the facts are verdict"));
    const std::string step = "[[step]]\nhint = 1\nline = \"____\"\nlane = [0]\n";
    CHECK(refusal_of(kHead + step) == "");
    CHECK(has(refusal_of(kHead + replaced(step, "____", "b + b")),
              "lesson.toml:6:1: exactly one line of the exercise must contain `b + b`"));
    CHECK(
        has(refusal_of(kHead + replaced(step, "hint = 1", "hint = 4")), "hint is 4, but there are 3 hints"));
    CHECK(has(refusal_of(kHead + replaced(step, "[0]", "[]")), "lane must not be empty"));
    const auto refused_condition = [](const std::string& when) {
        return refusal_of(kHead + "[[goal]]\nsays = \"x\"\nwhen = \"" + when + "\"\n");
    };
    CHECK(has(refused_condition("'data_rce' in findings"),
              "lesson.toml:8:8: `findings` never has 'data_rce'. Did you mean data_race?"));
    CHECK(
        has(refused_condition("True and verdict not in ['correct', 'rong']"), "`verdict` never has 'rong'"));
    CHECK(
        has(refused_condition("failed_inputs == 'random ones'"), "`failed_inputs` never has 'random ones'"));
    CHECK(refused_condition("'transposed' in findings or 'other_fence' in findings or 'i' in words").empty());
    const auto refused_changes = [](const std::string& changes) {
        return refusal_of(
            kHead + "[[mistake]]\nname = \"m\"\nwhen = \"True\"\nsays = \"S\"\nchanges = " + changes + "\n");
    };
    CHECK(has(refused_changes("[[\"z\", \"y\"]]"),
              "lesson.toml:10:13: the solution must contain `z` exactly once"));
    CHECK(has(refused_changes("[[\"b\", \"y\"]]"), "the solution must contain `b` exactly once"));
    CHECK(has(refused_changes("[[\"a\"]]"), "changes must be pairs"));
    const TempFolder folder;
    CHECK_THROWS_WITH_AS(read_lessons(folder.path()), doctest::Contains("no lessons found"), BadInput);
    write_course(folder, kHead);
    std::filesystem::copy(folder / "02_idea", folder / "02_other", std::filesystem::copy_options::recursive);
    CHECK_THROWS_WITH_AS(read_lessons(folder.path()), doctest::Contains("two lessons have the number 2"),
                         BadInput);
    std::filesystem::remove_all(folder / "02_other");
    std::filesystem::remove(folder / "02_idea/solution/exercise.cl");
    CHECK_THROWS_WITH_AS(read_lessons(folder.path()), doctest::Contains("exercise.cl is missing"), BadInput);
}

TEST_CASE("blanks are found outside of comments and names") {
    CHECK(find_blanks("int a; // ____\n/* ____ */ int b____c; int ____d, _____;").empty());
    const std::vector<Place> blanks = find_blanks("// ____\nif (____) x = ____;\n");
    REQUIRE(blanks.size() == 2);
    CHECK(blanks[0].line == 2);
    CHECK(blanks[0].column == 5);
    CHECK(blanks[1].column == 15);
}

TEST_CASE("facts and goals: met, unmet, or unknown where X-ray saw nothing") {
    Lesson lesson;
    lesson.goals = {{"loads", Expression::parse("A.loads == 2 and A.load_sectors == 6 and A.lanes == 3/4")},
                    {"fewer", Expression::parse("A.loads <= 1")}};
    const XrayReport report = observed();
    const std::vector<KernelResult> right = {result_with(Verdict::Correct)};
    const Assessment seen = assess(lesson, facts_of(right, &report));
    CHECK(seen.is_correct);
    CHECK(seen.goals == std::vector<std::optional<bool>>{true, false});
    CHECK_FALSE(seen.is_solved());
    const Assessment unseen = assess(lesson, facts_of(right, nullptr));
    CHECK(unseen.goals == std::vector<std::optional<bool>>(2));
    CHECK_FALSE(unseen.is_solved());
    lesson.goals.pop_back();
    CHECK(assess(lesson, facts_of(right, &report)).is_solved());
}

TEST_CASE("the first mistake that applies is spoken of; none when it is solved") {
    Lesson lesson;
    lesson.mistakes = {{"unknown", {}, Expression::parse("B.loads > 1"), ""},
                       {"race", {}, Expression::parse("'data_race' in findings"), ""},
                       {"any", {}, Expression::parse("True"), ""}};
    KernelResult racing = result_with(Verdict::Undefined);
    racing.finding = Finding{.code = FindingCode::DataRace};
    const Assessment raced = assess(lesson, facts_of({result_with(Verdict::Correct), racing}, nullptr));
    REQUIRE(raced.mistake != nullptr);
    CHECK(raced.mistake->name == "race");
    CHECK(assess(lesson, facts_of({result_with(Verdict::Wrong)}, nullptr)).mistake->name == "any");
    CHECK(assess(lesson, facts_of({result_with(Verdict::Correct)}, nullptr)).mistake == nullptr);
}

TEST_CASE("facts tell of which arrays something was found, and which words a source has") {
    KernelResult result = result_with(Verdict::Undefined);
    using enum FindingCode;
    result.xray.emplace().undefined = {
        {.code = DataRace, .subject = "a[3][4]", .texts = {{"access", "read"}, {"first_access", "write"}}},
        {.code = DataRace, .subject = "C[0]", .texts = {{"access", "write"}, {"first_access", "write"}}},
        {.code = UnsetVariable, .subject = "sum"},
        {.code = OutsideArray, .subject = "part"}};
    result.evidence.emplace().element = -1;
    result.evidence->buffer = "B";
    Scope facts = facts_of({result}, nullptr);
    const auto holds = [&](const char* condition) {
        return Expression::parse(condition).evaluate_truth(facts);
    };
    CHECK(holds("raced == ['a'] and collided == ['C'] and unset == ['sum'] and outside == ['part']"));
    CHECK(holds("failed_index == -1"));
    result.xray.reset();
    facts = facts_of({result}, nullptr);
    CHECK(holds("outside == ['B'] and raced == []"));
    add_words("#define in get_id()\nvoid k() { /* x */ f(\"a \\\" b\", 0x1F); // y\n}", facts);
    CHECK(holds("words == ['f', 'k', 'void']"));
    CHECK(facts_of({result_with(Verdict::Correct)}, nullptr).find("failed_index") == nullptr);
}

TEST_CASE("attempts are read with their places, and may only expect what the lesson has") {
    const TempFolder folder;
    write_course(folder, kHead + "[[mistake]]\nname = \"m\"\nwhen = \"True\"\nsays = \"S\"\n");
    const auto read = [&] { return read_attempts(read_lessons(folder.path()).front()); };
    CHECK(read().empty());
    folder.write("02_idea/attempts.toml",
                 "m = [\n  ['a =', 'c ='],\n]\nsolved = [\n  ['b + b', '2 * b'],\n]\ntimeout = []\n");
    const std::vector<LessonAttempt> attempts = read();
    REQUIRE(attempts.size() == 2);
    CHECK(attempts[0].source == "c = b + b;");
    CHECK(attempts[0].outcome == "m");
    CHECK(has(attempts[0].place, "02_idea/attempts.toml:2"));
    CHECK(attempts[1].outcome == kSolved);
    folder.write("02_idea/attempts.toml", "n = [['a =', 'c =']]\n");
    CHECK_THROWS_WITH_AS(read(), doctest::Contains("lesson.toml has no 'n'"), BadInput);
}

TEST_CASE("facts tell how the first result that is not correct failed") {
    KernelResult wrong = result_with(Verdict::Wrong);
    wrong.size = {{"M", 33}, {"N", 17}};
    wrong.finding = Finding{.code = FindingCode::WrongElements, .texts = {{"inputs", "random"}}};
    KernelResult outside = result_with(Verdict::OutOfBounds);
    outside.evidence.emplace();
    outside.evidence->buffer = "A";
    outside.xray.emplace().undefined = {{.code = FindingCode::DataRace, .texts = {{"fence", "local"}}}};
    const auto holds = [](const std::vector<KernelResult>& results, const char* condition) {
        return Expression::parse(condition).evaluate_truth(facts_of(results, nullptr));
    };
    const KernelResult right = result_with(Verdict::Correct);
    CHECK(holds({right}, "failed_size == '' and failed_inputs == '' and failed_buffer == ''"));
    CHECK(holds({right, wrong, outside}, "failed_size == 'M=33 N=17' and failed_inputs == 'random'"));
    CHECK(holds({right, wrong, outside}, "verdict == 'wrong' and failed_buffer == ''"));
    CHECK(holds({outside}, "failed_buffer == 'A' and failed_inputs == ''"));
    CHECK(holds({outside}, "'other_fence' in findings"));
    CHECK(holds({wrong}, "'other_fence' not in findings"));
}

TEST_CASE("a condition that can never be evaluated is told with its lesson") {
    Lesson lesson;
    lesson.folder = "/course/02_idea";
    lesson.goals = {{"odd", Expression::parse("verdict > 3")}};
    CHECK_THROWS_WITH_AS(assess(lesson, facts_of({result_with(Verdict::Correct)}, nullptr)),
                         doctest::Contains("/course/02_idea/lesson.toml: in `verdict > 3`, "), BadInput);
}

TEST_CASE("progress is kept; a damaged file and one of another version are refused, and stay") {
    const TempFolder folder;
    const std::filesystem::path file = folder / "data/course.jsonl";
    CHECK(read_progress(file).lessons.empty());
    change_progress(file, "02_idea", [](LessonProgress& progress) {
        progress.hints = 2;
        progress.is_solved = true;
    });
    change_progress(file, "02_idea",
                    [](LessonProgress& progress) { progress.answer_to("loads").answer = "4"; });
    change_progress(file, "03_next",
                    [](LessonProgress& progress) { progress.file = "/somewhere/03_next.cl"; });
    const CourseProgress read = read_progress(file);
    CHECK(read.lessons.size() == 2);
    CHECK(read.find("02_idea").hints == 2);
    CHECK(read.find("02_idea").is_solved);
    CHECK(read.find("02_idea").answer_to("loads").answer == "4");
    CHECK(read.find("03_next").file == "/somewhere/03_next.cl");
    CHECK(read.find("04_none").file.empty());
    const std::string first = read_text(file).substr(0, read_text(file).find('\n') + 1);
    for (const std::string& text :
         {std::string("{}"), std::string("[]"), first + "{\"key\": 3}\n",
          R"({"kwb":"progress in the course","version":"2"})" + std::string("\n")}) {
        CAPTURE(text);
        const std::filesystem::path damaged = folder.write("damaged.jsonl", text);
        const auto refusal = doctest::Contains(". Move the file away to start the course over");
        CHECK_THROWS_WITH_AS(read_progress(damaged), refusal, BadInput);
        CHECK_THROWS_WITH_AS(change_progress(damaged, "02_idea", [](LessonProgress&) {}), refusal, BadInput);
        CHECK(read_text(damaged) == text);
    }
}

TEST_CASE("an exercise is copied once, and the copy that was begun is found again") {
    const TempFolder folder;
    const Lesson lesson = read_lessons(write_course(folder, kHead)).front();
    std::filesystem::create_directories(folder / "mine");
    Course course;
    const ExerciseCopy copy = course.begin(lesson, folder / "mine");
    CHECK(copy.is_new);
    CHECK(copy.file == folder / "mine/02_idea.cl");
    folder.write("mine/02_idea.cl", "changed");
    CHECK_FALSE(course.begin(lesson, folder / "mine").is_new);
    CHECK(course.begin(lesson, folder.path()).file == copy.file);
}

TEST_CASE("predictions: read, answered, compared") {
    const TempFolder folder;
    const std::string toml =
        kHead +
        "[[prediction]]\nname = \"loads\"\nasks = \"How often?\"\nvalue = \"A.loads\"\n"
        "answer = \"2\"\nwithin = \"1/4\"\nsays = \"Because.\"\n"
        "[[prediction]]\nname = \"fewer\"\nasks = \"And now?\"\nchoices = [\"yes\", \"no\"]\n"
        "value = \"A.loads < 2\"\nanswer = \"no\"\nafter = true\nsays = \"So.\"\n";
    const Lesson lesson = read_lessons(write_course(folder, toml)).front();
    REQUIRE(lesson.predictions.size() == 2);
    const LessonPrediction& loads = lesson.predictions.front();
    const LessonPrediction& fewer = lesson.predictions.back();
    CHECK_FALSE(loads.is_after);
    CHECK(fewer.is_after);
    const XrayReport report = observed();
    const Scope facts = facts_of({result_with(Verdict::Correct)}, &report);
    CHECK(right_answer(lesson, loads, facts) == "2");
    CHECK(right_answer(lesson, fewer, facts) == "no");
    CHECK_FALSE(right_answer(lesson, loads, {}));
    for (const char* answer : {"2", "2.5", "3/2", "1 + 1"}) CHECK(agrees(loads, answer, "2"));
    for (const char* answer : {"3", "1", "-2"}) CHECK_FALSE(agrees(loads, answer, "2"));
    CHECK(agrees(fewer, "no", "no"));
    CHECK_FALSE(agrees(fewer, "yes", "no"));
    CHECK_THROWS_WITH_AS(require_answer(loads, "many"), doctest::Contains("must be a number"), BadInput);
    CHECK_THROWS_WITH_AS(require_answer(fewer, "2"), doctest::Contains("must be one of yes and no"),
                         BadInput);
    CHECK(answer_text("33/17") == "1.94");
    CHECK(answer_text("yes") == "yes");
    CHECK(has(refusal_of(replaced(toml, "\"loads\"", "\"two words\"")), "lesson.toml:7:8: "));
    CHECK(has(refusal_of(replaced(toml, "\"fewer\"", "\"loads\"")), "two predictions have the name loads"));
}

TEST_CASE("facts of GPUs and of a comparison") {
    Scope facts;
    GpuView view{"Radeon VII", {{"a", 12, 0, {}, {}}, {"b", 40, 0, {}, {}}}, LowerBound{0.0021}};
    view.launches[0].occupancy.percent = 100;
    view.launches[1].occupancy.percent = 62.5;
    add_gpu_facts("gfx906", view, facts);
    KernelResult compared = result_with(Verdict::Correct);
    compared.speedup = Speedup{.to = "copy/plain", .value = 2.019, .interval = Interval{1.987, 2.2}};
    add_speed_facts(compared, facts);
    const auto holds = [&](const char* text) { return Expression::parse(text).evaluate_truth(facts); };
    CHECK(holds("gfx906.registers == 40 and gfx906.occupancy == 5/8 and gfx906.bound_ns == 2100"));
    CHECK(holds("speedup == 2.01 and speedup_least == 1.98"));
}

TEST_CASE("a translation replaces the texts, and must fit the lesson") {
    const TempFolder folder;
    write_course(folder, kHead +
                             "[[goal]]\nsays = \"few\"\nwhen = \"A.loads <= 1\"\n[[mistake]]\n"
                             "name = \"m\"\nis_exercise = true\nwhen = \"True\"\nsays = \"S.\"\n");
    const std::string toml =
        "title = \"标题\"\nhints = [\"一\", \"二\", \"三\"]\ngoals = [\"少\"]\n[mistakes]\nm = \"错\"\n";
    folder.write("02_idea/lesson.zh.toml", toml);
    folder.write("02_idea/lesson.zh.md", "# 故事\n");
    const Lesson english = read_lesson(folder / "02_idea");
    CHECK(english.title == "T");
    CHECK(languages_of(english) == std::vector<std::string>{"zh"});
    CHECK(read_lesson(folder / "02_idea", "fr").title == "T");
    const Lesson chinese = read_lesson(folder / "02_idea", "zh");
    CHECK(chinese.title == "标题");
    CHECK(chinese.story == "# 故事\n");
    CHECK(chinese.hints[2] == "三");
    CHECK(chinese.goals[0].says == "少");
    CHECK(chinese.mistakes[0].says == "错");
    const auto refused = [&](const std::string& changed, const char* words) {
        folder.write("02_idea/lesson.zh.toml", changed);
        CHECK_THROWS_WITH_AS(read_lesson(folder / "02_idea", "zh"), doctest::Contains(words), BadInput);
    };
    refused(replaced(toml, ", \"三\"", ""), "lesson.zh.toml:2:9: hints must be as many as in lesson.toml");
    refused(replaced(toml, "m = ", "n = "), "mistakes has no key `n`");
    refused(replaced(toml, "goals = [\"少\"]\n", ""), "the key goals is missing");
}

TEST_CASE("the glossary suggests a similar word") {
    const TempFolder folder;
    folder.write("glossary.toml", "\"work-item\" = \"One run.\"\nbarrier = \"A point.\"\n");
    const std::vector<Term> glossary = read_glossary(folder.path());
    CHECK(find_term(glossary, "Barrier").meaning == "A point.");
    CHECK(explain(glossary, "barrier") == "barrier: A point.");
    CHECK(explain(glossary, "fence").empty());
    CHECK_THROWS_WITH_AS(find_term(glossary, "workitem"), doctest::Contains("Did you mean work-item?"),
                         BadInput);
    CHECK_THROWS_WITH_AS(find_term(glossary, "zzz"),
                         doctest::Contains("'zzz'. 'kwb learn word' lists its terms"), BadInput);
}

// --- their story ---

// A lesson's story as blocks.

using Kind = StoryBlock::Kind;
using Look = StorySpan::Look;

namespace {

std::vector<Kind> kinds_of(const std::vector<StoryBlock>& blocks) {
    std::vector<Kind> kinds;
    for (const StoryBlock& block : blocks) kinds.push_back(block.kind);
    return kinds;
}

std::vector<StorySpan> spans_of(const std::string& text, const std::vector<Term>& glossary = {}) {
    return story_blocks(text, glossary).at(0).spans;
}

}  // namespace

TEST_CASE("lines of a paragraph or an item are joined; blank lines, headings and items end them") {
    const auto blocks =
        story_blocks("# Title\none\ntwo\n\nthree:\n1. first\n   goes on\n2. second\n* dot\n", {});
    CHECK(kinds_of(blocks) ==
          std::vector{Kind::Heading, Kind::Paragraph, Kind::Paragraph, Kind::Item, Kind::Item, Kind::Item});
    CHECK(blocks[0].spans == std::vector<StorySpan>{{"Title"}});
    CHECK(blocks[1].spans == std::vector<StorySpan>{{"one two"}});
    CHECK(blocks[3].spans == std::vector<StorySpan>{{"first goes on"}});
    CHECK(blocks[3].lead == "1.");
    CHECK(blocks[4].lead == "2.");
    CHECK(blocks[5].lead == "\u2022");
}

TEST_CASE("indented lines, fences and tables keep their columns") {
    const auto blocks = story_blocks(
        "text\n\n    +--+\n\n      |\n\n```c\nint* p = a * b * c;\n# no heading\n```\n| a | long name "
        "|\n|---|---|\n| `x` | é |\nmore",
        {});
    CHECK(kinds_of(blocks) ==
          std::vector{Kind::Paragraph, Kind::Code, Kind::Code, Kind::Code, Kind::Paragraph});
    CHECK(blocks[1].lines == std::vector<std::string>{"+--+", "", "  |"});
    CHECK(blocks[2].lines == std::vector<std::string>{"int* p = a * b * c;", "# no heading"});
    CHECK(blocks[3].lines == std::vector<std::string>{"a   long name", "x   é"});
}

TEST_CASE("code and emphasis; a sign alone is itself") {
    CHECK(spans_of("use `a[i * N]` for *tiling*, 2 * 3 * 4") ==
          std::vector<StorySpan>{{"use "},
                                 {"a[i * N]", Look::Code},
                                 {" for "},
                                 {"tiling", Look::Strong},
                                 {", 2 "},
                                 {"* 3 "},
                                 {"* 4"}});
    CHECK(spans_of("a ` b") == std::vector<StorySpan>{{"a "}, {"` b"}});
}

TEST_CASE("the first mention of a term is marked, the longest, whole words, also in the plural") {
    const std::vector<Term> glossary = {{"memory", ""}, {"local memory", ""}, {"tile", ""}};
    CHECK(spans_of("Local memory holds tiles of memory; a tile is no reptile.", glossary) ==
          std::vector<StorySpan>{{"Local memory", Look::Plain, "local memory"},
                                 {" holds "},
                                 {"tiles", Look::Plain, "tile"},
                                 {" of "},
                                 {"memory", Look::Plain, "memory"},
                                 {"; a tile is no reptile."}});
    const auto blocks = story_blocks("# Tiles\na *tile*\n\nanother tile", glossary);
    CHECK(blocks[0].spans == std::vector<StorySpan>{{"Tiles"}});
    CHECK(blocks[1].spans[1] == StorySpan{"tile", Look::Strong, "tile"});
    CHECK(blocks[2].spans == std::vector<StorySpan>{{"another tile"}});
}

TEST_CASE("why: the reasons that were found decide, also against the lesson") {
    Lesson lesson;
    lesson.predictions = {{.name = "why",
                           .asks = "Why?",
                           .choices = {"coalescing", "bank conflicts", "barriers"},
                           .value = Expression::parse("why"),
                           .answer = "coalescing",
                           .within = {},
                           .is_after = true,
                           .is_why = true,
                           .says = "Neighbours."}};
    const NamedList<std::string> found = {{"coalescing", "1 time, 8 times [counted: line 9]"},
                                          {"barriers", "none, 3 [counted]"}};
    const auto ask = [&](const NamedList<std::string>& why, const std::string& answer) {
        Course course{{lesson}, {}};
        Scope facts;
        add_reasons(why, facts);
        course.solve(lesson, facts, why);
        if (!answer.empty()) course.answer(lesson, lesson.predictions.front(), answer);
        return course.progress.of(lesson.name).answer_to("why");
    };
    const auto question = [&](const NamedList<std::string>& why, const std::string& answer) {
        return LessonQuestion{lesson.predictions.front(), ask(why, answer), LessonQuestion::State::Told};
    };
    CHECK(question(found, "coalescing").is_right());
    CHECK(question(found, "coalescing").told() ==
          "You answered coalescing, and X-ray counts it: 1 time, 8 times [counted: line 9]");
    CHECK(question(found, "barriers").is_right());
    CHECK(question(found, "barriers").told() ==
          "You answered barriers, and X-ray counts it: none, 3 [counted]. The most important reason is "
          "coalescing: 1 time, 8 "
          "times [counted: line 9]");
    CHECK_FALSE(question(found, "bank conflicts").is_right());
    CHECK(question(found, "bank conflicts").told() ==
          "You answered bank conflicts; X-ray counts coalescing: 1 time, 8 times [counted: line 9]");
    CHECK(question(found, "bank conflicts").says() == "Neighbours.");
    CHECK(question(found, "").told() == "It is coalescing: 1 time, 8 times [counted: line 9]");

    // Other reasons than the lesson's, and none.
    const LessonQuestion other = question({found.back()}, "coalescing");
    CHECK_FALSE(other.is_right());
    CHECK(other.told() == "You answered coalescing; X-ray counts barriers: none, 3 [counted]");
    CHECK(
        other.says() ==
        "The lesson expects coalescing, but X-ray does not count it for your kernel, and the counts decide.");
    CHECK(question({}, "coalescing").known.measured == "none");
    CHECK_FALSE(question({}, "coalescing").is_right());
    CHECK(question({}, "coalescing").told() == "You answered coalescing; X-ray counts no reason");
    CHECK(questions_of(lesson, {}).front().state == LessonQuestion::State::Later);
}

TEST_CASE("why: a lesson names reasons, and a kernel to compare with if its exercise has blanks") {
    const auto why = [](const std::string& choices) {
        return kHead +
               "[[prediction]]\nname = \"why\"\nasks = \"Why?\"\nvalue = \"why\"\nanswer = "
               "\"coalescing\"\nsays = \"S.\"\nchoices = [" +
               choices + "]\n";
    };
    CHECK(
        has(refusal_of(why("\"coalescing\", \"bank conflict\"")),
            "lesson.toml:7:8: choices: there is no reason 'bank conflict'. Did you mean bank conflicts? The "
            "reasons are"));
    CHECK(has(refusal_of(why("\"coalescing\"")), "the exercise has blanks, so `why` needs `than`"));
    CHECK(refusal_of("than = \"copy/copy\"\n" + why("\"coalescing\"")).empty());
}
