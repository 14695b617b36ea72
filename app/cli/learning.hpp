// SPDX-License-Identifier: Apache-2.0
// Shared by the verbs of the course: attempts and predictions, in the words of the terminal.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "conversation.hpp"
#include "lessons/lesson.hpp"
#include "lessons/progress.hpp"
#include "task/attempt.hpp"

namespace kwb::cli {

/// @throws EnvironmentError, Interrupted
Attempt look_at(Conversation& conversation, const Lesson& lesson, const std::filesystem::path& file,
                const DeviceInfo& device, const EditedTexts& edited = {});

/// Describes the outcome of an attempt, in lines no longer than `width`.
std::string describe(const Lesson& lesson, const Attempt& made, std::size_t width);

/// On a terminal, asks for the predictions that are missing; an empty line leaves a question open. Elsewhere,
/// prints them.
void ask_predictions(Course& course, const Lesson& lesson, std::size_t width);

/// The questions that are asked now and have no answer yet, with the commands that answer them.
/// @param is_after  those that are asked once the exercise is solved
std::string open_questions(const Course& course, const Lesson& lesson, bool is_after, std::size_t width);

/// The right answers next to the given ones.
std::string told_answers(const Course& course, const Lesson& lesson, std::size_t width);

/// Saves an answer, and compares it if the exercise is solved.
/// @param words  "loads=4"
/// @throws BadInput the question does not exist or is not asked yet, or this cannot be its answer
void predict(Course& course, const Lesson& lesson, const std::string& words, std::size_t width);

/// kwb learn --verify: tests what the authors of a lesson, or a course, promise.
/// @param folder  of the lesson or the course
/// @return the exit code
int verify_lessons(const std::filesystem::path& folder, const std::optional<std::string>& device,
                   const Folders& folders);

}  // namespace kwb::cli
