// What a person has done of the course, kept in a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kwb {

struct LessonProgress {
    std::string lesson;     ///< Lesson::name
    std::string file = {};  ///< the person's copy of the exercise; empty: not begun
    bool is_solved = false;
    std::uint32_t hints = 0;  ///< stages that have been shown
};

struct CourseProgress {
    std::vector<LessonProgress> lessons;  ///< those that were begun

    /// Adds the lesson if it is not there.
    LessonProgress& of(const std::string& lesson);
    /// @return  not begun if it is not there
    LessonProgress find(const std::string& lesson) const;
};

/// @return  empty if there is no such file
/// @throws BadInput  it is damaged, or of another version; says what to do
CourseProgress read_progress(const std::filesystem::path& file);

/// @throws BadInput  it cannot be written
void write_progress(const std::filesystem::path& file, const CourseProgress& progress);

}  // namespace kwb
