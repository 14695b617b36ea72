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
#include "lessons/fact_names.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

constexpr const char* kHostProblem = "vector_add";

/// Reads the tables of a lesson; `what` of messages is the path of a key.
class LessonReader {
public:
    explicit LessonReader(const fs::path& file) : reader_(file.string(), read_file(file, kMostTomlBytes)) {}

    void read(Lesson& lesson) const {
        const toml::table& root = reader_.root();
        reader_.allow_only(root, "a lesson",
                           {"title", "problem", "host", "size", "sizes", "hints", "goal", "mistake",
                            "prediction", "gpus", "speed"});
        lesson.is_host = is_true(root, "host");
        require_file(lesson.exercise());
        require_file(lesson.solution());
        const std::string solution = read_file(lesson.solution(), kMostTomlBytes);
        lesson.title = text(root, "title");
        lesson.problem = text(root, "problem");
        lesson.size = text(root, "size");
        lesson.sizes = texts(root, "sizes");
        lesson.hints = texts(root, "hints");
        for (const toml::node* node : tables(root, "goal")) {
            const toml::table& table = as_table(*node, "goal", {"says", "when"});
            lesson.goals.push_back({text(table, "says"), condition(table, "when")});
        }
        for (const toml::node* node : tables(root, "mistake")) {
            const toml::table& table =
                as_table(*node, "mistake", {"name", "when", "says", "is_exercise", "changes"});
            LessonMistake mistake{text(table, "name"), {}, condition(table, "when"), text(table, "says")};
            if (is_true(table, "is_exercise"))
                mistake.sources.push_back(read_file(lesson.exercise(), kMostTomlBytes));
            if (const toml::node* const changes = table.get("changes"))
                for (const toml::node* variant : reader_.one_or_more(*changes))
                    mistake.sources.push_back(changed(solution, *variant));
            lesson.mistakes.push_back(std::move(mistake));
        }
        for (const toml::node* node : tables(root, "prediction"))
            lesson.predictions.push_back(prediction(*node, lesson));
        if (root.contains("gpus")) lesson.gpus = texts(root, "gpus");
        if (const toml::node* const speed = root.get("speed")) {
            const toml::table& table = as_table(*speed, "speed", {"than", "size"});
            lesson.speed = LessonSpeed{text(table, "than"), text(table, "size")};
        }
        if (!lesson.is_host) return;
        if (lesson.problem != kHostProblem)
            reader_.refuse(node_of(root, "problem"), fmt::format("a host program solves {}", kHostProblem));
        for (const char* key : {"gpus", "speed"})
            if (const toml::node* const node = root.get(key))
                reader_.refuse(*node, fmt::format("{} applies to kernels, not to a host program", key));
    }

    std::vector<LessonAttempt> attempts(const Lesson& lesson) const {
        const std::string solution = read_file(lesson.solution(), kMostTomlBytes);
        std::vector<LessonAttempt> all;
        for (const TomlReader::Item& item : reader_.items(reader_.root(), "attempts")) {
            if (item.name != kSolved && !parse_enum<Verdict>(item.name))
                require_known(*item.node, item.name, lesson.mistakes);
            for (const toml::node* variant : reader_.one_or_more(*item.node))
                all.push_back({changed(solution, *variant), item.name,
                               fmt::format("{}:{}", reader_.file(), variant->source().begin.line)});
        }
        return all;
    }

    /// Replaces the texts of a lesson by those of a translation.
    void translate(Lesson& lesson) const {
        const toml::table& root = reader_.root();
        reader_.allow_only(root, "a translation", {"title", "hints", "goals", "mistakes", "predictions"});
        lesson.title = text(root, "title");
        lesson.hints = as_many(root, "hints", lesson.hints.size());
        if (!lesson.goals.empty()) {
            const std::vector<std::string> goals = as_many(root, "goals", lesson.goals.size());
            for (std::size_t i = 0; i < goals.size(); ++i) lesson.goals[i].says = goals[i];
        }
        if (!lesson.mistakes.empty()) {
            const toml::table& of_mistakes = as_table(node_of(root, "mistakes"), "mistakes");
            for (const auto& [name, node] : of_mistakes)
                require_known(node, std::string(name.str()), lesson.mistakes);
            for (LessonMistake& mistake : lesson.mistakes)
                mistake.says = text(of_mistakes, mistake.name.c_str());
        }
        if (lesson.predictions.empty()) return;
        const toml::table& of_predictions = as_table(node_of(root, "predictions"), "predictions");
        for (const auto& [name, node] : of_predictions)
            require_known(node, std::string(name.str()), lesson.predictions);
        for (LessonPrediction& prediction : lesson.predictions) {
            const toml::table& texts =
                as_table(node_of(of_predictions, prediction.name.c_str()), prediction.name, {"asks", "says"});
            prediction.asks = text(texts, "asks");
            prediction.says = text(texts, "says");
        }
    }

private:
    LessonPrediction prediction(const toml::node& node, const Lesson& lesson) const {
        const toml::table& table = as_table(
            node, "prediction", {"name", "asks", "choices", "value", "answer", "within", "after", "says"});
        const toml::node& name = node_of(table, "name");
        reader_.require_word(reader_.name_in(name, "name"), "the name of a prediction");
        LessonPrediction read{.name = text(table, "name"),
                              .asks = text(table, "asks"),
                              .choices = {},
                              .value = condition(table, "value"),
                              .answer = text(table, "answer"),
                              .within = 0,
                              .is_after = is_true(table, "after"),
                              .says = text(table, "says")};
        if (std::ranges::find(lesson.predictions, read.name, &LessonPrediction::name) !=
            lesson.predictions.end())
            reader_.refuse(name, fmt::format("two predictions have the name {}", read.name));
        if (table.contains("choices")) read.choices = texts(table, "choices");
        if (table.contains("within")) {
            try {
                read.within = condition(table, "within").evaluate_number({});
            } catch (const ExpressionError& error) {
                reader_.refuse(node_of(table, "within"), error.what());
            }
        }
        return read;
    }
    bool is_true(const toml::table& table, const char* key) const {
        const toml::node* const node = table.get(key);
        return node != nullptr && reader_.written(*node, key).text == "True";
    }
    std::vector<std::string> as_many(const toml::table& table, const char* key, std::size_t count) const {
        std::vector<std::string> found = texts(table, key);
        if (found.size() != count)
            reader_.refuse(node_of(table, key), fmt::format("{} must be {}, as in lesson.toml", key, count));
        return found;
    }
    template <class Named>
    void require_known(const toml::node& node, const std::string& name,
                       const std::vector<Named>& known) const {
        if (std::ranges::find(known, name, &Named::name) == known.end())
            reader_.refuse(node, fmt::format("lesson.toml has no '{}'", name));
    }

    void require_file(const fs::path& file) const {
        if (std::error_code error; !fs::is_regular_file(file, error))
            throw BadInput(fmt::format("{}: {} is missing", reader_.file(), file.string()));
    }
    /// @param pairs  a text of the solution, what stands there instead, and so on
    std::string changed(std::string solution, const toml::node& pairs) const {
        const std::vector<const toml::node*> texts = reader_.one_or_more(pairs);
        if (texts.size() % 2 != 0)
            reader_.refuse(pairs, "changes must be pairs of a text of the solution and its replacement");
        for (std::size_t i = 0; i < texts.size(); i += 2) {
            const std::string from = reader_.text(*texts[i], "changes");
            const std::size_t at = solution.find(from);
            if (from.empty() || at == std::string::npos || solution.find(from, at + 1) != std::string::npos)
                reader_.refuse(*texts[i], fmt::format("the solution must contain `{}` exactly once", from));
            solution.replace(at, from.size(), reader_.text(*texts[i + 1], "changes"));
        }
        return solution;
    }
    const toml::node& node_of(const toml::table& table, const char* key) const {
        if (const toml::node* const node = table.get(key)) return *node;
        reader_.refuse(table, fmt::format("the key {} is missing", key));
    }
    std::string text(const toml::table& table, const char* key) const {
        return reader_.text(node_of(table, key), key);
    }
    std::vector<std::string> texts(const toml::table& table, const char* key) const {
        std::vector<std::string> found;
        for (const toml::node* node : reader_.one_or_more(node_of(table, key)))
            found.push_back(reader_.text(*node, key));
        if (found.empty()) reader_.refuse(node_of(table, key), fmt::format("{} must not be empty", key));
        return found;
    }
    std::vector<const toml::node*> tables(const toml::table& table, const char* key) const {
        const toml::node* const node = table.get(key);
        return node != nullptr ? reader_.one_or_more(*node) : std::vector<const toml::node*>();
    }
    const toml::table& as_table(const toml::node& node, const std::string& name) const {
        const toml::table* const table = node.as_table();
        if (table == nullptr) reader_.refuse(node, name + " must be a table");
        return *table;
    }
    const toml::table& as_table(const toml::node& node, const std::string& name,
                                const std::vector<std::string>& known) const {
        const toml::table& table = as_table(node, name);
        reader_.allow_only(table, name, known);
        return table;
    }
    Expression condition(const toml::table& table, const char* key) const {
        const toml::node& node = node_of(table, key);
        Expression parsed = Expression::parse(reader_.expression(node, key).text);
        if (const std::string fault = fault_of_names(parsed); !fault.empty()) reader_.refuse(node, fault);
        return parsed;
    }

    TomlReader reader_;
};

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
    const LessonReader reader(lesson.folder / "lesson.toml");
    reader.read(lesson);
    lesson.story = read_file(lesson.folder / "lesson.md", kMostTomlBytes);
    const fs::path texts = lesson.folder / translated("lesson", language, ".toml");
    if (std::error_code missing; !language.empty() && fs::exists(texts, missing)) {
        LessonReader(texts).translate(lesson);
        lesson.story = read_file(lesson.folder / translated("lesson", language, ".md"), kMostTomlBytes);
    }
    return lesson;
}

std::vector<LessonAttempt> read_attempts(const Lesson& lesson) {
    const fs::path file = lesson.folder / "attempts.toml";
    if (std::error_code missing; !fs::exists(file, missing)) return {};
    return LessonReader(file).attempts(lesson);
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

std::optional<Place> find_blank(std::string_view source) {
    constexpr std::string_view kBlank = "____";
    const std::string code = blank_comments(source);
    for (std::size_t at = code.find(kBlank); at != std::string::npos; at = code.find(kBlank, at + 1)) {
        const std::size_t end = at + kBlank.size();
        const bool is_alone =
            (at == 0 || !is_word_sign(code[at - 1])) && (end == code.size() || !is_word_sign(code[end]));
        if (is_alone) return place_of(source, at);
    }
    return std::nullopt;
}

std::vector<Term> read_glossary(const fs::path& folder, const std::string& language) {
    fs::path file = folder / translated("glossary", language, ".toml");
    if (std::error_code missing; language.empty() || !fs::exists(file, missing))
        file = folder / "glossary.toml";
    const TomlReader reader(file.string(), read_file(file, kMostTomlBytes));
    std::vector<Term> glossary;
    for (const TomlReader::Item& item : reader.items(reader.root(), "the glossary"))
        glossary.push_back({item.name, reader.text(*item.node, item.name)});
    return glossary;
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
