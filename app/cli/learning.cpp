#include "learning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"

namespace kwb::cli {

Attempt look_at(Conversation& conversation, const Lesson& lesson, const std::filesystem::path& file,
                const DeviceInfo& device, const EditedTexts& edited) {
    Attempt attempt(lesson, file, device, edited);
    while (auto command = attempt.next()) {
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
    if (!made.obstacle().empty()) return printable(made.obstacle()) + "\n";
    std::string text;
    const KernelResult& last = made.results().back();
    if (last.verdict == Verdict::Correct) {
        text = fmt::format("  ✓ correct at {}\n", join(lesson.sizes, ", "));
        for (std::size_t i = 0; i < lesson.goals.size(); ++i) {
            const Assessment::Goal state = made.assessment().goals[i];
            text += paragraph((state == Assessment::Goal::Met ? "✓ " : "✗ ") + lesson.goals[i].says +
                                  (state == Assessment::Goal::Unknown ? " (X-ray could not observe it)" : ""),
                              width, 2);
        }
    } else {
        // The lines after the first show the source.
        const std::vector<std::string> reason = split_lines(printable(last.reason));
        const bool is_built = last.verdict != Verdict::CompileError;
        text = paragraph(fmt::format("✗ {}{}: {}", to_string(last.verdict),
                                     is_built ? " at size " + to_string(last.size) : "",
                                     reason.empty() ? "" : reason.front()),
                         width, 2);
        for (std::size_t i = 1; i < reason.size(); ++i) text += reason[i] + '\n';
    }
    if (const LessonMistake* const mistake = made.assessment().mistake)
        text += paragraph("→ " + mistake->says, width, 2);
    return text;
}

void keep(const Lesson& lesson, const std::function<void(LessonProgress&)>& change) {
    try {
        change_progress(progress_file(), [&](CourseProgress& progress) { change(progress.of(lesson.name)); });
    } catch (const BadInput& error) {
        static bool is_told = false;
        if (!std::exchange(is_told, true))
            print_error(fmt::format("kwb: your progress is not kept: {}\n", printable_line(error.what())));
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
