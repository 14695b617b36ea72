// SPDX-License-Identifier: Apache-2.0
#include "lessons/progress.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
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

void keep_right_answers(const Lesson& lesson, const Scope& facts, LessonProgress& progress) {
    for (const LessonPrediction& prediction : lesson.predictions)
        if (const auto right = right_answer(lesson, prediction, facts))
            progress.answer_to(prediction.name).measured = *right;
}

ExerciseCopy begin_exercise(const Lesson& lesson, const CourseProgress& progress, const fs::path& folder) {
    std::error_code missing;
    const fs::path here = fs::absolute(folder / (lesson.name + lesson.extension()), missing);
    if (fs::exists(here, missing)) return {here};
    const LessonProgress begun = progress.find(lesson.name);
    if (!begun.file.empty() && fs::exists(begun.file, missing)) return {begun.file};
    write_file(here, read_file(lesson.exercise(), kMostExerciseBytes));
    return {here, true};
}

}  // namespace kwb
