// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "editor/highlight.hpp"
#include "support.hpp"

namespace kwb::editor {
namespace {

using test::colours;
using Mode = LexState::Mode;

// --- editor/highlight.hpp ---

TEST_CASE("words of OpenCL C have their kinds") {
    CHECK(colours("__kernel void f(__global const float4* restrict a)") ==
          "qqqqqqqq tttt ioqqqqqqqq qqqqq tttttto qqqqqqqq io");
    CHECK(colours("if (x) return barrier(CLK_LOCAL_MEM_FENCE);") ==
          "kk oio kkkkkk bbbbbbbommmmmmmmmmmmmmmmmmmoo");
    CHECK(colours("size_t i = get_global_id(0);") == "tttttt i o bbbbbbbbbbbbbonoo");
    CHECK(colours("convert_int4_sat_rte(x) as_float(y) convert_it(z)") ==
          "bbbbbbbbbbbbbbbbbbbboio bbbbbbbboio iiiiiiiiiioio");
    CHECK(colours("vload4 vstore_half3_rte half_sin half_width native_exp") ==
          "bbbbbb bbbbbbbbbbbbbbbb bbbbbbbb iiiiiiiiii bbbbbbbbbb");
    CHECK(colours("uchar16 float5 image2d_t A AB N_1") == "ttttttt iiiiii ttttttttt i mm mmm");
}

TEST_CASE("numbers keep their suffixes, exponents and signs") {
    for (const char* number : {"0", "42u", "0x1Fu", "1.5f", ".5", "1e-3f", "1.E+5", "0x1.8p-3f", "1.0h"}) {
        CAPTURE(number);
        CHECK(colours(number) == std::string(std::string_view(number).size(), 'n'));
    }
    CHECK(colours("0xE+1") == "nnnon");
    CHECK(colours("a-1 x.y 1-2") == "ion ioi non");
}

TEST_CASE("texts and characters end at their quote, not at one behind a backslash") {
    CHECK(colours(R"(f("a\"b", 'x', '\'');)") == "iosssssso ccco ccccoo");
    CHECK(colours("\"open") == "eeeee");
    CHECK(colours("'") == "e");
    LexState state;
    CHECK(colours("\"goes \\", state) == "sssssss");
    CHECK(state.mode == Mode::String);
    CHECK(colours("on\" x", state) == "sss i");
    CHECK(state.mode == Mode::Code);
}

TEST_CASE("comments end at the line or at their mark, over lines") {
    CHECK(colours("a // b /* c") == "i /////////");
    CHECK(colours("a /* b */ c /**/ d") == "i /////// i //// i");
    LexState state;
    CHECK(colours("x /* open", state) == "i ///////");
    CHECK(state.mode == Mode::BlockComment);
    CHECK(colours("\"no text\"", state) == "/////////");
    CHECK(colours("", state).empty());
    CHECK(state.mode == Mode::BlockComment);
    CHECK(colours("end */ y", state) == "////// i");
    CHECK(colours("// goes on \\", state) == "////////////");
    CHECK(colours("here", state) == "////");
    CHECK(colours("int", state) == "ttt");
}

TEST_CASE("preprocessor lines show directive, name and code") {
    CHECK(colours("#define TILE(x) ((x) + 1)  // why") == "ppppppp mmmmoio ooio o no  //////");
    CHECK(colours("  # include <a.h>") == "  ppppppppp sssss");
    CHECK(colours("#include \"a.h\"") == "pppppppp sssss");
    CHECK(colours("#if defined(lower) && N > 2") == "ppp bbbbbbboiiiiio oo i o n");
    CHECK(colours("#error don't do that // so") == "pppppp ppppppppppppp /////");
    CHECK(colours("#pragma unroll 4") == "ppppppp pppppppp");
    LexState state;
    CHECK(colours("#define A \\", state) == "ppppppp m p");
    CHECK(state.mode == Mode::Directive);
    CHECK(colours("  #x \\", state) == "  oi p");
    CHECK(colours("  y", state) == "  i");
    CHECK(colours("#endif", state) == "pppppp");
    CHECK(colours("#error it's \\", state) == "pppppp pppppp");
    CHECK(colours("isn't", state) == "ppppp");
    CHECK(state.mode == Mode::Code);
}

TEST_CASE("columns count code points, and characters that no source may hold are marked") {
    CHECK(colours("/* \xC3\xA9\xE2\x82\xAC */ x") == "//////// i");
    CHECK(colours("a \xC3\xA9\xC3\xA9 b @") == "i ee i e");
    CHECK(colours("\"\xF0\x9F\x98\x80\" y") == "sss i");
}

TEST_CASE("spans ascend, do not overlap and leave out blanks only") {
    const std::string_view line = "  for (int i = 0; i < n; ++i) a[i] += 1.5f * \"x y\" /* c */;";
    std::vector<Span> spans;
    highlight_line(line, {}, spans);
    std::size_t column = 0;
    for (const Span& span : spans) {
        CHECK(span.begin >= column);
        CHECK(span.begin < span.end);
        CHECK(line.substr(column, span.begin - column).find_first_not_of(' ') == line.npos);
        column = span.end;
    }
    CHECK(column == line.size());
}

// --- highlighter ---

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
    CHECK(highlighter.update(buffer) == 4);  // to the end: everything below is now in the comment
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
            if (chance.below(3) == 0) continue;  // several edits in one update
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

// --- front matter colour ---

const LexState kInFront{Mode::Front, true, 0};

std::string front(std::string_view line) {
    LexState state = kInFront;
    return colours(line, state);
}

TEST_CASE("front matter shows keys, texts, numbers and comments") {
    LexState state;
    CHECK(colours("/*+++", state) == "MMMMM");
    CHECK(state.mode == Mode::Front);
    CHECK(colours("title = \"A: b\"  # so", state) == "KKKKK M SSSSSS  CCCC");
    CHECK(colours("[params]", state) == "MKKKKKKM");
    CHECK(colours("TILE = [16, -8, 1.5e+3]", state) == "KKKK M MNNM NNM NNNNNNM");
    CHECK(colours("args = {src = \"X\", n = 'e'}", state) == "KKKK M MKKK M SSSM K M SSSM");
    CHECK(colours("[[launch]]  # two", state) == "MMKKKKKKMM  CCCCC");
    CHECK(colours("+++*/ int", state) == "MMMMM ttt");
    CHECK(state.mode == Mode::Code);
}

TEST_CASE("keys may be dotted or quoted, and true and false are values") {
    CHECK(front("a.\"b c\".d = true") == "KMKKKKKMK M NNNN");
    CHECK(front("scratch.T = false") == "KKKKKKKMK M NNNNN");
}

TEST_CASE("an array over several lines holds values, no tables") {
    LexState state = kInFront;
    CHECK(colours("TILE = [", state) == "KKKK M M");
    CHECK(state.front_depth == 1);
    CHECK(colours("  [1, 2],", state) == "  MNM NMM");
    CHECK(colours("]", state) == "M");
    CHECK(colours("[x]", state) == "MKM");
    CHECK(state.front_depth == 0);
}

TEST_CASE("texts in three quotes go over lines") {
    LexState state = kInFront;
    CHECK(colours("why = \"\"\"one", state) == "KKK M SSSSSS");
    CHECK(colours("a = \"two\"", state) == "SSSSSSSSS");
    CHECK(colours("end\"\"\" # c", state) == "SSSSSS CCC");
    CHECK(colours("raw = '''x''' # c", state) == "KKK M SSSSSSS CCC");
    CHECK(state == kInFront);
}

TEST_CASE("the comment's end closes the front matter, even within a text") {
    LexState state = kInFront;
    CHECK(colours("a = \"x */ int", state) == "K M eeeMM ttt");
    CHECK(state.mode == Mode::Code);
}

TEST_CASE("only the first comment of a file is front matter") {
    LexState state;
    colours("#define X 1", state);
    CHECK(colours("/*+++ a = 1 +++*/", state) == "MMMMM K M N MMMMM");
    CHECK(colours("/*+++ a = 1 +++*/", state) == "/////////////////");
    state = {};
    colours("// first", state);
    CHECK(colours("/*+++", state) == "/////");
    CHECK(state.mode == Mode::BlockComment);
    CHECK(colours("/* no */") == "////////");
}

// --- brackets ---

std::optional<BracketPair> pair_at_caret(const char* marked) {
    const TextBuffer buffer = test::buffer_with(marked);
    Highlighter highlighter;
    highlighter.update(buffer);
    return find_bracket_pair(buffer, highlighter, buffer.caret());
}

TEST_CASE("a bracket right or left of the caret finds its partner, over lines and both ways") {
    auto pair = pair_at_caret("f|((a)[1])\n");
    REQUIRE(pair);
    CHECK(pair->at == Position{0, 1});
    CHECK(pair->match == Position{0, 8});
    pair = pair_at_caret("{\n  {\n  }\n}|");
    REQUIRE(pair);
    CHECK(pair->at == Position{3, 0});
    CHECK(pair->match == Position{0, 0});
    pair = pair_at_caret("|{ a[i] = \"}\"; // }\n}");
    REQUIRE(pair);
    CHECK(pair->match == Position{1, 0});
    CHECK(pair_at_caret("(a) |(b) (c)")->match == Position{0, 6});
    CHECK(pair_at_caret("(a) (b)| (c)")->match == Position{0, 4});
}

TEST_CASE("a bracket without partner says so; other places have no bracket") {
    const auto lone = pair_at_caret("|( [)]\n(");
    REQUIRE(lone);
    CHECK(lone->match == Position{0, 3});
    const auto open = pair_at_caret("|{ ( ) \n");
    REQUIRE(open);
    CHECK_FALSE(open->match);
    const auto close = pair_at_caret("( )\n}|");
    REQUIRE(close);
    CHECK_FALSE(close->match);
    CHECK_FALSE(pair_at_caret("a| (b)"));
    CHECK_FALSE(pair_at_caret("// |(b)"));
    CHECK_FALSE(pair_at_caret("|"));
}

TEST_CASE("brackets of the front matter pair among themselves") {
    const auto pair = pair_at_caret("/*+++\na = |[1, [2]]  # ]\n+++*/\n]");
    REQUIRE(pair);
    CHECK(pair->match == Position{1, 11});
}

TEST_CASE("a file's landmarks are its front matter with the title, and its first kernel function") {
    const auto landmarks_of = [](std::string_view text) {
        TextBuffer buffer;
        buffer.load(text);
        Highlighter highlighter;
        highlighter.update(buffer);
        return find_landmarks(buffer, highlighter);
    };
    const Landmarks whole = landmarks_of(
        "/*+++\ntitle = \"Tiles: in local memory\"\n[launch]\nkernel = \"k\"\n+++*/\n// __kernel\n\nkernel "
        "void k() {}\n__kernel void l() {}");
    CHECK(whole.front_matter == 5);
    CHECK(whole.title == "Tiles: in local memory");
    CHECK(whole.kernel == 7);
    const Landmarks bare = landmarks_of("__kernel void k() {}");
    CHECK(bare.front_matter == 0);
    CHECK(bare.kernel == 0);
    CHECK(bare.title.empty());
    CHECK_FALSE(landmarks_of("").kernel);
    CHECK(landmarks_of("/*+++\ntitle = 'never closed'").front_matter == 0);
}

}  // namespace
}  // namespace kwb::editor
