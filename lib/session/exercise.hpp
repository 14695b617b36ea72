// What is asked of the judge about an attempt at a lesson's exercise.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "catalog/edited_texts.hpp"
#include "lessons/lesson.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"

namespace kwb {

struct ExerciseRequests {
    std::vector<RunRequest> checks;        ///< at each size of the lesson
    std::optional<XrayRequest> xray = {};  ///< at the size of its goals; nullopt: it has none
};

/// @param file    the person's copy
/// @param edited  texts instead of files
/// @throws BadInput  with its place: a blank that is still to be filled in (also the line of the source);
/// another
///                   problem than the lesson's; or the file cannot be run
ExerciseRequests exercise_requests(const Lesson& lesson, const std::filesystem::path& file,
                                   const DeviceInfo& device, const EditedTexts& edited = {});

}  // namespace kwb
