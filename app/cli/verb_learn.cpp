// kwb learn: the course.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "conversation.hpp"
#include "lessons/attempt.hpp"
#include "lessons/lesson.hpp"
#include "lessons/progress.hpp"
#include "report/text_layout.hpp"
#include "session/exercise.hpp"
#include "session/experiment.hpp"
#include "session/kernel_folders.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::milliseconds kLook{50};
/// Editors that replace a file may remove it first.
constexpr int kLooksUntilGone = 20;
constexpr std::size_t kMostFileBytes = 1u << 20;
constexpr std::size_t kUnbroken = 10'000;  ///< letters of a line
constexpr std::size_t kHints = 3;

/// What came of looking at a kernel.
struct Attempt {
    std::string obstacle = {};  ///< why nothing ran: a sentence, and perhaps lines of the source
    std::vector<KernelResult> results = {};
    std::shared_ptr<const XrayReport> report = {};
    Assessment assessment = {};
};

/// Checks at one size after the other, until one is wrong.
/// @throws EnvironmentError, Interrupted
Attempt look_at(Conversation& conversation, const Lesson& lesson, const fs::path& file,
                const DeviceInfo& device, const EditedTexts& edited = {}) {
    Attempt made;
    ExerciseRequests requests;
    try {
        requests = exercise_requests(lesson, file, device, edited);
    } catch (const BadInput& error) {
        made.obstacle = error.what();
        return made;
    }
    const auto check = [&](const Snapshot& snapshot) {
        if (conversation.interrupted()) throw Interrupted{};
        if (!snapshot.error.empty()) throw EnvironmentError(snapshot.error);
    };
    for (RunRequest& request : requests.checks) {
        const std::string headline = "size " + to_string(request.sizes);
        const auto snapshot = conversation.run(std::move(request), headline);
        check(*snapshot);
        made.results.push_back(snapshot->results.front());
        if (made.results.back().verdict != Verdict::Correct) break;
    }
    if (requests.xray && made.results.back().verdict == Verdict::Correct) {
        const auto snapshot = conversation.xray(std::move(*requests.xray));
        check(*snapshot);
        made.report = snapshot->xray;
    }
    try {
        made.assessment = assess(lesson, facts_of(made.results, made.report.get()));
    } catch (const BadInput& error) {
        made.obstacle = error.what();
    }
    return made;
}

std::string describe(const Lesson& lesson, const Attempt& made, std::size_t width) {
    if (!made.obstacle.empty()) return printable(made.obstacle) + "\n";
    std::string text;
    const KernelResult& last = made.results.back();
    if (last.verdict == Verdict::Correct) {
        text = fmt::format("  ✓ correct at {}\n", join(lesson.sizes, ", "));
        for (std::size_t i = 0; i < lesson.goals.size(); ++i) {
            const Assessment::Goal state = made.assessment.goals[i];
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
    if (const LessonMistake* const mistake = made.assessment.mistake)
        text += paragraph("→ " + mistake->says, width, 2);
    return text;
}

fs::path progress_file() {
    return data_folder() / "course.json";
}

/// Changes what is kept of one lesson. That it cannot be kept is told once, and stops nobody.
template <class Change>
void keep(const Lesson& lesson, const Change& change) {
    try {
        CourseProgress progress = read_progress(progress_file());
        change(progress.of(lesson.name));
        write_progress(progress_file(), progress);
    } catch (const BadInput& error) {
        static bool is_told = false;
        if (!std::exchange(is_told, true))
            print_error(fmt::format("kwb: your progress is not kept: {}\n", printable_line(error.what())));
    }
}

std::string next_hint(const Lesson& lesson, std::uint32_t& shown) {
    shown = std::min<std::uint32_t>(shown + 1, static_cast<std::uint32_t>(lesson.hints.size()));
    return fmt::format("Hint {} of {}: {}", shown, lesson.hints.size(), lesson.hints[shown - 1]);
}

int list_lessons(const std::vector<Lesson>& lessons) {
    const CourseProgress progress = read_progress(progress_file());
    std::string text;
    const Lesson* next = nullptr;
    for (const Lesson& lesson : lessons) {
        const LessonProgress done = progress.find(lesson.name);
        if (next == nullptr && !done.is_solved) next = &lesson;
        text += fmt::format("{:>3} {} {}{}\n", lesson.number, done.is_solved ? "✓" : " ", lesson.title,
                            !done.is_solved && !done.file.empty() ? "  (begun: " + done.file + ")" : "");
    }
    text += next != nullptr ? fmt::format("\nkwb learn {}: go on with it\n", next->number)
                            : "\nAll are solved. kwb kernels lists ladders of kernels to go on with.\n";
    print(text);
    return kExitGood;
}

/// The person's copy of the exercise: the one that was begun, or a new one in this folder.
/// @param is_new  receives whether it was copied
fs::path exercise_of(const Lesson& lesson, bool& is_new) {
    const LessonProgress begun = [&] {
        try {
            return read_progress(progress_file()).find(lesson.name);
        } catch (const BadInput&) {  // keep() says so
            return LessonProgress{lesson.name};
        }
    }();
    std::error_code missing;
    const fs::path here = fs::absolute(lesson.name + ".cl", missing);
    if (fs::exists(here, missing)) return here;
    if (!begun.file.empty() && fs::exists(begun.file, missing)) return begun.file;
    write_file(here, read_file(lesson.exercise(), kMostFileBytes));
    is_new = true;
    return here;
}

/// When a file was written last, and its size. Of its name, so that an editor that replaces it is seen, too.
struct Seen {
    fs::file_time_type written;
    std::uintmax_t bytes = 0;
    friend bool operator==(const Seen&, const Seen&) = default;
};
std::optional<Seen> see(const fs::path& file) {
    std::error_code error;
    Seen seen{fs::last_write_time(file, error), 0};
    if (error) return std::nullopt;
    seen.bytes = fs::file_size(file, error);
    return error ? std::nullopt : std::optional(seen);
}

int practise(const Options& options, const std::vector<Lesson>& lessons, const Lesson& lesson) {
    bool is_new = false;
    const fs::path file = exercise_of(lesson, is_new);
    const std::size_t width = table_options().width;
    keep(lesson, [&](LessonProgress& progress) { progress.file = file.string(); });
    const std::string name = printable_line(quote_for_shell(file.string()));
    print((is_new ? lesson.story + '\n' : fmt::format("{}. {}\n", lesson.number, lesson.title)) +
          fmt::format(
              "  the exercise       {0}\n  the story          kwb learn {1} --story\n"
              "  a hint             kwb learn {1} --hint\n  what a word means  kwb learn word barrier\n\n",
              name, lesson.number));
    Conversation conversation(options);
    const DeviceInfo device = choose_device(conversation.list_devices(options.device), options.device);
    std::size_t attempts = 0;
    int missing_looks = 0;
    std::optional<Seen> looked;  // what has been looked at
    for (std::optional<Seen> before; !conversation.interrupted();) {
        const std::optional<Seen> seen = see(file);
        const bool is_whole = seen == std::exchange(before, seen);  // not in the middle of being written
        if (seen && is_whole && seen != looked) {
            looked = seen;
            const Attempt made = look_at(conversation, lesson, file, device);
            print(describe(lesson, made, width));
            if (made.assessment.is_solved()) {
                keep(lesson, [&](LessonProgress& progress) { progress.is_solved = true; });
                const auto next = std::ranges::find_if(
                    lessons, [&](const Lesson& other) { return other.number > lesson.number; });
                print("\nSolved." + (next == lessons.end() ? std::string(" That was the last lesson.\n")
                                                           : fmt::format(" Next: kwb learn {} ({})\n",
                                                                         next->number, next->title)));
                return kExitGood;
            }
            if (options.once) return kExitVerdict;
            print_error(fmt::format("\nattempt {}: waiting for you to save it; Ctrl-C ends\n\n", ++attempts));
        } else if (!seen && ++missing_looks == kLooksUntilGone) {
            print(name + fmt::format(" is gone; 'kwb learn {}' gives you a new one\n", lesson.number));
            return kExitVerdict;
        }
        if (seen) missing_looks = 0;
        conversation.pause(kLook);
    }
    return kExitInterrupted;
}

/// Tests a lesson as its authors promise it. @return  what is wrong, a sentence each
std::vector<std::string> faults_of(Conversation& conversation, const Lesson& lesson,
                                   const DeviceInfo& device) {
    std::vector<std::string> faults;
    if (!find_blank(read_file(lesson.exercise(), kMostFileBytes))) {
        const Attempt as_it_is = look_at(conversation, lesson, lesson.exercise(), device);
        if (as_it_is.assessment.is_solved())
            faults.push_back("the exercise has no blank, and is solved as it is");
    }
    const Attempt solution = look_at(conversation, lesson, lesson.solution(), device);
    if (!solution.assessment.is_solved())
        faults.push_back("the solution does not solve it: " + describe(lesson, solution, kUnbroken));
    for (const LessonMistake& mistake : lesson.mistakes)
        for (std::size_t i = 0; i < mistake.sources.size(); ++i) {
            EditedTexts edited;
            edited.put(lesson.solution(), mistake.sources[i]);
            const Attempt made = look_at(conversation, lesson, lesson.solution(), device, edited);
            const LessonMistake* const told = made.assessment.mistake;
            if (told == &mistake) continue;
            faults.push_back(fmt::format("\"{}\", kernel {}, is not recognised{}: {}", mistake.name, i + 1,
                                         told != nullptr ? ", but taken for \"" + told->name + '"' : "",
                                         describe(lesson, made, kUnbroken)));
        }
    if (lesson.hints.size() != kHints)
        faults.push_back(fmt::format("it has {}, not {}", counted(lesson.hints.size(), "hint"), kHints));
    return faults;
}

int verify_lessons(const Options& options) {
    const fs::path folder = *options.verify;
    std::error_code missing;
    const std::vector<Lesson> lessons =
        fs::exists(folder / "lesson.toml", missing) ? std::vector{read_lesson(folder)} : read_lessons(folder);
    Conversation conversation(options);
    const DeviceInfo device = choose_device(conversation.list_devices(options.device), options.device);
    bool is_good = true;
    for (const Lesson& lesson : lessons) {
        const std::vector<std::string> faults = faults_of(conversation, lesson, device);
        print(fmt::format("{} {}\n", faults.empty() ? "✓" : "✗", lesson.name));
        for (const std::string& fault : faults) print("  " + std::string(trim(fault)) + "\n");
        is_good = is_good && faults.empty();
    }
    return is_good ? kExitGood : kExitVerdict;
}

}  // namespace

int learn(const Options& options) {
    if (options.verify) return verify_lessons(options);
    const fs::path folder = options.lessons ? fs::path(*options.lessons) : shipped_lessons();
    if (folder.empty()) throw EnvironmentError("this build has no lessons: share/kwb/lessons is missing");
    const std::size_t width = table_options().width;
    if (!options.learn.empty() && options.learn.front() == "word") {
        if (options.learn.size() != 2)
            throw BadInput(
                "kwb learn word: give one word, in quotes if it has a blank: kwb learn word barrier");
        const Term term = find_term(read_glossary(folder), options.learn.back());
        print(paragraph(term.word + ": " + term.meaning, width, 2));
        return kExitGood;
    }
    const std::vector<Lesson> lessons = read_lessons(folder);
    if (options.learn.empty()) {
        if (options.hint || options.story || options.solution || options.once)
            throw BadInput("which lesson? for example: kwb learn 1");
        return list_lessons(lessons);
    }
    if (options.learn.size() > 1)
        throw BadInput(fmt::format("kwb learn {}: one lesson at a time", join(options.learn, " ")));
    const Lesson& lesson = find_lesson(lessons, options.learn.front());
    if (options.story) {
        print(lesson.story);
    } else if (options.solution) {
        print(read_file(lesson.solution(), kMostFileBytes));
    } else if (options.hint) {
        std::uint32_t shown = read_progress(progress_file()).find(lesson.name).hints;
        print(paragraph(next_hint(lesson, shown), width, 2));
        keep(lesson, [&](LessonProgress& progress) { progress.hints = shown; });
    } else {
        return practise(options, lessons, lesson);
    }
    return kExitGood;
}

}  // namespace kwb::cli
