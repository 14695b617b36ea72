// SPDX-License-Identifier: Apache-2.0
#include "lessons/progress.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/file.hpp"
#include "base/record_json.hpp"
#include "base/user_folders.hpp"
#include "lessons/assessment.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

constexpr int kProgressVersion = 2;
constexpr std::uintmax_t kMostBytes = 1u << 20;

struct ProgressFile {
    int version = kProgressVersion;
    std::vector<LessonProgress> lessons;
};

template <class Fields>
void describe(Fields& f, ProgressFile& file) {
    f("version", file.version);
    f("lessons", file.lessons);
}

/// Version 1 had no answers.
void upgrade(Json& json) {
    json["version"] = kProgressVersion;
    if (const auto lessons = json.find("lessons"); lessons != json.end() && lessons->is_array())
        for (Json& lesson : *lessons)
            if (lesson.is_object()) lesson["answers"] = Json::array();
}

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
    throw BadInput(fmt::format("{}: {}. Move it away to start the course over", file.string(), why));
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
    f("lesson", progress.lesson);
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
    return data_folder() / "course.json";
}

CourseProgress read_progress(const fs::path& file) {
    std::error_code missing;
    if (!fs::exists(file, missing)) return {};
    ProgressFile read;
    try {
        Json json = parse_json(read_file(file, kMostBytes));
        // Another version may have other keys, so this comes first.
        if (const auto version = json.find("version");
            version != json.end() && version->is_number_integer()) {
            if (*version == 1)
                upgrade(json);
            else if (*version != kProgressVersion)
                refuse(file,
                       fmt::format(
                           "this progress file has version {}, but this program reads only up to version {}",
                           version->get<std::int64_t>(), kProgressVersion));
        }
        read_json(JsonPlace(json, "progress"), read);
    } catch (const ProtocolError& error) {
        refuse(file, std::string("not a progress file of the course: ") + error.what());
    }
    return {std::move(read.lessons)};
}

void change_progress(const fs::path& file, const std::function<void(CourseProgress&)>& change) {
    make_private_folders(file.parent_path());
    const Fd folder(::open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder) ::flock(folder.get(), LOCK_EX);
    CourseProgress progress = read_progress(file);
    change(progress);
    const ProgressFile written{kProgressVersion, progress.lessons};
    write_file(file, dump_json(write_json(written), 2) + "\n", {.sync = true});
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
    write_file(here, read_file(lesson.exercise(), kMostBytes));
    return {here, true};
}

}  // namespace kwb
