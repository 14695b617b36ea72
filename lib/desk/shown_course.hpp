// SPDX-License-Identifier: Apache-2.0
// The course in the window: its lessons, their progress, and the open lesson.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lessons/lesson.hpp"
#include "lessons/progress.hpp"
#include "task/attempt.hpp"

namespace kwb {

struct ShownCourse : Course {
    std::vector<Term> glossary;
    std::string error;  ///< why there are no lessons; empty: not requested yet, or listed

    std::optional<std::size_t> open;   ///< index in `lessons`
    std::vector<StoryBlock> story;     ///< of the lesson that is open
    std::filesystem::path exercise;    ///< the person's copy
    std::vector<AttemptLine> said;     ///< of the last attempt; empty: there was none
    bool is_solved = false;            ///< by the last attempt
    bool is_outdated = false;          ///< the text has changed since
    bool asks_first = false;           ///< a check waits for predictions
    std::optional<std::string> asked;  ///< what is being checked: "size N=64"; nullopt: nothing

    const Lesson* lesson() const { return open ? &lessons[*open] : nullptr; }
    /// Whether a question that comes before the first run has no answer yet.
    bool has_open_prediction() const;
    /// The stored progress of the open lesson.
    LessonProgress kept() const { return open ? progress.find(lesson()->name) : LessonProgress{}; }
};

}  // namespace kwb
