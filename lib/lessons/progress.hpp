// SPDX-License-Identifier: Apache-2.0
// A course as one person takes it: the lessons, and the person's progress, kept in a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "catalog/expression.hpp"
#include "lessons/lesson.hpp"

namespace kwb {

/// A learner's prediction.
struct LessonAnswer {
    std::string prediction;     ///< LessonPrediction::name
    std::string answer = {};    ///< empty: none was given
    std::string measured = {};  ///< the right answer, once the exercise is solved
    /// Of a question why: the reasons that were found, the most important first: name → sentence.
    NamedList<std::string> why = {};
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

/// A prediction of a lesson, with what is known of its answer.
struct LessonQuestion {
    enum class State {
        Later,  ///< asked once the exercise is solved
        Open,   ///< asked now
        Told,   ///< the right answer may be shown. A later question is told once the person has answered it
    };
    const LessonPrediction& prediction;
    LessonAnswer known;
    State state;

    bool is_answered() const { return !known.answer.empty(); }
    bool is_right() const;     ///< if it is answered and Told
    std::string told() const;  ///< if it is Told: "You predicted 2; it is 1"
    /// If it is Told: LessonPrediction::says, unless the reasons that were found contradict it.
    std::string says() const;

private:
    std::string told_why() const;
};

/// @param lesson  must outlive the result
std::vector<LessonQuestion> questions_of(const Lesson& lesson, const CourseProgress& progress);

struct ExerciseCopy {
    std::filesystem::path file;
    bool is_new = false;
};

/// What a face shows of a course, and each change that it makes.
struct Course {
    std::vector<Lesson> lessons;  ///< do not change once they are listed
    CourseProgress progress;
    std::filesystem::path progress_file = {};  ///< empty: the progress is kept only here
    /// Called with a sentence if a change cannot be saved, so that it is kept only here.
    std::function<void(const std::string&)> report_unsaved = {};

    /// The first lesson that is not solved. @return nullptr: all are
    const Lesson* next() const;
    /// The person's copy of the exercise: the one in this folder, else the one that was begun, else a new one
    /// in this folder. @throws BadInput  it cannot be written
    ExerciseCopy begin(const Lesson& lesson, const std::filesystem::path& folder);
    /// One more hint, if there is one.
    void show_hint(const Lesson& lesson);
    /// @throws BadInput  as require_answer()
    void answer(const Lesson& lesson, const LessonPrediction& prediction, const std::string& answer);
    /// Also keeps the right answers to the predictions, as far as the attempt determines them.
    /// @param facts  of the attempt
    /// @param why    of the attempt: add_reasons()
    void solve(const Lesson& lesson, const Scope& facts, const NamedList<std::string>& why = {});

private:
    void keep(const Lesson& lesson, const std::function<void(LessonProgress&)>& change);
};

/// The folder of the course: the shipped one, unless another is given.
/// @throws EnvironmentError  this build has no lessons
std::filesystem::path lessons_folder(const std::filesystem::path& given);

}  // namespace kwb
