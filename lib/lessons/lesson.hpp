// Lessons: a story, an exercise with blanks, what counts as solved, hints, and the mistakes to expect.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/expression.hpp"
#include "catalog/place.hpp"

namespace kwb {

/// A condition on facts_of() an attempt that must hold, besides being correct at every size.
struct LessonGoal {
    std::string says;  ///< a sentence without its full stop: "one access of A touches at most 4 sectors"
    Expression when;
};

/// A mistake that people make here.
struct LessonMistake {
    std::string name;                  ///< "the guard is missing"
    std::vector<std::string> sources;  ///< kernels that make it: the solution with changes, or the exercise
    Expression when;                   ///< on facts_of() an attempt; of several that apply, the first counts
    std::string says;                  ///< what to think about, in sentences
};

struct Lesson {
    std::string name;  ///< of its folder: "06_sharing"
    std::size_t number = 0;
    std::filesystem::path folder;
    std::string title;
    std::string story;               ///< Markdown
    std::string problem;             ///< "matmul"
    std::string size;                ///< at which X-ray counts, as typed: "64" or "64x64x32"
    std::vector<std::string> sizes;  ///< at which the result must be right
    std::vector<LessonGoal> goals;
    std::vector<std::string> hints;  ///< in stages, the last one almost the answer
    std::vector<LessonMistake> mistakes;

    std::filesystem::path exercise() const { return folder / "exercise.cl"; }
    std::filesystem::path solution() const { return folder / "solution" / "exercise.cl"; }
};

/// Reads lesson.toml and lesson.md of a folder whose name begins with the lesson's number.
/// @throws BadInput  "file:line:column: …": a key is missing, unknown or invalid; a file is missing
Lesson read_lesson(const std::filesystem::path& folder);

/// All lessons of a folder, by number. @throws BadInput  as above; two have the same number
std::vector<Lesson> read_lessons(const std::filesystem::path& folder);

/// @param wanted  "6", "06", "sharing" or "06_sharing"
/// @throws BadInput  there is none; names all of them
const Lesson& find_lesson(const std::vector<Lesson>& lessons, const std::string& wanted);

/// Where a text still has a blank, "____", outside of comments.
std::optional<Place> find_blank(std::string_view source);

/// The meaning of a word of the field, from glossary.toml in the folder of the lessons.
struct Term {
    std::string word;
    std::string meaning;
};

/// @throws BadInput  the file is missing or invalid
std::vector<Term> read_glossary(const std::filesystem::path& folder);

/// @throws BadInput  there is no such word; suggests similar ones
const Term& find_term(const std::vector<Term>& glossary, const std::string& word);

}  // namespace kwb
