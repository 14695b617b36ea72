// SPDX-License-Identifier: Apache-2.0
#include "lessons/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/toml_reader.hpp"
#include "lessons/assessment.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace fs = std::filesystem;

template <class Fields>
void describe(Fields& f, LessonGoal& goal) {
    f("says", goal.says);
    f("when", goal.when);
}

/// The texts, which a translation replaces.
template <class Fields>
void describe(Fields& f, LessonPrediction& prediction) {
    f("asks", prediction.asks);
    f("says", prediction.says);
}

template <class Fields>
void describe(Fields& f, LessonSpeed& speed) {
    f("than", speed.than);
    f("size", speed.size);
}

template <class Fields>
void describe(Fields& f, LessonStep& step) {
    f("hint", step.hint);
    f("line", step.line);
    f("lane", step.lane, items(1, 3));
    f.defaulted("when", step.when);
}

namespace {

constexpr const char* kHostProblem = "vector_add";

/// [[mistake]]
struct MistakeTable {
    LessonMistake mistake;
    bool is_exercise = false;
    std::vector<const toml::node*> changes = {};  ///< of the solution
};

/// [[prediction]]
struct PredictionTable {
    LessonPrediction prediction;
    const toml::node* name = nullptr;
    std::optional<Expression> within = {};
};

/// lesson.toml
struct LessonTable {
    Lesson& lesson;
    std::vector<MistakeTable> mistakes = {};
    std::vector<PredictionTable> predictions = {};
};

template <class Fields>
void describe(Fields& f, MistakeTable& table) {
    f("name", table.mistake.name);
    f("when", table.mistake.when);
    f("says", table.mistake.says);
    f.defaulted("is_exercise", table.is_exercise);
    f.defaulted("changes", table.changes);
}

template <class Fields>
void describe(Fields& f, PredictionTable& table) {
    LessonPrediction& prediction = table.prediction;
    f("name", table.name);
    describe(f, prediction);
    f.defaulted("choices", prediction.choices, items(1));
    f("value", prediction.value);
    f("answer", prediction.answer);
    f("within", table.within);
    f.defaulted("after", prediction.is_after);
}

template <class Fields>
void describe(Fields& f, LessonTable& table) {
    Lesson& lesson = table.lesson;
    f("title", lesson.title);
    f("problem", lesson.problem);
    f.defaulted("host", lesson.is_host);
    f("size", lesson.size);
    f("sizes", lesson.sizes, items(1));
    f("hints", lesson.hints, items(1));
    f.defaulted("step", lesson.steps);
    f.defaulted("goal", lesson.goals);
    f.defaulted("mistake", table.mistakes);
    f.defaulted("prediction", table.predictions);
    f.defaulted("gpus", lesson.gpus, items(1));
    f.defaulted("than", lesson.than);
    f("speed", lesson.speed);
}

/// A table of a translation: a key for each mistake, or prediction.
template <class Item>
struct TextsByName {
    std::vector<Item>& items;
};

template <class Fields, class Item>
void describe(Fields& f, TextsByName<Item>& texts) {
    for (Item& item : texts.items)
        if constexpr (std::is_same_v<Item, LessonMistake>)
            f(item.name.c_str(), item.says);
        else
            f(item.name.c_str(), item);
}

/// lesson.zh.toml: texts instead of those of the lesson.
struct Translation {
    Lesson& lesson;
    std::vector<std::string> hints = {}, goals = {};
};

template <class Fields>
void describe(Fields& f, Translation& texts) {
    Lesson& lesson = texts.lesson;
    const auto as_many_as = [](const auto& list) {
        Limits limits = items(list.size(), list.size());
        limits.wanted = "as many as in lesson.toml";
        return limits;
    };
    f("title", lesson.title);
    f("hints", texts.hints, as_many_as(lesson.hints));
    if (!lesson.goals.empty()) f("goals", texts.goals, as_many_as(lesson.goals));
    TextsByName<LessonMistake> mistakes{lesson.mistakes};
    if (!lesson.mistakes.empty()) f("mistakes", mistakes);
    TextsByName<LessonPrediction> predictions{lesson.predictions};
    if (!lesson.predictions.empty()) f("predictions", predictions);
}

TomlReader open_toml(const fs::path& file) {
    return {file.string(), read_file(file, kMostTomlBytes)};
}

/// @param pairs  a text of the solution, its replacement, and so on
std::string changed(const TomlReader& reader, std::string solution, const toml::node& pairs) {
    const std::vector<const toml::node*> texts = reader.one_or_more(pairs);
    if (texts.size() % 2 != 0)
        reader.refuse(pairs, "changes must be pairs of a text of the solution and its replacement");
    for (std::size_t i = 0; i < texts.size(); i += 2) {
        const std::string from = reader.text(*texts[i], "changes");
        const std::size_t at = solution.find(from);
        if (from.empty() || at == std::string::npos || solution.find(from, at + 1) != std::string::npos)
            reader.refuse(*texts[i], fmt::format("the solution must contain `{}` exactly once", from));
        solution.replace(at, from.size(), reader.text(*texts[i + 1], "changes"));
    }
    return solution;
}

void add_prediction(const TomlReader& reader, PredictionTable& table, Lesson& lesson) {
    LessonPrediction& prediction = table.prediction;
    const TomlReader::Item name = reader.name_in(*table.name, "name");
    reader.require_word(name, "the name of a prediction");
    prediction.name = name.name;
    if (std::ranges::find(lesson.predictions, name.name, &LessonPrediction::name) != lesson.predictions.end())
        reader.refuse(name, fmt::format("two predictions have the name {}", name.name));
    try {
        if (table.within) prediction.within = table.within->evaluate_number({});
    } catch (const ExpressionError& error) {
        reader.refuse(name, fmt::format("within: {}", error.what()));
    }
    prediction.is_why = std::ranges::count(prediction.value.names(), kWhyFact) > 0;
    for (const std::string& choice : prediction.choices)
        if (const auto known = reason_names();
            prediction.is_why && std::ranges::find(known, choice) == known.end())
            reader.refuse(name, fmt::format("choices: there is no reason '{}'.{} The reasons are {}", choice,
                                            did_you_mean(choice, known), enumerate(known)));
    lesson.predictions.push_back(std::move(prediction));
}

/// Each hint's step has its line.
void require_steps(const TomlReader& reader, const Lesson& lesson) {
    if (lesson.steps.empty()) return;
    const toml::node& node = *reader.root().get("step");
    const std::string exercise = read_file(lesson.exercise(), kMostTomlBytes);
    if (lesson.is_host) reader.refuse(node, "steps are those of kernels, not of a host program");
    for (const LessonStep& step : lesson.steps) {
        if (step.hint == 0 || step.hint > lesson.hints.size())
            reader.refuse(node, fmt::format("a step's hint is {}, but there are {}", step.hint,
                                            counted(lesson.hints.size(), "hint")));
        if (!step_place(step, exercise))
            reader.refuse(node, fmt::format("exactly one line of the exercise must contain `{}`", step.line));
    }
}

void read_tables(const fs::path& file, Lesson& lesson) {
    const TomlReader reader = open_toml(file);
    const toml::table& root = reader.root();
    LessonTable table{lesson};
    TomlRecordRules{reader, fault_of_names}.take(root, "a lesson", table);
    for (const fs::path& needed : {lesson.exercise(), lesson.solution()})
        if (std::error_code error; !fs::is_regular_file(needed, error))
            throw BadInput(fmt::format("{}: {} is missing", reader.file(), needed.string()));
    const std::string solution = read_file(lesson.solution(), kMostTomlBytes);
    for (MistakeTable& each : table.mistakes) {
        if (each.is_exercise) each.mistake.sources.push_back(read_file(lesson.exercise(), kMostTomlBytes));
        for (const toml::node* variant : each.changes)
            each.mistake.sources.push_back(changed(reader, solution, *variant));
        lesson.mistakes.push_back(std::move(each.mistake));
    }
    require_steps(reader, lesson);
    for (PredictionTable& each : table.predictions) add_prediction(reader, each, lesson);
    if (lesson.asks_why() && lesson.than.empty() &&
        !find_blanks(read_file(lesson.exercise(), kMostTomlBytes)).empty())
        throw BadInput(fmt::format(
            "{}: the exercise has blanks, so `why` needs `than`, the name of a kernel to compare with",
            reader.file()));
    if (!lesson.is_host) return;
    if (lesson.problem != kHostProblem)
        reader.refuse(*root.get("problem"), fmt::format("a host program solves {}", kHostProblem));
    for (const char* key : {"gpus", "speed", "than"})
        if (const toml::node* const node = root.get(key))
            reader.refuse(*node, fmt::format("{} applies to kernels, not to a host program", key));
}

void translate(const fs::path& file, Lesson& lesson) {
    const TomlReader reader = open_toml(file);
    Translation texts{lesson};
    TomlRecordRules{reader, fault_of_names}.take(reader.root(), "a translation", texts);
    lesson.hints = std::move(texts.hints);
    for (std::size_t i = 0; i < texts.goals.size(); ++i) lesson.goals[i].says = texts.goals[i];
}

/// 6 of "06_sharing"; nullopt: the name has no number
std::optional<std::size_t> number_of(std::string_view name) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc{} && number > 0 ? std::optional(number) : std::nullopt;
}

/// "sharing" of "06_sharing"
std::string_view idea_of(std::string_view name) {
    return name.substr(std::min(name.find('_'), name.size() - 1) + 1);
}

/// "lesson.zh.toml" for "lesson", "zh", ".toml"
std::string translated(const std::string& stem, const std::string& language, const std::string& extension) {
    return stem + "." + language + extension;
}

bool is_word_sign(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

bool Lesson::asks_why() const {
    return std::ranges::any_of(predictions, &LessonPrediction::is_why);
}

const LessonStep* Lesson::step_of(std::size_t hint) const {
    const auto found = std::ranges::find(steps, hint, &LessonStep::hint);
    return found == steps.end() ? nullptr : &*found;
}

std::optional<std::string> step_place(const LessonStep& step, std::string_view source) {
    const std::size_t at = source.find(step.line);
    if (step.line.empty() || at == std::string_view::npos ||
        source.find(step.line, at + 1) != std::string_view::npos)
        return std::nullopt;
    return std::to_string(place_of(source, at).line) + (step.when.empty() ? "" : " if " + step.when);
}

Lesson read_lesson(const fs::path& folder, const std::string& language) {
    Lesson lesson;
    // A path may end with '/'.
    lesson.folder = folder.has_filename() ? folder : folder.parent_path();
    lesson.name = lesson.folder.filename().string();
    const auto number = number_of(lesson.name);
    if (!number)
        throw BadInput(
            fmt::format("{}: the name of a lesson's folder must begin with its number, as in 06_sharing",
                        folder.string()));
    lesson.number = *number;
    read_tables(lesson.folder / "lesson.toml", lesson);
    lesson.story = read_file(lesson.folder / "lesson.md", kMostTomlBytes);
    const fs::path texts = lesson.folder / translated("lesson", language, ".toml");
    if (std::error_code missing; !language.empty() && fs::exists(texts, missing)) {
        translate(texts, lesson);
        lesson.story = read_file(lesson.folder / translated("lesson", language, ".md"), kMostTomlBytes);
    }
    return lesson;
}

std::vector<LessonAttempt> read_attempts(const Lesson& lesson) {
    const fs::path file = lesson.folder / "attempts.toml";
    if (std::error_code missing; !fs::exists(file, missing)) return {};
    const TomlReader reader = open_toml(file);
    const std::string solution = read_file(lesson.solution(), kMostTomlBytes);
    std::vector<LessonAttempt> all;
    for (const TomlReader::Item& item : reader.items(reader.root(), "attempts")) {
        if (item.name != kSolved && !parse_enum<Verdict>(item.name) &&
            std::ranges::find(lesson.mistakes, item.name, &LessonMistake::name) == lesson.mistakes.end())
            reader.refuse(*item.node, fmt::format("lesson.toml has no '{}'", item.name));
        for (const toml::node* variant : reader.one_or_more(*item.node))
            all.push_back({changed(reader, solution, *variant), item.name,
                           fmt::format("{}:{}", reader.file(), variant->source().begin.line)});
    }
    return all;
}

std::vector<std::string> languages_of(const Lesson& lesson) {
    std::vector<std::string> languages;
    for (const fs::directory_entry& entry : fs::directory_iterator(lesson.folder)) {
        const fs::path stem = entry.path().stem();  // "lesson.zh"
        if (entry.path().extension() == ".toml" && stem.stem() == "lesson" && stem.has_extension())
            languages.push_back(stem.extension().string().substr(1));
    }
    std::ranges::sort(languages);
    return languages;
}

std::vector<Lesson> read_lessons(const fs::path& folder, const std::string& language) {
    std::vector<Lesson> lessons;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.is_directory(error) && number_of(entry.path().filename().string()))
            lessons.push_back(read_lesson(entry.path(), language));
    if (lessons.empty()) throw BadInput(folder.string() + ": no lessons found");
    std::ranges::sort(lessons, {},
                      [](const Lesson& lesson) { return std::pair(lesson.number, lesson.name); });
    const auto same = std::ranges::adjacent_find(lessons, {}, &Lesson::number);
    if (same != lessons.end())
        throw BadInput(fmt::format("{}: two lessons have the number {}: {} and {}", folder.string(),
                                   same->number, same->name, std::next(same)->name));
    return lessons;
}

const Lesson& find_lesson(const std::vector<Lesson>& lessons, const std::string& wanted) {
    const bool is_number =
        !wanted.empty() && std::ranges::all_of(wanted, [](unsigned char c) { return std::isdigit(c) != 0; });
    std::vector<std::string> names;
    for (const Lesson& lesson : lessons) {
        if (is_number ? number_of(wanted) == lesson.number
                      : wanted == lesson.name || wanted == idea_of(lesson.name))
            return lesson;
        names.emplace_back(idea_of(lesson.name));
    }
    throw BadInput(
        fmt::format("there is no lesson {}.{} 'kwb learn' lists them", wanted, did_you_mean(wanted, names)));
}

std::vector<Place> find_blanks(std::string_view source) {
    std::vector<Place> blanks;
    constexpr std::string_view kBlank = "____";
    const std::string code = blank_comments(source);
    for (std::size_t at = code.find(kBlank); at != std::string::npos; at = code.find(kBlank, at + 1)) {
        const std::size_t end = at + kBlank.size();
        const bool is_alone =
            (at == 0 || !is_word_sign(code[at - 1])) && (end == code.size() || !is_word_sign(code[end]));
        if (is_alone) blanks.push_back(place_of(source, at));
    }
    return blanks;
}

std::vector<Term> read_glossary(const fs::path& folder, const std::string& language) {
    fs::path file = folder / translated("glossary", language, ".toml");
    if (std::error_code missing; language.empty() || !fs::exists(file, missing))
        file = folder / "glossary.toml";
    const TomlReader reader = open_toml(file);
    std::vector<Term> glossary;
    for (const TomlReader::Item& item : reader.items(reader.root(), "the glossary"))
        glossary.push_back({item.name, reader.text(*item.node, item.name)});
    return glossary;
}

std::string explain(const std::vector<Term>& glossary, std::string_view word) {
    const auto term = std::ranges::find(glossary, word, &Term::word);
    return term != glossary.end() ? term->word + ": " + term->meaning : "";
}

const Term& find_term(const std::vector<Term>& glossary, const std::string& word) {
    std::vector<std::string> words;
    for (const Term& term : glossary) {
        if (to_lower(term.word) == to_lower(word)) return term;
        words.push_back(term.word);
    }
    throw BadInput(fmt::format("the glossary has no term '{}'.{} 'kwb learn word' lists its terms", word,
                               did_you_mean(word, words)));
}

}  // namespace kwb
