// SPDX-License-Identifier: Apache-2.0
// A learner's progress in the course, kept in a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "catalog/expression.hpp"
#include "lessons/lesson.hpp"

namespace kwb {

/// A learner's prediction.
struct LessonAnswer {
    std::string prediction;     ///< LessonPrediction::name
    std::string answer = {};    ///< empty: none was given
    std::string measured = {};  ///< the right answer, once the exercise is solved
};

struct LessonProgress {
    std::string lesson;     ///< Lesson::name
    std::string file = {};  ///< the person's copy of the exercise; empty: not begun
    bool is_solved = false;
    std::uint32_t hints = 0;  ///< stages that have been shown
    std::vector<LessonAnswer> answers = {};

    /// Adds the prediction if it is missing.
    LessonAnswer& answer_to(const std::string& prediction);
};

struct CourseProgress {
    std::vector<LessonProgress> lessons;  ///< those that were begun

    /// Adds the lesson if it is missing.
    LessonProgress& of(const std::string& lesson);
    /// @return "not begun" if it is missing
    LessonProgress find(const std::string& lesson) const;
};

/// course.jsonl in the data folder. @throws EnvironmentError  as data_folder()
std::filesystem::path progress_file();

/// @return  empty if there is no such file
/// @throws BadInput it is damaged, or of another version; with a remedy
CourseProgress read_progress(const std::filesystem::path& file);

/// Change the progress in one lesson, while no other process does.
/// @throws BadInput  as read_progress(); it cannot be written
void change_progress(const std::filesystem::path& file, const std::string& lesson,
                     const std::function<void(LessonProgress&)>& change);

/// Keeps the right answers to a lesson's predictions, as far as a solved attempt determines them.
/// @param facts  of the attempt
void keep_right_answers(const Lesson& lesson, const Scope& facts, LessonProgress& progress);

struct ExerciseCopy {
    std::filesystem::path file;
    bool is_new = false;
};

/// The person's copy of an exercise: the one in this folder, else the one that was begun, else a new one in
/// this folder. @throws BadInput  it cannot be written
ExerciseCopy begin_exercise(const Lesson& lesson, const CourseProgress& progress,
                            const std::filesystem::path& folder);

}  // namespace kwb
