// SPDX-License-Identifier: Apache-2.0
// Lessons: a text, an exercise with blanks, predictions, the goals of a solution, hints, and the expected
// mistakes.
#pragma once

#include <cstddef>
#include <cstdint>
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
    Expression when = Expression::parse("True");
};

/// A mistake that people make here.
struct LessonMistake {
    std::string name;                  ///< "the guard is missing"
    std::vector<std::string> sources;  ///< kernels that make it: the solution with changes, or the exercise
    /// On facts_of() an attempt; of several that apply, the first counts.
    Expression when = Expression::parse("True");
    std::string says;  ///< advice, in sentences
};

/// A question about what the solved exercise does, asked before the first run, or once it is solved.
struct LessonPrediction {
    std::string name;                  ///< a word: "loads"
    std::string asks;                  ///< the question
    std::vector<std::string> choices;  ///< the possible answers; empty: any number
    /// The right answer, on the facts of the solved attempt.
    Expression value = Expression::parse("0");
    std::string answer;     ///< the right answer, as an author expects it
    Number within;          ///< how far a number may be off, as a share of the right one
    bool is_after = false;  ///< asked once the exercise is solved
    bool is_why = false;    ///< `value` uses the fact `why`, and `choices` are names of reasons
    std::string says;       ///< why it is so, in sentences
};

/// A step of the exercise at which a hint looks: kwb debug begins there.
struct LessonStep {
    std::size_t hint = 0;             ///< its number, from 1
    std::string line;                 ///< a text of the line, which the exercise has once
    std::vector<std::uint64_t> lane;  ///< the work-item's local id
    std::string when;                 ///< a condition in C: "k == 16"; empty: the first time
};
/// "25 if k == 16". @return  nullopt: the source does not have the line, or more than once
std::optional<std::string> step_place(const LessonStep& step, std::string_view source);

/// A comparison in time, which a lesson may ask for.
struct LessonSpeed {
    std::string than;  ///< a kernel of the collection: "matmul/naive"
    std::string size;  ///< as typed
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
    bool is_host = false;            ///< the exercise is a program for the host, in C++, not a kernel
    std::vector<LessonGoal> goals;
    std::vector<std::string> hints;  ///< in stages, the last one almost the answer
    std::vector<LessonStep> steps;   ///< of hints
    std::vector<LessonMistake> mistakes;
    std::vector<LessonPrediction> predictions = {};
    std::vector<std::string> gpus = {};  ///< that a correct attempt is compiled for, by targets: "gfx906"
    /// A kernel of the collection with which `why` compares an attempt; empty: the exercise as it is given.
    std::string than = {};
    std::optional<LessonSpeed> speed = {};

    bool asks_why() const;
    /// That a hint looks at; nullptr: it looks at none. @param hint  from 1
    const LessonStep* step_of(std::size_t hint) const;
    std::string extension() const { return is_host ? ".cpp" : ".cl"; }
    std::filesystem::path exercise() const { return folder / ("exercise" + extension()); }
    std::filesystem::path solution() const { return folder / "solution" / ("exercise" + extension()); }
};

/// Reads lesson.toml and lesson.md of a folder whose name begins with the lesson's number.
/// @param language  "zh": with the texts of lesson.zh.toml and lesson.zh.md where they exist; empty: English
/// @throws BadInput  "file:line:column: …": a key is missing, unknown or invalid; a file is missing
Lesson read_lesson(const std::filesystem::path& folder, const std::string& language = {});

/// A wrong or another right attempt, and its required outcome.
struct LessonAttempt {
    std::string source;   ///< the solution with some texts replaced
    std::string outcome;  ///< the name of a mistake; a verdict without a named mistake; or kSolved
    std::string place;    ///< "file:line" in attempts.toml
};
inline constexpr const char* kSolved = "solved";

/// The attempts of attempts.toml in the folder of a lesson. @return empty if the file does not exist
/// @throws BadInput  as read_lesson()
std::vector<LessonAttempt> read_attempts(const Lesson& lesson);

/// All lessons of a folder, by number. @throws BadInput  as above; two have the same number
std::vector<Lesson> read_lessons(const std::filesystem::path& folder, const std::string& language = {});

/// The languages, besides English, that a lesson has texts in.
std::vector<std::string> languages_of(const Lesson& lesson);

/// @param wanted  "6", "06", "sharing" or "06_sharing"
/// @throws BadInput  there is none; suggests a similar one
const Lesson& find_lesson(const std::vector<Lesson>& lessons, const std::string& wanted);

/// The places of the blanks, "____", outside comments.
std::vector<Place> find_blanks(std::string_view source);

/// The meaning of a word of the field, from glossary.toml in the folder of the lessons, or glossary.zh.toml.
struct Term {
    std::string word;
    std::string meaning;
};

/// @throws BadInput  the file is missing or invalid
std::vector<Term> read_glossary(const std::filesystem::path& folder, const std::string& language = {});

/// "lane: The place of one work-item …"; empty if the glossary has no such word.
std::string explain(const std::vector<Term>& glossary, std::string_view word);

/// @throws BadInput  there is no such word; suggests similar ones
const Term& find_term(const std::vector<Term>& glossary, const std::string& word);

// A lesson's text as blocks that can be laid out.

/// A piece of text in one look.
struct StorySpan {
    enum class Look { Plain, Strong, Code };
    std::string words;
    Look look = Look::Plain;
    std::string term = {};  ///< Term::word that it is a form of; empty: none

    friend bool operator==(const StorySpan&, const StorySpan&) = default;
};

struct StoryBlock {
    enum class Kind { Heading, Paragraph, Item, Code };
    Kind kind = Kind::Paragraph;
    std::vector<StorySpan> spans = {};  ///< of a heading, paragraph or item
    std::string lead = {};              ///< of an item: "•", "1."
    /// Lines of code, a table or a text picture, to show in a monospaced font without wrapping.
    std::vector<std::string> lines = {};
};

/// The Markdown that lessons use: headings with #, paragraphs, items with * and 1., indented and fenced code,
/// tables, `code` and *emphasis*.
/// @param glossary  the first mention of each of its terms is marked, except in headings
std::vector<StoryBlock> story_blocks(std::string_view story, const std::vector<Term>& glossary);

/// The same of one sentence, such as a hint: its `code` and *emphasis*.
std::vector<StorySpan> sentence_spans(std::string_view sentence);

}  // namespace kwb
