// SPDX-License-Identifier: Apache-2.0
// The Learn panel with the shipped lessons, without a window or a judge.
#include <doctest/doctest.h>

#include "gui/desk_stage.hpp"
#include "gui/gui_driver.hpp"
#include "gui/panel_sketch.hpp"
#include "gui/panels/learn_panel.hpp"
#include "gui/panels/line_art.hpp"

namespace kwb::test {
namespace {

TEST_CASE("pictures of letters in a lesson are drawn as strokes, and text stays text") {
    const gui::LineArt box = gui::line_art({"  +==+ a + b", "  |x |-> y", "  +--+"});
    CHECK(box.words == std::vector<std::string>{"       a + b", "   x     y", "      "});
    const auto has = [&](const gui::Stroke& stroke) {
        return std::ranges::find(box.strokes, stroke) != box.strokes.end();
    };
    CHECK(has({3, 0.5f, 4, 0.5f, true}));         // the upper side
    CHECK(has({2.5f, 1, 2.5f, 2}));               // the left one
    CHECK(has({2.5f, 0.5f, 2.5f, 1}));            // its corner
    CHECK(has({7, 1.5f, 8, 1.5f, false, true}));  // the arrow
    const std::vector<std::string> tree = {"a   b", "|  /", "a+b"};
    CHECK(gui::line_art(tree).words == std::vector<std::string>{"a   b", "    ", "a+b"});
    const std::vector<std::string> code = {"x = a | b;", "for (int i = 8; i > 0; --i)", "| x y | z w |"};
    CHECK(gui::line_art(code).words == code);
    CHECK(gui::line_art(code).strokes.empty());
}

using namespace kwb::gui;
using Theme = gui::Theme;
using Kind = AttemptLine::Kind;

DeskState course_state() {
    DeskState state = make_state();
    state.course.lessons = read_lessons(KWB_SHIPPED_LESSONS);
    state.course.glossary = read_glossary(KWB_SHIPPED_LESSONS);
    return state;
}

DeskState lesson_state(const std::string& wanted) {
    DeskState state = course_state();
    ShownCourse& course = state.course;
    const Lesson& lesson = find_lesson(course.lessons, wanted);
    course.open = static_cast<std::size_t>(&lesson - course.lessons.data());
    course.story = story_blocks(lesson.story, course.glossary);
    return state;
}

struct LearnStage {
    explicit LearnStage(DeskState state, int width = 620, int height = 700, LookOptions look = {})
        : stage(width, height, std::move(look)), sketch(panel, std::move(state)), driver(stage, sketch) {
        driver.settle();
    }
    LearnPanel panel;
    WindowlessStage stage;
    PanelSketch<LearnPanel> sketch;
    GuiDriver driver;
    ShownCourse& course() { return sketch.state.course; }
    LessonProgress& kept() { return course().progress.of(course().lesson()->name); }
    bool says(const std::string& words) { return driver.says(words); }
};

TEST_CASE("the list asks for the lessons once, and goes on with the first that is not solved") {
    DeskState state = course_state();
    state.course.progress.of("01_one_work_item").is_solved = true;
    LearnStage f(std::move(state));
    std::size_t asked = 0;
    for (const Command& command : f.sketch.commands)
        if (std::holds_alternative<command::ListLessons>(command)) ++asked;
    CHECK(asked == 1);
    CHECK(f.says("1 of 17 lessons solved"));
    f.driver.click("learn/next");
    REQUIRE(f.sketch.last<command::OpenLesson>());
    CHECK(f.sketch.last<command::OpenLesson>()->index == 1);
    f.driver.click("learn/lesson/6");
    CHECK(f.sketch.last<command::OpenLesson>()->index == 5);

    DeskState none = make_state();
    none.course.error = "this build has no lessons";
    CHECK(LearnStage(none).says("this build has no lessons"));
}

TEST_CASE("a lesson has its story, what counts as solved, and buttons for check, hints and solution") {
    LearnStage f(lesson_state("6"));
    CHECK(f.says("6. Sharing: local memory and barriers"));
    CHECK(f.says("each element of A is loaded at most N / 16 times: 4"));
    f.driver.click("learn/check");
    CHECK(f.sketch.last<command::CheckExercise>());
    f.driver.click("learn/hint");
    CHECK(f.sketch.last<command::ShowHint>());
    CHECK(!f.says("The tile of A"));
    CHECK(f.says("Hint, 3 left"));
    // One at a time, where the person looks.
    f.driver.wheel("learn/story/0", -20);
    f.kept().hints = 1;
    f.driver.settle();
    CHECK(f.says("Hint 1 of 3"));
    CHECK(f.says("The tile of A"));
    CHECK(f.says("Hint, 2 left"));
    CHECK(f.driver.at("learn/hint/shown/sentence").visible);
    CHECK(f.driver.at("learn/hint/shown/sentence").full.Max.y < f.driver.at("learn/story/0").full.Min.y);
    f.kept().hints = 3;
    f.driver.settle();
    CHECK(f.says("Hint 3 of 3"));
    CHECK(!f.says("The tile of A"));
    CHECK(!f.driver.at("learn/hint").enabled);
    f.driver.click("learn/hint/before");
    f.driver.settle();
    CHECK(f.says("Hint 2 of 3"));
    f.driver.click("learn/hint/close");
    f.driver.settle();
    CHECK(!f.says("Hint 2 of 3"));
    f.driver.click("learn/hint/again");
    f.driver.click("learn/solution");
    CHECK(f.sketch.last<command::ShowSolution>());
    f.driver.click("learn/back");
    CHECK(f.sketch.last<command::LeaveLesson>());
}

TEST_CASE("questions, hints and explanations have code without its marks, as the story") {
    LearnStage f(lesson_state("1"), 400);
    const std::string asks = f.driver.at("learn/prediction/0").label;
    CHECK(asks.find("See global in the front matter") != std::string::npos);
    LearnStage presented(lesson_state("1"));
    presented.panel.present(true);
    presented.driver.settle();
    for (int i = 0; i < 40 && !presented.driver.has("learn/vote"); ++i) {
        presented.driver.click("learn/step/next");
        presented.driver.settle();
    }
    REQUIRE(presented.driver.has("learn/vote"));
    CHECK(presented.driver.at("learn/vote").label == asks);
}

TEST_CASE("a check that waits for a prediction asks above the story, once") {
    LearnStage f(lesson_state("1"));
    CHECK(f.driver.has("learn/prediction/0"));
    f.course().asks_first = true;
    f.driver.settle();
    CHECK(f.driver.at("learn/prediction/0").full.Max.y < f.driver.at("learn/story/0").full.Min.y);
    CHECK(f.driver.at("learn/prediction/0").visible);
    f.driver.click("learn/prediction/0/answer");
    f.driver.type("1");
    f.driver.key(plain(Key::Enter));
    REQUIRE(f.sketch.last<command::Predict>());
    CHECK(f.sketch.last<command::Predict>()->answer == "1");
    f.driver.click("learn/first/anyway");
    REQUIRE(f.sketch.last<command::CheckExercise>());
    CHECK(f.sketch.last<command::CheckExercise>()->anyway);
}

TEST_CASE("the lines of an error are links") {
    DeskState state = lesson_state("1");
    state.course.exercise = "/exercises/01.cl";
    state.course.said = {{Kind::Unmet, "compile_error: 01.cl:12:5: expected ;", 12}};
    state.documents.push_back(std::make_shared<Document>(7, "/exercises/01.cl", true));
    LearnStage f(std::move(state));
    f.driver.click("learn/said/0/line");
    REQUIRE(f.sketch.last<command::BringToFront>());
    CHECK(f.sketch.last<command::BringToFront>()->document == 7);
    CHECK(f.sketch.last<command::BringToFront>()->line == 11);
}

TEST_CASE("what came of an attempt stands above the story, and is outdated after an edit") {
    LearnStage f(lesson_state("6"));
    f.course().asked = "size N=64";
    f.driver.settle();
    CHECK(f.says("Checking: size N=64"));
    CHECK(!f.driver.at("learn/check").enabled);
    f.course().asked.reset();
    f.course().said = {{Kind::Unmet, "undefined at size N=64: a race"},
                       {Kind::Source, "   12 | a = b;"},
                       {Kind::Advice, "A work-item reads an element"}};
    f.driver.settle();
    CHECK(f.says("undefined at size N=64: a race"));
    CHECK(f.says("A work-item reads an element"));
    f.course().is_outdated = true;
    f.driver.settle();
    CHECK(f.says("For an earlier text"));

    f.course().said = {{Kind::Met, "correct at 16"}};
    f.course().is_solved = true;
    f.course().is_outdated = false;
    f.driver.settle();
    f.driver.click("learn/next");
    REQUIRE(f.sketch.last<command::OpenLesson>());
    CHECK(f.sketch.last<command::OpenLesson>()->index == 6);
}

TEST_CASE("predictions are typed or chosen, refused if they cannot be, and compared once it is solved") {
    LearnStage f(lesson_state("6"), 620, 1600);
    f.driver.click("learn/prediction/0/answer");
    f.driver.type("many");
    f.driver.key(plain(Key::Enter));
    f.driver.settle();
    CHECK(f.says("a number of at least 0, such as 4"));
    CHECK(!f.sketch.last<command::Predict>());
    f.driver.click("learn/prediction/0/answer");
    f.driver.key(ctrl(Key::A));
    f.driver.type("8");
    f.driver.key(plain(Key::Enter));
    f.driver.settle();
    REQUIRE(f.sketch.last<command::Predict>());
    CHECK(f.sketch.last<command::Predict>()->answer == "8");
    CHECK(!f.says("And how often with tiles of 32 x 32?"));

    f.kept().answer_to("loads").answer = "8";
    f.kept().answer_to("loads").measured = "4";
    f.kept().answer_to("larger").measured = "2";
    f.driver.settle();
    CHECK(f.says("You predicted 8; it is 4"));
    CHECK(f.says("One more question: And how often with tiles of 32 x 32?"));
    CHECK(!f.says("64 / 32 = 2"));  // the answer to what is asked now
    f.kept().answer_to("larger").answer = "2";
    f.driver.settle();
    CHECK(f.says("You predicted 2, and it is 2"));

    CHECK(!f.says("faster than matmul/naive"));
    f.kept().answer_to("why") = {"why", "", "global traffic", {{"global traffic", "8 MiB, 1 MiB [counted]"}}};
    f.driver.settle();
    CHECK(f.says("faster than matmul/naive"));
    CHECK(!f.says("8 MiB, 1 MiB [counted]"));
    f.kept().answer_to("why").answer = "coalescing";
    f.driver.settle();
    CHECK(f.says("You answered coalescing; X-ray counts global traffic: 8 MiB, 1 MiB [counted]"));

    DeskState state = lesson_state("6");
    state.course.lessons[*state.course.open].predictions[0].choices = {"more", "fewer"};
    LearnStage g(std::move(state), 620, 1600);
    g.driver.click("learn/prediction/0/choice/1");
    REQUIRE(g.sketch.last<command::Predict>());
    CHECK(g.sketch.last<command::Predict>()->answer == "fewer");
}

TEST_CASE("a term tells its meaning when it is pressed") {
    LearnStage f(lesson_state("6"));
    std::string term;
    for (const auto& [id, probed] : f.stage.look().probes().all())
        if (probed.label == "local memory" && probed.acts) term = id;
    REQUIRE(!term.empty());
    f.driver.click(term);
    f.driver.settle();
    CHECK(f.driver.has(term + "/meaning"));
    CHECK(f.says("local memory: Memory on the chip"));
}

TEST_CASE("an audience sees the story step by step, votes, and the answer once it is measured") {
    LearnStage f(lesson_state("6"), 900, 700);
    f.panel.present(true);
    f.driver.settle();
    CHECK(f.says("6. Sharing: local memory and barriers"));
    CHECK(!f.says("Your task"));
    CHECK(!f.driver.at("learn/step/back").enabled);
    int steps = 0;
    while (!f.driver.has("learn/vote") && ++steps < 30) {
        f.driver.click("learn/step/next");
        f.driver.settle();
    }
    REQUIRE(f.driver.has("learn/vote"));
    CHECK(!f.says("Your task"));
    f.driver.click("learn/vote/0/answer");
    f.driver.type("4");
    f.driver.click("learn/vote/0/votes");
    f.driver.type("12");
    f.driver.settle();
    CHECK(f.driver.has("learn/vote/1/answer"));  // the next one
    CHECK(f.says("shows the answer"));
    f.kept().answer_to("loads").measured = "4";
    f.driver.settle();
    CHECK(!f.says("It is 4"));
    f.driver.click("learn/vote/tell");
    f.driver.settle();
    CHECK(f.says("It is 4"));
    for (int i = 0; i < 30; ++i) f.panel.step(+1);
    f.driver.settle();
    CHECK(!f.driver.at("learn/step/next").enabled);
    f.panel.present(false);
    f.driver.settle();
    CHECK(f.driver.has("learn/check"));
}

TEST_CASE("nothing of the Learn panel overlaps, is cut or lies outside: all lessons, sizes, scales, themes") {
    for (const Theme theme : {Theme::Dark, Theme::Light})
        for (const float scale : {1.0f, 1.5f})
            for (const auto& [width, height] : {std::pair{280, 560}, {420, 700}, {680, 1300}}) {
                const int w = static_cast<int>(static_cast<float>(width) * scale);
                const int h = static_cast<int>(static_cast<float>(height) * scale);
                const auto check = [&](const DeskState& state, bool presents) {
                    LearnStage f(state, w, h, {.theme = theme, .scale = scale});
                    f.panel.present(presents);
                    f.driver.settle();
                    for (const std::string& fault :
                         check_layout(f.stage.look().probes(), static_cast<float>(w), static_cast<float>(h)))
                        FAIL_CHECK(fault);
                };
                const auto& shown_width = width;
                CAPTURE(shown_width);
                CAPTURE(scale);
                check(course_state(), false);
                for (const char* lesson : {"6", "12"}) {
                    CAPTURE(lesson);
                    DeskState state = lesson_state(lesson);
                    check(state, true);
                    state.course.said = {{Kind::Met, "correct at 16, 33x17x40, 64"},
                                         {Kind::Advice, "Some work-items of a group never reach it."}};
                    state.course.is_solved = true;
                    LessonProgress& kept = state.course.progress.of(state.course.lesson()->name);
                    kept.hints = 3;
                    for (const LessonPrediction& prediction : state.course.lesson()->predictions)
                        kept.answer_to(prediction.name).measured = "4";
                    check(state, false);
                }
            }
}

}  // namespace
}  // namespace kwb::test
