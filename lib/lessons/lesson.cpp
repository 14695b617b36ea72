#include "lessons/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/toml_reader.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace fs = std::filesystem;
namespace {

/// Reads the tables of a lesson; `what` of messages is the path of a key.
class LessonReader {
public:
    explicit LessonReader(const fs::path& file) : reader_(file.string(), read_file(file, kMostTomlBytes)) {}

    void read(Lesson& lesson) const {
        require_file(lesson.exercise());
        require_file(lesson.solution());
        const std::string solution = read_file(lesson.solution(), kMostTomlBytes);
        const toml::table& root = reader_.root();
        reader_.allow_only(root, "a lesson",
                           {"title", "problem", "size", "sizes", "hints", "goal", "mistake"});
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
            if (const toml::node* const is_exercise = table.get("is_exercise");
                is_exercise != nullptr && reader_.written(*is_exercise, "is_exercise").text == "True")
                mistake.sources.push_back(read_file(lesson.exercise(), kMostTomlBytes));
            if (const toml::node* const changes = table.get("changes"))
                for (const toml::node* variant : reader_.one_or_more(*changes))
                    mistake.sources.push_back(changed(solution, *variant));
            lesson.mistakes.push_back(std::move(mistake));
        }
    }

private:
    void require_file(const fs::path& file) const {
        if (std::error_code error; !fs::is_regular_file(file, error))
            throw BadInput(fmt::format("{}: {} is missing", reader_.file(), file.string()));
    }
    /// @param pairs  a text of the solution, what stands there instead, and so on
    std::string changed(std::string solution, const toml::node& pairs) const {
        const std::vector<const toml::node*> texts = reader_.one_or_more(pairs);
        if (texts.size() % 2 != 0)
            reader_.refuse(pairs, "changes are pairs: a text of the solution, and its replacement");
        for (std::size_t i = 0; i < texts.size(); i += 2) {
            const std::string from = reader_.text(*texts[i], "changes");
            const std::size_t at = solution.find(from);
            if (from.empty() || at == std::string::npos || solution.find(from, at + 1) != std::string::npos)
                reader_.refuse(*texts[i], fmt::format("the solution must have `{}` once", from));
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
    const toml::table& as_table(const toml::node& node, const char* key,
                                const std::vector<std::string>& known) const {
        const toml::table* const table = node.as_table();
        if (table == nullptr) reader_.refuse(node, fmt::format("{0} must be a table: [[{0}]]", key));
        reader_.allow_only(*table, key, known);
        return *table;
    }
    Expression condition(const toml::table& table, const char* key) const {
        return Expression::parse(reader_.expression(node_of(table, key), key).text);
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

bool is_word_sign(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

Lesson read_lesson(const fs::path& folder) {
    Lesson lesson;
    // A path may end with '/'.
    lesson.folder = folder.has_filename() ? folder : folder.parent_path();
    lesson.name = lesson.folder.filename().string();
    const auto number = number_of(lesson.name);
    if (!number)
        throw BadInput(
            fmt::format("{}: a lesson's folder begins with its number: 06_sharing", folder.string()));
    lesson.number = *number;
    const LessonReader reader(lesson.folder / "lesson.toml");
    reader.read(lesson);
    lesson.story = read_file(lesson.folder / "lesson.md", kMostTomlBytes);
    return lesson;
}

std::vector<Lesson> read_lessons(const fs::path& folder) {
    std::vector<Lesson> lessons;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.is_directory(error) && number_of(entry.path().filename().string()))
            lessons.push_back(read_lesson(entry.path()));
    if (lessons.empty()) throw BadInput(folder.string() + ": there are no lessons");
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
        names.push_back(lesson.name);
    }
    throw BadInput(fmt::format("there is no lesson {}; the lessons are {}", wanted, enumerate(names)));
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

std::vector<Term> read_glossary(const fs::path& folder) {
    const fs::path file = folder / "glossary.toml";
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
    const std::string similar = did_you_mean(word, words);
    throw BadInput(fmt::format("the glossary has no word '{}'{}", word,
                               similar.empty() ? "; it has " + enumerate(words) : "." + similar));
}

}  // namespace kwb
