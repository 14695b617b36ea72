#include "editor/highlight.hpp"

#include <doctest/doctest.h>

#include "colours.hpp"

namespace kwb::editor {
namespace {

using test::colours;
using Mode = LexState::Mode;

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

}  // namespace
}  // namespace kwb::editor
