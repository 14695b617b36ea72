// SPDX-License-Identifier: Apache-2.0
// The course: opens lessons, and checks attempts while nothing else runs.
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "desk/desk.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace fs = std::filesystem;

void Desk::read_terms() {
    try {
        state_.course.glossary = read_glossary(lessons_folder(options_.lessons_folder));
    } catch (const std::runtime_error&) {
        // ListLessons reports what is wrong with the folder; tables have no explanations until then.
    }
}

void Desk::handle(const command::ListLessons&) {
    ShownCourse& course = state_.course;
    course.error.clear();
    try {
        if (course.lessons.empty()) {
            lessons_folder_ = lessons_folder(options_.lessons_folder);
            course.glossary = read_glossary(lessons_folder_);
            course.lessons = read_lessons(lessons_folder_);
            course.progress_file = options_.progress_file;
            course.report_unsaved = [this](const std::string& why) {
                notify(Notice::Kind::Warning, "Your progress is not saved: " + why);
            };
        }
        if (!options_.progress_file.empty()) course.progress = read_progress(options_.progress_file);
    } catch (const std::runtime_error& error) {
        if (course.lessons.empty())
            course.error = error.what();
        else
            notify(Notice::Kind::Warning, error.what());
    }
}

void Desk::handle(const command::OpenLesson& command) {
    close_lesson();
    ShownCourse& course = state_.course;
    if (command.index >= course.lessons.size()) return give_back_experiment();
    const Lesson& lesson = course.lessons[command.index];
    try {
        const fs::path folder =
            options_.exercise_folder.empty() ? fs::current_path() : options_.exercise_folder;
        fs::create_directories(folder);
        course.exercise = absolute(course.begin(lesson, folder).file);
    } catch (const std::runtime_error& error) {
        notify(Notice::Kind::Error, error.what());
        return give_back_experiment();
    }
    course.open = command.index;
    course.story = story_blocks(lesson.story, course.glossary);
    handle(command::OpenFiles{{course.exercise}, false});
    if (lesson.is_host) return give_back_experiment();
    // Only the exercise, at the lesson's size, for the editor, the launch picture and X-ray.
    add_entry(course.exercise.string());
    if (!before_lesson_) before_lesson_ = state_.choices;
    Experiment choices = state_.choices;
    choices.problem = lesson.problem;
    choices.contestants = {{course.exercise.string(), {}, ""}};
    choices.baseline = 0;
    if (const Problem* const problem = problem_named(lesson.problem))
        choices.sizes = parse_sizes(*problem, lesson.size);
    take_choices(std::move(choices));
}

void Desk::handle(const command::LeaveLesson&) {
    close_lesson();
    give_back_experiment();
}

void Desk::give_back_experiment() {
    if (auto before = std::exchange(before_lesson_, std::nullopt)) take_choices(std::move(*before));
}

void Desk::close_lesson() {
    leave_check();
    ShownCourse& course = state_.course;
    course.open.reset();
    course.story.clear();
    course.said.clear();
    course.is_solved = course.is_outdated = course.asks_first = false;
    skips_predictions_ = false;
}

void Desk::handle(const command::ShowHint&) {
    if (state_.course.open) state_.course.show_hint(*state_.course.lesson());
}

void Desk::handle(const command::Predict& command) {
    const Lesson* const lesson = state_.course.lesson();
    if (lesson == nullptr || command.prediction >= lesson->predictions.size()) return;
    try {
        state_.course.answer(*lesson, lesson->predictions[command.prediction], command.answer);
        if (state_.course.asks_first && !state_.course.has_open_prediction())
            handle(command::CheckExercise{});
    } catch (const BadInput& error) {
        notify(Notice::Kind::Warning, error.what());
    }
}

void Desk::handle(const command::ShowSolution&) {
    const Lesson* const lesson = state_.course.lesson();
    if (lesson == nullptr) return;
    handle(command::OpenFiles{{state_.course.exercise}, false});
    const auto shown = open_document(lesson->solution());
    watch_files();
    handle(command::PutBeside{shown->id()});
}

bool ShownCourse::has_open_prediction() const {
    return open && std::ranges::any_of(questions_of(*lesson(), progress), [](const LessonQuestion& question) {
               return question.state == LessonQuestion::State::Open && !question.prediction.is_after &&
                      !question.is_answered();
           });
}

// ---- Attempts ----

class Desk::LessonTask : public Attempt {
public:
    LessonTask(Desk& desk, const Lesson& lesson, std::optional<std::uint64_t> of_revision)
        : Attempt(lesson, desk.state_.course.exercise, *desk.state_.device, desk.texts_on_screen()),
          device(desk.state_.device->id),
          revision(of_revision),
          desk_(desk) {}

    const std::string device;
    const std::optional<std::uint64_t> revision;  ///< of the text; nullopt: it is not on the screen

    std::optional<Request> next(std::size_t place) override {
        auto request = Attempt::next(place);
        if (request) desk_.state_.course.asked = progress();
        ++desk_.state_.revision;
        return request;
    }

private:
    Desk& desk_;
};

void Desk::handle(const command::CheckExercise& command) {
    ShownCourse& course = state_.course;
    if (!course.open) return;
    skips_predictions_ = skips_predictions_ || command.anyway;
    course.asks_first = !skips_predictions_ && course.said.empty() && course.has_open_prediction();
    if (course.asks_first) return;
    leave_check();
    is_check_wanted_ = true;
    begin_check();
}

void Desk::check_saved(const fs::path& file) {
    if (state_.course.open && absolute(file) == state_.course.exercise) handle(command::CheckExercise{});
}

void Desk::leave_check() {
    scheduler_.drop(Scheduler::Rank::Lesson, *session_);
    is_check_wanted_ = false;
    state_.course.asked.reset();
}

void Desk::begin_check() {
    if (!is_check_wanted_ || state_.device == nullptr) return;
    // Its compilers and programs would disturb a measurement.
    if (asked_task() != nullptr || requested_ || listing_) return;
    is_check_wanted_ = false;
    const auto shown = document_of(state_.course.exercise);
    scheduler_.begin(
        Scheduler::Rank::Lesson,
        std::make_unique<LessonTask>(*this, *state_.course.lesson(),
                                     shown ? std::optional(shown->buffer().revision()) : std::nullopt),
        *session_);
}

void Desk::check_on_device() {
    const auto* const lesson = static_cast<LessonTask*>(scheduler_.task(Scheduler::Rank::Lesson));
    if (lesson == nullptr || lesson->device == state_.device->id) return;
    scheduler_.drop(Scheduler::Rank::Lesson, *session_);
    is_check_wanted_ = true;
}

void Desk::end_check(const LessonTask& done) {
    ShownCourse& course = state_.course;
    const Lesson& lesson = *course.lesson();
    course.asked.reset();
    if (!done.error().empty()) {
        course.said = {{AttemptLine::Kind::Unmet, done.error()}};
        course.is_solved = false;
        return;
    }
    course.said = lines_of(lesson, done);
    // The exercise is on the screen: its folder says nothing.
    const std::string folder = course.exercise.parent_path().string() + "/";
    for (AttemptLine& line : course.said)
        for (std::size_t at = line.words.find(folder); at != std::string::npos;
             at = line.words.find(folder, at))
            line.words.erase(at, folder.size());
    course.is_solved = done.obstacle().empty() && done.assessment().is_solved();
    const auto shown = document_of(course.exercise);
    course.is_outdated = shown && done.revision && shown->buffer().revision() != *done.revision;
    if (shown && done.revision) {
        if (!done.results().empty())
            put_marks({done.results().back()}, {shown->name()}, {{shown->id(), *done.revision}});
        else if (const auto& place = done.obstacle_place(); place && place->file == shown->path())
            shown->set_marks({{LineMark::Kind::Error, place->line - 1, place->column - 1,
                               done.obstacle_words(), shown->name()}},
                             *done.revision);
    }
    if (course.is_solved) course.solve(lesson, done.facts(), done.why());
}

}  // namespace kwb
