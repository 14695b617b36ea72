// SPDX-License-Identifier: Apache-2.0
#include "learning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

/// Interval between checks whether compilers and programs have ended.
constexpr std::chrono::milliseconds kLookAtOthers{20};

}  // namespace

Attempt look_at(Conversation& conversation, const Lesson& lesson, const std::filesystem::path& file,
                const DeviceInfo& device, const EditedTexts& edited) {
    Attempt attempt(lesson, file, device, edited);
    const auto next = [&] {
        while (attempt.waits()) {
            conversation.pause(kLookAtOthers);
            if (conversation.interrupted()) throw Interrupted{};
        }
        return attempt.next();
    };
    while (auto command = next()) {
        RunRequest* const run = std::get_if<RunRequest>(&*command);
        const auto snapshot = run != nullptr ? conversation.run(std::move(*run), attempt.headline())
                                             : conversation.xray(std::move(std::get<XrayRequest>(*command)));
        if (conversation.interrupted()) throw Interrupted{};
        if (!snapshot->error.empty()) throw EnvironmentError(snapshot->error);
        attempt.take(*snapshot);
    }
    return attempt;
}

std::string describe(const Lesson& lesson, const Attempt& made, std::size_t width) {
    using Kind = AttemptLine::Kind;
    std::string text;
    for (const auto& [kind, words] : lines_of(lesson, made)) {
        // An obstacle begins with a place that terminals turn into a link, so its lines are not broken.
        if (kind == Kind::Source || !made.obstacle().empty())
            text += printable(words) + '\n';
        else
            text += paragraph((kind == Kind::Met     ? "✓ "
                               : kind == Kind::Unmet ? "✗ "
                                                     : "→ ") +
                                  words,
                              width, 2);
    }
    return text;
}

void keep(const Lesson& lesson, const std::function<void(LessonProgress&)>& change) {
    try {
        change_progress(progress_file(), lesson.name, change);
    } catch (const BadInput& error) {
        static bool is_told = false;
        if (!std::exchange(is_told, true))
            print_error(fmt::format("kwb: your progress is not saved: {}\n", printable_line(error.what())));
    }
}

LessonProgress kept(const Lesson& lesson) {
    try {
        return read_progress(progress_file()).find(lesson.name);
    } catch (const BadInput&) {
        return LessonProgress{lesson.name};
    }
}

}  // namespace kwb::cli
