#include <doctest/doctest.h>

#include "colours.hpp"
#include "support.hpp"

namespace kwb::editor {
namespace {

using test::buffer_with;
using test::Chance;

bool is_as_from_scratch(const Highlighter& highlighter, const TextBuffer& buffer) {
    const auto fresh = highlight_lines(buffer.lines());
    if (highlighter.line_count() != fresh.size()) return false;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        const auto kept = highlighter.line(i);
        if (!std::equal(kept.begin(), kept.end(), fresh[i].begin(), fresh[i].end())) return false;
    }
    return true;
}

TEST_CASE("after an edit only lines up to the first with the old state are read again") {
    TextBuffer buffer = buffer_with("int a;\nint b|;\nint c;\nint d;\n");
    Highlighter highlighter;
    CHECK(highlighter.update(buffer) == 5);
    CHECK(highlighter.update(buffer) == 0);
    buffer.type("x");
    CHECK(highlighter.update(buffer) == 1);
    buffer.new_line();
    CHECK(highlighter.update(buffer) == 2);
    buffer.type("/*");
    CHECK(highlighter.update(buffer) == 4);  // to the end: all of it is comment now
    CHECK(test::letters("int d;", highlighter.line(4)) == "//////");
    buffer.undo();
    highlighter.update(buffer);
    CHECK(test::letters("int d;", highlighter.line(4)) == "ttt io");
    CHECK(is_as_from_scratch(highlighter, buffer));
}

TEST_CASE("what stands at a column is found, and nothing in blanks and beyond") {
    TextBuffer buffer = buffer_with("int  a;");
    Highlighter highlighter;
    highlighter.update(buffer);
    REQUIRE(highlighter.span_at({0, 2}));
    CHECK(highlighter.span_at({0, 2})->kind == SpanKind::Type);
    CHECK(highlighter.span_at({0, 3}) == nullptr);
    CHECK(highlighter.span_at({0, 5})->kind == SpanKind::Identifier);
    CHECK(highlighter.span_at({0, 7}) == nullptr);
    CHECK(highlighter.span_at({3, 0}) == nullptr);
}

TEST_CASE("kept colours are those of reading everything again, after any edits") {
    const char* const pieces[] = {"/*",   "*/",        "/*+++\n", "+++*/",  "\"",       "'",
                                  "\\\n", "#define X", "// c",    "\n",     "int a;\n", "\"\"\"",
                                  "[",    "]",         "#",       "#error", "\xC3\xA9", "x = 1\n"};
    for (unsigned seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        TextBuffer buffer;
        buffer.load("/*+++\ntitle = \"x\"\n[params]\nT = [1,\n2]\n+++*/\nint a;\n#define A \\\n 1\n");
        Highlighter highlighter;
        for (int round = 0; round < 400; ++round) {
            const Position one = test::random_position(chance, buffer);
            switch (chance.below(6)) {
                case 0: {
                    const Position two{one.line + chance.below(3), chance.below(8)};
                    buffer.replace({std::min(one, two), std::max(one, two)}, "");
                    break;
                }
                case 1:
                    buffer.undo();
                    break;
                case 2:
                    buffer.redo();
                    break;
                case 3:
                    buffer.set_caret(one);
                    buffer.duplicate_lines();
                    break;
                default:
                    buffer.replace({one, one}, chance.of(pieces));
            }
            if (chance.below(3) == 0) continue;  // several edits between two frames
            highlighter.update(buffer);
            REQUIRE(is_as_from_scratch(highlighter, buffer));
        }
    }
}

TEST_CASE("a text that is loaded anew is read from its start") {
    TextBuffer buffer = buffer_with("/* a\nb\nc");
    Highlighter highlighter;
    highlighter.update(buffer);
    buffer.load("int\n");
    CHECK(highlighter.update(buffer) == 2);
    CHECK(is_as_from_scratch(highlighter, buffer));
}

TEST_CASE("no bytes make the lexer fail or leave the line") {
    Chance chance(3);
    const std::string alphabet = "/*+\"'\\#<>[]{}=. a1e\xC3\xA9";
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes;
        for (std::size_t i = chance.below(12); i > 0; --i) bytes += alphabet[chance.below(alphabet.size())];
        const std::string line = clean_text(bytes).text;
        CAPTURE(line);
        const LexState state{static_cast<LexState::Mode>(chance.below(10)), chance.below(2) == 0,
                             static_cast<std::uint8_t>(chance.below(2))};
        std::vector<Span> spans;
        highlight_line(line, state, spans);
        std::size_t column = 0;
        for (const Span& span : spans) {
            REQUIRE(span.begin >= column);
            REQUIRE(span.begin < span.end);
            column = span.end;
        }
        REQUIRE(column <= count_code_points(line));
    }
}

}  // namespace
}  // namespace kwb::editor
