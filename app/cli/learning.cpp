// SPDX-License-Identifier: Apache-2.0
#include "learning.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

using Asking = LessonQuestion::State;

std::string question(const LessonPrediction& prediction) {
    return prediction.asks + (prediction.choices.empty() ? "" : " (" + join(prediction.choices, ", ") + ")");
}

/// Below the question: "✓ You predicted 4, and it is 4. …"
std::string told(const LessonQuestion& question, std::size_t width) {
    const char* const mark = !question.is_answered() ? "• " : question.is_right() ? "✓ " : "✗ ";
    return paragraph("? " + question.prediction.asks, width, 2) +
           paragraph(mark + question.told() + ". " + question.says(), width, 4);
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
    for (const auto& [kind, words, line] : lines_of(lesson, made)) {
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

std::string open_questions(const Course& course, const Lesson& lesson, bool is_after, std::size_t width) {
    std::string text;
    std::size_t count = 0;
    for (const auto& [prediction, known, state] : questions_of(lesson, course.progress)) {
        if (state != Asking::Open || prediction.is_after != is_after || !known.answer.empty()) continue;
        ++count;
        const std::string answer = prediction.choices.empty() ? "NUMBER" : prediction.choices.front();
        text += paragraph("? " + question(prediction), width, 2) +
                fmt::format("    kwb learn {} --predict {}\n", lesson.number,
                            quote_for_shell(prediction.name + "=" + answer));
    }
    if (text.empty()) return text;
    return (!is_after    ? "What do you predict?\n"
            : count == 1 ? "\nOne more question:\n"
                         : "\nMore questions:\n") +
           text;
}

std::string told_answers(const Course& course, const Lesson& lesson, std::size_t width) {
    std::string text;
    for (const LessonQuestion& question : questions_of(lesson, course.progress))
        if (question.state == Asking::Told) text += told(question, width);
    return text.empty() ? text : "\nPredicted and measured:\n" + text;
}

void predict(Course& course, const Lesson& lesson, const std::string& words, std::size_t width) {
    const std::size_t sign = words.find('=');
    const std::string name(trim(words.substr(0, sign)));
    const auto find = [&](const std::vector<LessonQuestion>& questions) {
        return std::ranges::find(questions, name,
                                 [](const LessonQuestion& each) { return each.prediction.name; });
    };
    const std::vector<LessonQuestion> before = questions_of(lesson, course.progress);
    const auto asked = find(before);
    if (asked == before.end() || sign == std::string::npos) {
        std::vector<std::string> names;
        for (const LessonQuestion& each : before) names.push_back(each.prediction.name);
        throw BadInput(names.empty() ? fmt::format("--predict {}: lesson {} has no prediction to answer",
                                                   words, lesson.number)
                                     : fmt::format("--predict {}: write NAME=ANSWER; lesson {} asks for {}",
                                                   words, lesson.number, enumerate(names)));
    }
    const std::string answer(trim(words.substr(sign + 1)));
    require_answer(asked->prediction, answer);
    if (asked->state == Asking::Later)
        throw BadInput(
            fmt::format("--predict {}: this question is asked after the exercise is solved", words));
    course.answer(lesson, asked->prediction, answer);
    const std::vector<LessonQuestion> after = questions_of(lesson, course.progress);
    const LessonQuestion& now = *find(after);
    print(now.state == Asking::Told
              ? told(now, width)
              : fmt::format("  {}: {}. 'kwb learn {}' will show it next to the measured value.\n", name,
                            answer, lesson.number));
}

void ask_predictions(Course& course, const Lesson& lesson, std::size_t width) {
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
        print(open_questions(course, lesson, false, width));
        return;
    }
    for (const auto& [prediction, known, state] : questions_of(lesson, course.progress)) {
        if (state != Asking::Open || !known.answer.empty()) continue;
        print(paragraph("? " + question(prediction), width, 2));
        for (std::string line;
             print("    your prediction (Enter to skip): "), std::getline(std::cin, line);) {
            const std::string answer(trim(line));
            if (answer.empty()) break;
            try {
                course.answer(lesson, prediction, answer);
                break;
            } catch (const BadInput& error) {
                print("    " + printable_line(error.what()) + '\n');
            }
        }
    }
    print("\n");
}

}  // namespace kwb::cli
