// SPDX-License-Identifier: Apache-2.0
// What the verbs of the course share: an attempt and what is said of it, and what is kept of a lesson.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "conversation.hpp"
#include "lessons/lesson.hpp"
#include "lessons/progress.hpp"
#include "session/exercise.hpp"

namespace kwb::cli {

/// @throws EnvironmentError, Interrupted
Attempt look_at(Conversation& conversation, const Lesson& lesson, const std::filesystem::path& file,
                const DeviceInfo& device, const EditedTexts& edited = {});

/// What came of an attempt, in lines no longer than `width`.
std::string describe(const Lesson& lesson, const Attempt& made, std::size_t width);

/// Changes what is kept of one lesson. That it cannot be kept is told once, and stops nobody.
void keep(const Lesson& lesson, const std::function<void(LessonProgress&)>& change);

/// What is kept of a lesson. @return  not begun if the file cannot be read; keep() says so
LessonProgress kept(const Lesson& lesson);

/// On a terminal, asks for the predictions that are missing; an empty line leaves a question open. Elsewhere,
/// prints them.
void ask_predictions(const Lesson& lesson, std::size_t width);

/// The questions that are asked now and have no answer yet, with the commands that answer them.
/// @param is_after  those that are asked once the exercise is solved
std::string open_questions(const Lesson& lesson, bool is_after, std::size_t width);

/// Keeps the right answers of a solved attempt, and shows them next to those that were given.
std::string compare_predictions(const Lesson& lesson, const Attempt& solved, std::size_t width);

/// Keeps an answer, and compares it if the exercise is solved.
/// @param words  "loads=4"
/// @throws BadInput  there is no such question, it is not asked yet, or this cannot be its answer
void predict(const Lesson& lesson, const std::string& words, std::size_t width);

/// kwb learn --verify: tests a lesson, or a course, as its authors promise it. @return  the exit code
int verify_lessons(const Options& options);

}  // namespace kwb::cli
