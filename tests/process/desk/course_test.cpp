// SPDX-License-Identifier: Apache-2.0
// The course in the window's desk, with the real judge.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>

#include "base/file.hpp"
#include "support/watched_desk.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

struct Learner {
    TempFolder folder;
    std::unique_ptr<WatchedDesk> desk;

    Learner() {
        ::setenv("XDG_CACHE_HOME", KWB_TEST_CACHE, 1);
        open();
    }
    void open() {
        desk.reset();
        DeskOptions options;
        options.judge.command = {KWB_JUDGE_PROGRAM};
        options.kernel_folders = {KWB_SHIPPED_KERNELS};
        options.lessons_folder = KWB_SHIPPED_LESSONS;
        options.progress_file = folder / "course.jsonl";
        options.exercise_folder = folder / "exercises";
        desk = std::make_unique<WatchedDesk>(std::move(options));
        desk->wait_for_rest();
        perform(command::ListLessons{});
    }
    const ShownCourse& course() const { return desk->state().course; }
    void perform(const Command& command) { (**desk).perform(command); }
    void open_lesson(const std::string& wanted) {
        const auto& lessons = course().lessons;
        perform(
            command::OpenLesson{static_cast<std::size_t>(&find_lesson(lessons, wanted) - lessons.data())});
    }
    /// Waits for the answer to what was asked.
    void wait() {
        desk->wait_until(
            [](const DeskState& state) { return !state.course.asked && !state.course.said.empty(); });
    }
    std::shared_ptr<Document> exercise() const {
        for (const auto& shown : desk->state().documents)
            if (shown->path() == course().exercise) return shown;
        return nullptr;
    }
    /// Replaces the text in the editor.
    void type(const std::string& text) {
        const auto shown = exercise();
        shown->buffer().select_all();
        shown->buffer().type(text);
        perform(command::Edited{shown->id()});
    }
    std::string solution() const { return read_file(course().lesson()->solution(), 1u << 20); }
    std::string said() const {
        std::string all;
        for (const AttemptLine& line : course().said) all += line.words + '\n';
        return all;
    }
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a lesson opens with its exercise, which is checked whenever it is saved") {
    Learner learner;
    CHECK_MESSAGE(learner.course().error.empty(), learner.course().error);
    REQUIRE(learner.course().lessons.size() >= 14);
    learner.open_lesson("1");
    CHECK(!learner.course().story.empty());
    const Experiment& choices = learner.desk->state().choices;
    CHECK(choices.problem == "vector_add");
    REQUIRE(choices.contestants.size() == 1);
    CHECK(choices.contestants[0].kernel == learner.course().exercise.string());
    REQUIRE(learner.exercise());
    CHECK(learner.desk->state().front == learner.exercise()->id());

    learner.perform(command::CheckExercise{true});
    learner.wait();
    CHECK_MESSAGE(has(learner.said(), "blank not filled in"), learner.said());
    CHECK(!learner.course().is_solved);
    const auto& marks = learner.exercise()->marks();
    REQUIRE(marks.size() == 1);
    CHECK(marks[0].kind == LineMark::Kind::Error);
    CHECK(has(learner.exercise()->buffer().line(marks[0].line), "____"));
    CHECK(marks[0].text.starts_with("blank not filled in"));

    learner.type(learner.solution());
    CHECK(learner.course().is_outdated);
    learner.perform(command::SaveDocument{learner.exercise()->id()});
    learner.desk->wait_until([](const DeskState& state) { return state.course.is_solved; });
    CHECK_MESSAGE(has(learner.said(), "correct at 1, 7, 100"), learner.said());
    CHECK(!learner.course().is_outdated);
    CHECK(learner.course().kept().is_solved);
    CHECK(learner.course().kept().answer_to("items").measured == "1");

    // Another window, or kwb learn, sees it.
    learner.open();
    CHECK(learner.course().progress.find("01_one_work_item").is_solved);
}

TEST_CASE("what is on the screen is checked, and a mistake is answered by name") {
    Learner learner;
    learner.open_lesson("1");
    std::string text = learner.solution();
    text.replace(text.find("i < N"), 5, "i <= N");
    learner.type(text);
    learner.perform(command::CheckExercise{true});
    learner.wait();
    CHECK_MESSAGE(has(learner.said(), "Arrays start at 0"), learner.said());
    CHECK(learner.course().said.back().kind == AttemptLine::Kind::Advice);
    CHECK(has(read_file(learner.course().exercise, 1u << 20), "____"));  // not saved

    // What is wrong in a line is marked there.
    text = learner.solution();
    text.replace(text.find("A[i] + B[i];"), 12, "A[i] + B[j];");
    learner.type(text);
    learner.perform(command::CheckExercise{true});
    learner.wait();
    const auto& marks = learner.exercise()->marks();
    CHECK(std::ranges::any_of(
        marks, [](const LineMark& mark) { return mark.kind == LineMark::Kind::Error && mark.line == 13; }));
}

TEST_CASE("a file that another editor saves is checked, too") {
    Learner learner;
    learner.open_lesson("1");
    learner.perform(command::Predict{0, "1"});
    write_file(learner.course().exercise, learner.solution());
    learner.desk->wait_until([](const DeskState& state) { return state.course.is_solved; });
}

TEST_CASE("a run comes first, and the exercise is checked after it") {
    Learner learner;
    learner.open_lesson("1");
    learner.type(learner.solution());
    learner.perform(command::CheckExercise{true});
    learner.perform(command::Run{});
    learner.desk->wait_until([](const DeskState& state) {
        return state.course.is_solved && state.shown && state.shown->finished;
    });
    CHECK(learner.desk->state().shown->run.results[0].verdict == Verdict::Correct);
}

TEST_CASE("predictions are kept, compared once it is solved, and refused if they cannot be answers") {
    Learner learner;
    learner.open_lesson("1");
    learner.perform(command::Predict{0, "many"});
    REQUIRE(!learner.desk->state().notices.empty());
    CHECK(has(learner.desk->state().notices.back().sentence, "a number of at least 0, such as 4"));
    learner.perform(command::Predict{0, "7"});
    CHECK(learner.course().kept().answer_to("items").answer == "7");
    learner.open();
    CHECK(learner.course().progress.find("01_one_work_item").answer_to("items").answer == "7");
}

TEST_CASE("a prediction comes before the first check, which then goes on by itself; or without it") {
    Learner learner;
    learner.open_lesson("1");
    learner.perform(command::CheckExercise{});
    CHECK(learner.course().asks_first);
    CHECK(!learner.course().asked);
    learner.perform(command::Predict{0, "1"});
    CHECK(!learner.course().asks_first);
    learner.wait();
    learner.open_lesson("2");
    learner.perform(command::CheckExercise{});
    CHECK(learner.course().asks_first);
    learner.perform(command::CheckExercise{true});
    CHECK(!learner.course().asks_first);
    learner.wait();
    learner.perform(command::CheckExercise{});  // not asked a second time
    CHECK(!learner.course().asks_first);
}

TEST_CASE("a lesson keeps the experiment and gives it back, also over the next lesson and a restart") {
    Learner learner;
    learner.perform(command::Edit{[](Experiment& choices) {
        choices.contestants = {{"matmul/tiled", {}, "8x8"}};
        choices.sizes = {{"M", 96}, {"N", 96}, {"K", 96}};
    }});
    const Experiment before = learner.desk->state().choices;
    learner.open_lesson("1");
    CHECK(learner.desk->state().choices.problem == "vector_add");
    learner.open_lesson("5");
    learner.perform(command::Edit{[](Experiment& choices) { choices.time_budget_ms = 123; }});
    learner.perform(command::LeaveLesson{});
    CHECK(learner.desk->state().choices.contestants == before.contestants);
    CHECK(learner.desk->state().choices.sizes == before.sizes);
    CHECK(learner.desk->state().choices.problem == "matmul");
}

TEST_CASE("errors of an exercise name no folders, and have their line") {
    Learner learner;
    learner.open_lesson("1");
    std::string text = learner.solution();
    text.replace(text.rfind("C[i] = A[i]"), 11, "C[i] = nowhere[i]");
    learner.type(text);
    learner.perform(command::CheckExercise{true});
    learner.wait();
    REQUIRE(!learner.course().said.empty());
    CHECK(learner.course().said.front().line == 14);
    CHECK_MESSAGE(!has(learner.said(), learner.course().exercise.parent_path().string()), learner.said());
}

TEST_CASE("lesson 1 advises nothing that it does not teach") {
    Learner learner;
    learner.open_lesson("1");
    std::string text = learner.solution();
    text.replace(text.rfind("C[i] = "), 7, "C[i] += ");
    learner.type(text);
    learner.perform(command::CheckExercise{true});
    learner.wait();
    CHECK_MESSAGE(has(learner.said(), "uninitialised memory"), learner.said());
    CHECK_MESSAGE(!has(learner.said(), "[init]"), learner.said());
}

TEST_CASE("why: the reasons that X-ray counts are kept with the solved exercise") {
    Learner learner;
    learner.open_lesson("10");
    learner.type(learner.solution());
    learner.perform(command::CheckExercise{true});
    learner.desk->wait_until([](const DeskState& state) { return state.course.is_solved; });
    const Lesson& lesson = *learner.course().lesson();
    const auto why = [&] {
        const auto questions = questions_of(lesson, learner.course().progress);
        return *std::ranges::find_if(questions, [](const auto& each) { return each.prediction.is_why; });
    };
    CHECK(why().state == LessonQuestion::State::Open);
    const auto index = static_cast<std::size_t>(&why().prediction - lesson.predictions.data());
    learner.perform(command::Predict{index, "barriers"});
    CHECK(why().state == LessonQuestion::State::Told);
    CHECK(!why().is_right());
    CHECK_MESSAGE(
        has(why().told(), "You answered barriers; X-ray counts bank conflicts: your kernel needs 1.00 times"),
        why().told());
    learner.open();  // also for another window
    CHECK(learner.course().progress.find("10_banks").answer_to("why").why.front().name == "bank conflicts");
}

TEST_CASE("hints come in stages; the solution is shown beside the exercise and cannot be changed") {
    Learner learner;
    learner.open_lesson("6");
    for (std::uint32_t i = 0; i < 5; ++i) learner.perform(command::ShowHint{});
    CHECK(learner.course().kept().hints == 3);
    learner.perform(command::ShowSolution{});
    REQUIRE(learner.desk->state().beside);
    const Document* const solution = learner.desk->state().find_document(*learner.desk->state().beside);
    CHECK(solution->path() == learner.course().lesson()->solution());
    CHECK(solution->read_only());
    CHECK(learner.desk->state().front == learner.exercise()->id());
    // Back to the list: nothing of it stays.
    learner.perform(command::LeaveLesson{});
    CHECK(!learner.course().open);
    learner.perform(command::CheckExercise{true});
    CHECK(!learner.course().asked);
}

TEST_CASE("a lesson with GPUs waits for their compilers without blocking") {
    Learner learner;
    learner.open_lesson("12");
    learner.type(learner.solution());
    learner.perform(command::CheckExercise{true});
    learner.wait();
    CHECK_MESSAGE(has(learner.said(), "correct at"), learner.said());
}

TEST_CASE("damaged progress is told, and costs nothing else") {
    Learner learner;
    learner.folder.write("course.jsonl", "{ nonsense");
    learner.open_lesson("1");
    const auto& notices = learner.desk->state().notices;
    REQUIRE(!notices.empty());
    CHECK_MESSAGE(has(notices.back().sentence, "Your progress is not saved"), notices.back().sentence);
    CHECK(learner.course().open);
    CHECK(read_file(learner.folder / "course.jsonl", 1000) == "{ nonsense");
}
