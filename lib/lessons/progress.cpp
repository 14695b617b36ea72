// SPDX-License-Identifier: Apache-2.0
#include "lessons/progress.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "catalog/kernel_folders.hpp"
#include "lessons/assessment.hpp"
#include "store/keyed_file.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMostExerciseBytes = 1u << 20;

KeyedFile<LessonProgress> open_progress(const fs::path& file) {
    return {file, {"progress in the course", "1"}};
}

}  // namespace

template <class Fields>
void describe(Fields& f, LessonAnswer& answer) {
    f("prediction", answer.prediction);
    f("answer", answer.answer);
    f("measured", answer.measured);
    f.defaulted("why", answer.why);
}

template <class Fields>
void describe(Fields& f, LessonProgress& progress) {
    f("file", progress.file);
    f("solved", progress.is_solved);
    f("hints", progress.hints);
    f("answers", progress.answers);
}

LessonAnswer& LessonProgress::answer_to(const std::string& prediction) {
    const auto found = std::ranges::find(answers, prediction, &LessonAnswer::prediction);
    return found != answers.end() ? *found : answers.emplace_back(LessonAnswer{prediction});
}

LessonProgress& CourseProgress::of(const std::string& lesson) {
    const auto found = std::ranges::find(lessons, lesson, &LessonProgress::lesson);
    return found != lessons.end() ? *found : lessons.emplace_back(LessonProgress{lesson});
}

LessonProgress CourseProgress::find(const std::string& lesson) const {
    const auto found = std::ranges::find(lessons, lesson, &LessonProgress::lesson);
    return found != lessons.end() ? *found : LessonProgress{lesson};
}

fs::path progress_file() {
    return data_folder() / "course.jsonl";
}

CourseProgress read_progress(const fs::path& file) {
    const auto refuse = [](const std::string& why) {
        throw BadInput(why + ". Move the file away to start the course over");
    };
    auto kept = open_progress(file);
    CourseProgress progress;
    try {
        for (const auto& [lesson, record] : kept.read()) {
            progress.lessons.push_back(record);
            progress.lessons.back().lesson = lesson;
        }
    } catch (const BadInput& error) {
        refuse(error.what());
    }
    if (!kept.damage().empty()) refuse(kept.damage().front());
    return progress;
}

void change_progress(const fs::path& file, const std::string& lesson,
                     const std::function<void(LessonProgress&)>& change) {
    read_progress(file);  // refuses a damaged file
    open_progress(file).change(lesson, change);
}

bool LessonQuestion::is_right() const {
    return is_answered() && (prediction.is_why ? find_named(known.why, known.answer) != nullptr
                                               : agrees(prediction, known.answer, known.measured));
}

std::string LessonQuestion::told() const {
    if (prediction.is_why) return told_why();
    const std::string right = answer_text(known.measured);
    if (!is_answered()) return "It is " + right;
    return "You predicted " + known.answer + (is_right() ? ", and it is " : "; it is ") + right;
}

std::string LessonQuestion::told_why() const {
    const std::string answered = is_answered() ? "You answered " + known.answer : "";
    if (known.why.empty()) return answered + (answered.empty() ? "" : "; ") + "X-ray counts no reason";
    const auto& first = known.why.front();
    const std::string found = first.name + ": " + first.value;
    if (!is_answered()) return "It is " + found;
    if (!is_right()) return answered + "; X-ray counts " + found;
    return answered + ", and X-ray counts it: " + *find_named(known.why, known.answer) +
           (known.answer == first.name ? "" : ". The most important reason is " + found);
}

std::string LessonQuestion::says() const {
    const bool is_contradicted = prediction.is_why && find_named(known.why, prediction.answer) == nullptr;
    return is_contradicted ? "The lesson expects " + prediction.answer +
                                 ", but X-ray does not count it for your kernel, and the counts decide."
                           : prediction.says;
}

std::vector<LessonQuestion> questions_of(const Lesson& lesson, const CourseProgress& progress) {
    using State = LessonQuestion::State;
    LessonProgress kept = progress.find(lesson.name);
    std::vector<LessonQuestion> questions;
    for (const LessonPrediction& prediction : lesson.predictions) {
        const LessonAnswer& known = kept.answer_to(prediction.name);
        const bool is_measured = !known.measured.empty();
        const bool is_told = is_measured && (!prediction.is_after || !known.answer.empty());
        questions.push_back({prediction, known,
                             is_told                               ? State::Told
                             : prediction.is_after && !is_measured ? State::Later
                                                                   : State::Open});
    }
    return questions;
}

const Lesson* Course::next() const {
    const auto found = std::ranges::find_if(
        lessons, [&](const Lesson& lesson) { return !progress.find(lesson.name).is_solved; });
    return found != lessons.end() ? &*found : nullptr;
}

void Course::keep(const Lesson& lesson, const std::function<void(LessonProgress&)>& change) {
    LessonProgress& here = progress.of(lesson.name);
    bool is_changed = false;
    if (!progress_file.empty()) try {
            change_progress(progress_file, lesson.name, [&](LessonProgress& kept) {
                change(kept);
                here = kept;  // with what another process has changed
                here.lesson = lesson.name;
                is_changed = true;
            });
        } catch (const std::runtime_error& error) {
            if (report_unsaved) report_unsaved(error.what());
        }
    if (!is_changed) change(here);
}

ExerciseCopy Course::begin(const Lesson& lesson, const fs::path& folder) {
    std::error_code missing;
    ExerciseCopy copy{fs::absolute(folder / (lesson.name + lesson.extension()), missing)};
    const fs::path begun = progress.find(lesson.name).file;
    if (fs::exists(copy.file, missing)) {
        // The one in this folder comes first.
    } else if (!begun.empty() && fs::exists(begun, missing)) {
        copy.file = begun;
    } else {
        write_file(copy.file, read_file(lesson.exercise(), kMostExerciseBytes));
        copy.is_new = true;
    }
    keep(lesson, [&](LessonProgress& kept) { kept.file = copy.file.string(); });
    return copy;
}

void Course::show_hint(const Lesson& lesson) {
    keep(lesson, [&](LessonProgress& kept) {
        if (kept.hints < lesson.hints.size()) ++kept.hints;
    });
}

void Course::answer(const Lesson& lesson, const LessonPrediction& prediction, const std::string& answer) {
    require_answer(prediction, answer);
    keep(lesson, [&](LessonProgress& kept) { kept.answer_to(prediction.name).answer = answer; });
}

void Course::solve(const Lesson& lesson, const Scope& facts, const NamedList<std::string>& why) {
    keep(lesson, [&](LessonProgress& kept) {
        kept.is_solved = true;
        for (const LessonPrediction& prediction : lesson.predictions)
            if (const auto right = right_answer(lesson, prediction, facts)) {
                LessonAnswer& answer = kept.answer_to(prediction.name);
                answer.measured = *right;
                if (prediction.is_why) answer.why = why;
            }
    });
}

fs::path lessons_folder(const fs::path& given) {
    const fs::path folder = given.empty() ? shipped_lessons() : given;
    if (folder.empty()) throw EnvironmentError("this build has no lessons: share/kwb/lessons is missing");
    return folder;
}

}  // namespace kwb
