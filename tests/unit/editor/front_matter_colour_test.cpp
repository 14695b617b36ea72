#include <doctest/doctest.h>

#include "colours.hpp"

namespace kwb::editor {
namespace {

using test::colours;
using Mode = LexState::Mode;

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

}  // namespace
}  // namespace kwb::editor
