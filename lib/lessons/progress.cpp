#include "lessons/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/record_json.hpp"
#include "base/user_folders.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

constexpr int kProgressVersion = 1;
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

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
    throw BadInput(fmt::format("{}: {}; move it away, and the course begins anew", file.string(), why));
}

}  // namespace

template <class Fields>
void describe(Fields& f, LessonProgress& progress) {
    f("lesson", progress.lesson);
    f("file", progress.file);
    f("solved", progress.is_solved);
    f("hints", progress.hints);
}

LessonProgress& CourseProgress::of(const std::string& lesson) {
    const auto found = std::ranges::find(lessons, lesson, &LessonProgress::lesson);
    return found != lessons.end() ? *found : lessons.emplace_back(LessonProgress{lesson});
}

LessonProgress CourseProgress::find(const std::string& lesson) const {
    const auto found = std::ranges::find(lessons, lesson, &LessonProgress::lesson);
    return found != lessons.end() ? *found : LessonProgress{lesson};
}

CourseProgress read_progress(const fs::path& file) {
    std::error_code missing;
    if (!fs::exists(file, missing)) return {};
    ProgressFile read;
    try {
        const Json json = parse_json(read_file(file, kMostBytes));
        // Another version may have other keys, so this comes first.
        if (const auto version = json.find("version");
            version != json.end() && version->is_number_integer() && *version != kProgressVersion)
            refuse(file, fmt::format("this progress has version {}, and this program reads version {}",
                                     version->get<std::int64_t>(), kProgressVersion));
        read_json(JsonPlace(json, "progress"), read);
    } catch (const ProtocolError& error) {
        refuse(file, std::string("this is no progress of the course: ") + error.what());
    }
    return {std::move(read.lessons)};
}

void write_progress(const fs::path& file, const CourseProgress& progress) {
    make_private_folders(file.parent_path());
    const ProgressFile written{kProgressVersion, progress.lessons};
    write_file(file, dump_json(write_json(written), 2) + "\n", {.sync = true});
}

}  // namespace kwb
