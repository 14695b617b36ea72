// SPDX-License-Identifier: Apache-2.0
// kwb learn: the course.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "conversation.hpp"
#include "learning.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLearnFooter =
    "Your progress is kept in course.jsonl in the data folder ($XDG_DATA_HOME/kwb, or else\n"
    "~/.local/share/kwb). Watching ends when the exercise is solved, or with Ctrl-C.\n"
    "Exit code 0: solved, or shown; 1: not solved yet.\n";

struct LearnOptions {
    std::vector<std::string> words;  ///< a lesson, or "word" and a term
    bool story = false, hint = false, solution = false, once = false;
    std::vector<std::string> predict;     ///< "NAME=ANSWER"
    std::optional<std::string> language;  ///< "zh"; none: the locale's
    std::optional<std::string> device;
    std::optional<std::string> course;  ///< its folder
    std::optional<std::string> verify;  ///< the folder of a lesson, or of a course

    void add(CLI::App& verb) {
        verb.add_option(
            "LESSON", words,
            "its number or name: copies the exercise into this folder, if you have not begun it, and "
            "re-checks it on every save; or word TERM: the meaning of a term; or word: all terms");
        CLI::Option* only_story = verb.add_flag("--story", story, "only print the lesson text");
        CLI::Option* only_hint = verb.add_flag("--hint", hint, "only print the next hint; there are three");
        CLI::Option* only_solution = verb.add_flag("--show-solution", solution,
                                                   "only print a solution, even if you have not solved it");
        CLI::Option* only_once = verb.add_flag("--once", once, "check the exercise once, then exit");
        only_story->excludes(only_hint)->excludes(only_solution)->excludes(only_once);
        only_hint->excludes(only_solution)->excludes(only_once);
        only_solution->excludes(only_once);
        verb.add_option("--predict", predict, "answer a question of the lesson; may be repeated")
            ->type_name("NAME=ANSWER")
            ->allow_extra_args(false)
            ->excludes(only_story)
            ->excludes(only_hint)
            ->excludes(only_solution)
            ->excludes(only_once);
        add_text(verb, "--language", language, "L",
                 "language of the lesson texts: en or zh (lessons 1 to 6); default: that of the locale");
        add_device(verb, device, "the device, as in 'kwb run'");
        add_text(verb, "--lessons", course, "DIR", "the folder of another course");
        CLI::Option* only_verify = add_text(
            verb, "--verify", verify, "DIR",
            "for authors: test a lesson, or all lessons of a course: the solution solves the exercise, "
            "the unchanged exercise does not, each mistake is recognised, each prediction's answer is "
            "right, the steps of hints are reached, and links and words resolve");
        for (const char* option : {"LESSON", "--story", "--hint", "--show-solution", "--once", "--predict",
                                   "--language", "--lessons"})
            only_verify->excludes(option);
    }
};

constexpr std::chrono::milliseconds kLook{20};
/// Editors that replace a file may remove it first.
constexpr int kLooksUntilGone = 50;
constexpr std::size_t kMostSolutionBytes = 1u << 20;

/// The course with this user's progress. A failure to save it is reported once and stops nothing.
/// @throws BadInput  the progress cannot be read, unless `anyway`: then it is "not begun"
Course open_course(std::vector<Lesson> lessons, bool anyway) {
    Course course{std::move(lessons), {}, progress_file()};
    course.report_unsaved = [is_reported = false](const std::string& why) mutable {
        if (!std::exchange(is_reported, true))
            print_error(fmt::format("kwb: your progress is not saved: {}\n", printable_line(why)));
    };
    try {
        course.progress = read_progress(course.progress_file);
    } catch (const BadInput&) {
        if (!anyway) throw;
    }
    return course;
}

std::string next_hint(Course& course, const Lesson& lesson) {
    const bool was_last = course.progress.find(lesson.name).hints >= lesson.hints.size();
    course.show_hint(lesson);
    const std::size_t shown = course.progress.find(lesson.name).hints;
    return fmt::format(
        "Hint {} of {}: {}{}", shown, lesson.hints.size(), lesson.hints.at(shown - 1),
        was_last ? fmt::format(". This is the last hint; 'kwb learn {} --show-solution' shows a solution.",
                               lesson.number)
                 : "");
}

/// The command that shows the step at which a hint looks; empty: it looks at none, or its line is no more.
std::string step_command(const Course& course, const Lesson& lesson) {
    const LessonProgress kept = course.progress.find(lesson.name);
    const LessonStep* const step = lesson.step_of(kept.hints);
    const fs::path file = kept.file.empty() ? lesson.exercise() : fs::path(kept.file);
    std::error_code missing;
    if (step == nullptr || !fs::exists(file, missing)) return "";
    const auto place = step_place(*step, read_file(file, kMostSolutionBytes));
    if (!place) return "";
    std::vector<std::string> lane;
    for (const std::uint64_t id : step->lane) lane.push_back(std::to_string(id));
    return fmt::format("  kwb debug {} --size {} --lane {} --at \"{}\"\n", quote_for_shell(file.string()),
                       lesson.size, join(lane, ","), *place);
}

int list_lessons(const Course& course) {
    std::string text;
    for (const Lesson& lesson : course.lessons) {
        const LessonProgress done = course.progress.find(lesson.name);
        text += fmt::format("{:>3} {} {}{}\n", lesson.number, done.is_solved ? "✓" : " ", lesson.title,
                            !done.is_solved && !done.file.empty() ? "  (begun: " + done.file + ")" : "");
    }
    const Lesson* const next = course.next();
    print(text +
          (next != nullptr
               ? fmt::format("\nContinue with: kwb learn {}\n", next->number)
               : "\nAll lessons are solved. 'kwb kernels' lists series of kernels to continue with.\n"));
    return kExitGood;
}

/// A lock, held while an exercise is watched.
/// @return  empty if another process watches it
std::optional<Fd> begin_watch(const fs::path& exercise) {
    const fs::path file = data_folder() / "watched" / (sha256_hex(exercise.string()).substr(0, 16));
    make_private_folders(file.parent_path());
    Fd lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
    return lock;
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

int practise(const LearnOptions& options, Course& course, const Lesson& lesson) {
    const bool was_solved = course.progress.find(lesson.name).is_solved;
    const auto [file, is_new] = course.begin(lesson, fs::current_path());
    const std::size_t width = table_options().width;
    const std::string name = printable_line(quote_for_shell(file.string()));
    print((is_new ? lesson.story + '\n' : fmt::format("{}. {}\n", lesson.number, lesson.title)) +
          fmt::format("  exercise         {0}\n"
                      "  lesson text      kwb learn {1} --story\n"
                      "  hint             kwb learn {1} --hint\n"
                      "  look up a term   kwb learn word TERM\n"
                      "\n",
                      name, lesson.number));
    if (!was_solved) ask_predictions(course, lesson, width);
    std::optional<Fd> watch;
    if (!options.once && !(watch = begin_watch(file)))
        print_error("kwb: another 'kwb learn' is watching this file, too; both will answer\n");
    Conversation conversation({});
    const DeviceInfo device = conversation.choose_devices(options.device, false).front();
    if (!options.once) conversation.expect_runs(device);
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
            if (made.assessment().is_solved()) {
                course.solve(lesson, made.facts(), made.why());
                print(told_answers(course, lesson, width) + open_questions(course, lesson, true, width));
                const Lesson* const next = &lesson + 1;
                print("\nSolved." +
                      (&lesson == &course.lessons.back()
                           ? std::string(" That was the last lesson.\n")
                           : fmt::format(" Next: kwb learn {} ({})\n", next->number, next->title)));
                return kExitGood;
            }
            if (options.once) return kExitVerdict;
            print_error(
                fmt::format("\n"
                            "attempt {}: waiting for the next save; Ctrl-C ends\n"
                            "\n",
                            ++attempts));
        } else if (!seen && ++missing_looks == kLooksUntilGone) {
            print(name + fmt::format(" was removed; 'kwb learn {}' makes a new copy\n", lesson.number));
            return kExitVerdict;
        }
        if (seen) missing_looks = 0;
        conversation.pause(kLook);
    }
    return kExitInterrupted;
}

/// The language of the texts: the requested one, or that of the locale: "zh" of LANG=zh_CN.UTF-8. Empty:
/// English.
std::string language_of(const std::optional<std::string>& wanted) {
    std::string language = wanted.value_or("");
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* const locale = std::getenv(name); !wanted && language.empty() && locale != nullptr)
            language = std::string(locale).substr(0, std::strcspn(locale, "_.@"));
    const bool is_name = std::ranges::all_of(language, [](unsigned char c) { return std::isalpha(c) != 0; });
    if (wanted && (!is_name || language.empty()))
        throw BadInput(fmt::format("--language {}: give the code of a language, such as zh or en", language));
    return is_name && language != "en" ? language : "";
}

void require_language(const std::vector<Lesson>& lessons, const std::string& language) {
    std::vector<std::string> known = {"en"};
    for (const Lesson& lesson : lessons)
        for (const std::string& other : languages_of(lesson))
            if (std::ranges::find(known, other) == known.end()) known.push_back(other);
    if (std::ranges::find(known, language) == known.end())
        throw BadInput(fmt::format("--language {}: no lesson is in this language; choose from {}", language,
                                   enumerate(known)));
}

/// kwb learn word
void look_up(const std::vector<std::string>& words, const std::vector<Term>& glossary) {
    if (words.size() > 2)
        throw BadInput(
            "kwb learn word: give one term, in quotes if it contains a space: kwb learn word 'local "
            "memory'");
    std::string text;
    if (words.size() == 2) {
        const Term term = find_term(glossary, words.back());
        text = term.word + ": " + term.meaning;
    } else {
        for (const Term& term : glossary) text += (text.empty() ? "" : ", ") + term.word;
    }
    print(paragraph(text, table_options().width, 2));
}

int learn(const LearnOptions& options, const Folders& folders) {
    if (options.verify) return verify_lessons(*options.verify, options.device, folders);
    const fs::path folder = lessons_folder(options.course.value_or(""));
    const std::size_t width = table_options().width;
    const std::string language = language_of(options.language);
    const std::vector<std::string>& words = options.words;
    if (!words.empty() && words.front() == "word") {
        look_up(words, read_glossary(folder, language));
        return kExitGood;
    }
    std::vector<Lesson> lessons = read_lessons(folder, language);
    if (options.language && !language.empty()) require_language(lessons, language);
    if (words.empty()) {
        if (options.hint || options.story || options.solution || options.once || !options.predict.empty())
            throw BadInput("which lesson? for example: kwb learn 1");
        return list_lessons(open_course(std::move(lessons), false));
    }
    if (words.size() > 1)
        throw BadInput(fmt::format("kwb learn {}: give one lesson at a time", join(words, " ")));
    const Lesson& lesson = find_lesson(lessons, words.front());
    if (options.story) {
        print(lesson.story);
    } else if (options.solution) {
        print(read_file(lesson.solution(), kMostSolutionBytes));
    } else {
        Course course = open_course(std::move(lessons), !options.hint);  // `lesson` stays valid
        if (options.hint)
            print(paragraph(next_hint(course, lesson), width, 2) + step_command(course, lesson));
        else if (options.predict.empty())
            return practise(options, course, lesson);
        for (const std::string& answer : options.predict) predict(course, lesson, answer, width);
    }
    return kExitGood;
}

}  // namespace

Verb add_learn(CLI::App& kwb) {
    return add_verb<LearnOptions>(
        kwb, {"learn", "take a lesson; without a name: list the lessons and your progress", kLearnFooter},
        learn);
}

}  // namespace kwb::cli
