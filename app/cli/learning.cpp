// SPDX-License-Identifier: Apache-2.0
#include "learning.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

std::string question(const LessonPrediction& prediction) {
    return prediction.asks + (prediction.choices.empty() ? "" : " (" + join(prediction.choices, ", ") + ")");
}

/// "✓ your prediction: 4, measured: 4. …", below the question.
std::string compare(const LessonPrediction& prediction, const LessonAnswer& answer, std::size_t width) {
    const std::string right = answer_text(answer.measured);
    const std::string said = answer.answer.empty() ? "• measured: " + right
                             : agrees(prediction, answer.answer, answer.measured)
                                 ? fmt::format("✓ your prediction: {}, measured: {}", answer.answer, right)
                                 : fmt::format("✗ your prediction: {}, measured: {}", answer.answer, right);
    return paragraph("? " + prediction.asks, width, 2) + paragraph(said + ". " + prediction.says, width, 4);
}

}  // namespace

Attempt look_at(Conversation& conversation, const Lesson& lesson, const std::filesystem::path& file,
                const DeviceInfo& device, const EditedTexts& edited) {
    Attempt attempt(lesson, file, device, edited);
    conversation.perform(attempt);
    if (conversation.interrupted()) throw Interrupted{};
    if (!attempt.error().empty()) throw EnvironmentError(attempt.error());
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

std::string open_questions(const Lesson& lesson, bool is_after, std::size_t width) {
    LessonProgress progress = kept(lesson);
    std::string text;
    for (const LessonPrediction& prediction : lesson.predictions)
        if (prediction.is_after == is_after && progress.answer_to(prediction.name).answer.empty())
            text += paragraph("? " + question(prediction), width, 2) +
                    fmt::format("    kwb learn {} --predict {}={}\n", lesson.number, prediction.name,
                                prediction.choices.empty() ? "NUMBER" : prediction.choices.front());
    if (text.empty()) return text;
    return (is_after ? "\nOne more question:\n" : "What do you predict?\n") + text;
}

std::string compare_predictions(const Lesson& lesson, const Attempt& solved, std::size_t width) {
    std::string text;
    keep(lesson, [&](LessonProgress& progress) {
        keep_right_answers(lesson, solved.facts(), progress);
        text.clear();
        for (const LessonPrediction& prediction : lesson.predictions) {
            const LessonAnswer& answer = progress.answer_to(prediction.name);
            if (answer.measured.empty()) continue;  // X-ray could not observe it
            if (!prediction.is_after || !answer.answer.empty()) text += compare(prediction, answer, width);
        }
    });
    return text.empty() ? text : "\nPredicted and measured:\n" + text;
}

void predict(const Lesson& lesson, const std::string& words, std::size_t width) {
    const std::size_t sign = words.find('=');
    const std::string name(trim(words.substr(0, sign)));
    std::vector<std::string> names;
    for (const LessonPrediction& each : lesson.predictions) names.push_back(each.name);
    const auto prediction = std::ranges::find(lesson.predictions, name, &LessonPrediction::name);
    if (prediction == lesson.predictions.end() || sign == std::string::npos)
        throw BadInput(names.empty() ? fmt::format("--predict {}: lesson {} has no prediction to answer",
                                                   words, lesson.number)
                                     : fmt::format("--predict {}: write NAME=ANSWER; lesson {} asks for {}",
                                                   words, lesson.number, enumerate(names)));
    const std::string answer(trim(words.substr(sign + 1)));
    require_answer(*prediction, answer);
    LessonProgress progress = kept(lesson);
    LessonAnswer now = progress.answer_to(name);
    if (prediction->is_after && now.measured.empty())
        throw BadInput(
            fmt::format("--predict {}: this question is asked after the exercise is solved", words));
    now.answer = answer;
    keep(lesson, [&](LessonProgress& changed) { changed.answer_to(name).answer = answer; });
    print(now.measured.empty()
              ? fmt::format("  {}: {}. 'kwb learn {}' will show it next to the measured value.\n", name,
                            answer, lesson.number)
              : compare(*prediction, now, width));
}

void ask_predictions(const Lesson& lesson, std::size_t width) {
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
        print(open_questions(lesson, false, width));
        return;
    }
    LessonProgress progress = kept(lesson);
    for (const LessonPrediction& prediction : lesson.predictions) {
        if (prediction.is_after || !progress.answer_to(prediction.name).answer.empty()) continue;
        print(paragraph("? " + question(prediction), width, 2));
        for (std::string line;
             print("    your prediction (Enter to skip): "), std::getline(std::cin, line);) {
            const std::string answer(trim(line));
            if (answer.empty()) break;
            try {
                require_answer(prediction, answer);
            } catch (const BadInput& error) {
                print("    " + printable_line(error.what()) + '\n');
                continue;
            }
            keep(lesson,
                 [&](LessonProgress& changed) { changed.answer_to(prediction.name).answer = answer; });
            break;
        }
    }
    print("\n");
}

}  // namespace kwb::cli
