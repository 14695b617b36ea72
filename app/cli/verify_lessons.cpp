// SPDX-License-Identifier: Apache-2.0
// kwb learn --verify: tests what the authors of a lesson promise.
#include <fmt/format.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "experiment/opened_experiment.hpp"
#include "learning.hpp"
#include "recorded_group.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostFileBytes = 1u << 20;
constexpr std::size_t kUnbroken = 10'000;  ///< letters of a line
constexpr std::size_t kHints = 3;

void add_prediction_faults(const Lesson& lesson, const Scope& facts, std::vector<std::string>& faults) {
    for (const LessonPrediction& prediction : lesson.predictions) {
        try {
            require_answer(prediction, prediction.answer);
        } catch (const BadInput& error) {
            faults.push_back(error.what());
        }
        const auto right = right_answer(lesson, prediction, facts);
        if (!right)
            faults.push_back(fmt::format("the prediction \"{}\": a fact of `{}` is missing", prediction.name,
                                         prediction.value.text()));
        else if (!agrees(prediction, prediction.answer, *right))
            faults.push_back(fmt::format("the prediction \"{}\" expects {}, but it is {}", prediction.name,
                                         prediction.answer, *right));
    }
}

/// Broken links in a lesson text, and terms that it looks up but that are missing from the glossary.
void add_text_faults(const Lesson& lesson, std::vector<std::string>& faults) {
    static const std::regex link(R"(\]\(([^)#:\s]+)[^)]*\))");
    static const std::regex lookup(R"(kwb learn word "?([\w-]+(?: [\w -]+(?="))?))");
    const auto each = [&](const std::regex& pattern, const auto& look) {
        for (std::sregex_iterator found(lesson.story.begin(), lesson.story.end(), pattern), end; found != end;
             ++found)
            look((*found)[1].str());
    };
    each(link, [&](const std::string& path) {
        if (std::error_code missing; !fs::exists(lesson.folder / path, missing))
            faults.push_back(fmt::format("lesson.md: broken link: {} does not exist", path));
    });
    each(lookup, [&](const std::string& word) {
        try {
            find_term(read_glossary(lesson.folder.parent_path()), word);
        } catch (const BadInput& error) {
            faults.push_back(error.what());
        }
    });
}

/// Steps of hints that the exercise does not come to; with blanks, it cannot run, and the solution counts.
void add_step_faults(const Lesson& lesson, const DeviceInfo& device, const Folders& folders,
                     std::vector<std::string>& faults) {
    const bool has_blanks = !find_blanks(read_file(lesson.exercise(), kMostFileBytes)).empty();
    const fs::path file = has_blanks ? lesson.solution() : lesson.exercise();
    for (const LessonStep& step : lesson.steps) {
        RecordOptions options;
        options.chosen.kernels = {file.string()};
        options.chosen.device = device.id;
        options.chosen.size = lesson.size;
        options.lane = step.lane;
        options.at = step_place(step, read_file(file, kMostFileBytes));
        try {
            if (!options.at)
                throw BadInput(fmt::format("no line of {} contains `{}`", file.string(), step.line));
            if (const RecordedGroup group = record_group(options, folders, {}); group.player == nullptr)
                throw BadInput(group.text);
        } catch (const BadInput& error) {
            faults.push_back(fmt::format("the step of hint {}: {}", step.hint, error.what()));
        }
    }
}

/// The outcome in the form of LessonAttempt::outcome.
std::string outcome_of(const Attempt& made) {
    const Assessment& assessment = made.assessment();
    if (assessment.mistake != nullptr) return assessment.mistake->name;
    if (assessment.is_solved()) return kSolved;
    return made.results().empty() ? "" : std::string(to_string(made.results().back().verdict));
}

/// The outcome, with the facts that the conditions of a lesson distinguish.
std::string what_came_of(const Lesson& lesson, const Attempt& made) {
    const LessonMistake* const told = made.assessment().mistake;
    std::string facts;
    for (const char* name : {"failed_size", "failed_inputs", "failed_buffer", "failed_index", "raced",
                             "collided", "unset", "outside", "findings"})
        if (const Value* const fact = made.facts().find(name))
            facts += fmt::format(" {}={}", name, to_string(*fact));
    return fmt::format("{}: {}   facts:{}", told != nullptr ? ", but taken for \"" + told->name + '"' : "",
                       describe(lesson, made, kUnbroken), facts);
}

/// Tests what the authors of a lesson promise. @return one sentence per fault
std::vector<std::string> faults_of(Conversation& conversation, const Lesson& lesson,
                                   const DeviceInfo& device) {
    std::vector<std::string> faults;
    if (find_blanks(read_file(lesson.exercise(), kMostFileBytes)).empty()) {
        const Attempt as_it_is = look_at(conversation, lesson, lesson.exercise(), device);
        if (as_it_is.assessment().is_solved())
            faults.push_back("the exercise has no blank, and is already solved without a change");
    }
    const Attempt solution = look_at(conversation, lesson, lesson.solution(), device);
    if (!solution.assessment().is_solved())
        faults.push_back("the solution does not solve the exercise: " +
                         describe(lesson, solution, kUnbroken));
    else
        add_prediction_faults(lesson, solution.facts(), faults);
    const auto attempt = [&](const std::string& source) {
        EditedTexts edited;
        edited.put(lesson.solution(), source);
        return look_at(conversation, lesson, lesson.solution(), device, edited);
    };
    for (const LessonMistake& mistake : lesson.mistakes)
        for (std::size_t i = 0; i < mistake.sources.size(); ++i) {
            const Attempt made = attempt(mistake.sources[i]);
            if (made.assessment().mistake == &mistake) continue;
            faults.push_back(fmt::format("\"{}\", kernel {}, is not recognised{}", mistake.name, i + 1,
                                         what_came_of(lesson, made)));
        }
    for (const LessonAttempt& wanted : read_attempts(lesson)) {
        const Attempt made = attempt(wanted.source);
        if (outcome_of(made) != wanted.outcome)
            faults.push_back(fmt::format("{}: the outcome is not \"{}\"{}", wanted.place, wanted.outcome,
                                         what_came_of(lesson, made)));
    }
    if (lesson.hints.size() != kHints)
        faults.push_back(
            fmt::format("the lesson has {}, not {}", counted(lesson.hints.size(), "hint"), kHints));
    add_text_faults(lesson, faults);
    for (const std::string& language : languages_of(lesson)) try {
            add_text_faults(read_lesson(lesson.folder, language), faults);
        } catch (const BadInput& error) {
            faults.push_back(error.what());
        }
    return faults;
}

}  // namespace

int verify_lessons(const fs::path& named, const std::optional<std::string>& wanted, const Folders& folders) {
    std::error_code missing;
    fs::path folder = fs::canonical(named, missing);  // of "." the name matters
    if (missing) folder = named;
    const std::vector<Lesson> lessons =
        fs::exists(folder / "lesson.toml", missing) ? std::vector{read_lesson(folder)} : read_lessons(folder);
    Conversation conversation({});
    const DeviceInfo device = conversation.choose_devices(wanted, false).front();
    bool is_good = true;
    for (const Lesson& lesson : lessons) {
        std::vector<std::string> faults = faults_of(conversation, lesson, device);
        add_step_faults(lesson, device, folders, faults);
        print(fmt::format("{} {}\n", faults.empty() ? "✓" : "✗", lesson.name));
        for (const std::string& fault : faults) print("  " + std::string(trim(fault)) + "\n");
        is_good = is_good && faults.empty();
    }
    return is_good ? kExitGood : kExitVerdict;
}

}  // namespace kwb::cli
