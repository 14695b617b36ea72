#include "hints/preprocessor.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace kwb;

namespace {

std::string preprocessed(const HintSource& source) {
    const hints::Preprocessed result = hints::preprocess(source);
    if (!result.complete) return "(gave up)";
    std::string out;
    for (const hints::Token& token : result.tokens) out += (out.empty() ? "" : " ") + std::string(token.text);
    return out;
}

std::string preprocessed(std::string text) {
    return preprocessed(HintSource{std::move(text), {}, {}, {}});
}

}  // namespace

TEST_CASE("macros of both kinds are expanded, once within themselves") {
    CHECK(preprocessed("#define N 4\nN n N") == "4 n 4");
    CHECK(preprocessed("#define F(a, b) a + b * a\nF(x, (y, z)) F") == "x + ( y , z ) * x F");
    CHECK(preprocessed("#define A A B\n#define B A\nA") == "A A");
    CHECK(preprocessed("#define F(x) F(x)\nF(F(1))") == "F ( F ( 1 ) )");
    CHECK(preprocessed("#define F(x) x\n#define G F\nG(3)") == "3");
    CHECK(preprocessed("#define F(x) [x]\nF(\n1\n)") == "[ 1 ]");
    CHECK(preprocessed("#define F(x, ...) f(x, __VA_ARGS__)\nF(1, 2, 3)") == "f ( 1 , 2 , 3 )");
    CHECK(preprocessed("#define N 1\n#undef N\nN") == "N");
}

TEST_CASE("# makes a text and ## one word of two") {
    CHECK(preprocessed("#define S(x) #x\nS(a  + b)") == "\"a + b\"");
    CHECK(preprocessed("#define T(t, n) t##n\nT(float, 4)") == "float4");
    CHECK(preprocessed("#define ab 7\n#define C(x) a##x\nC(b)") == "7");
    CHECK(preprocessed("#define A 1\n#define C(x, y) x##y\nC(A, B)") == "AB");
    CHECK(preprocessed("#define X ## a\nX") == "## a");
    CHECK(preprocessed("#define X(a) a ##\nX(b)") == "b");
}

TEST_CASE("conditions choose among the lines") {
    CHECK(preprocessed("#if 0\na\n#elif 1 + 1 == 2\nb\n#else\nc\n#endif\nd") == "b d");
    CHECK(preprocessed("#ifdef X\na\n#else\nb\n#endif") == "b");
    CHECK(preprocessed("#define X 3\n#if defined(X) && X > 2 && !defined Y\na\n#endif") == "a");
    CHECK(preprocessed("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif") == "c");
    CHECK(preprocessed("#if 1 / 0\na\n#else\nb\n#endif") == "b");
    CHECK(preprocessed("#if -9223372036854775807 - 1 == (1 << 63) \na\n#endif") == "a");
    CHECK(preprocessed("#if (-9223372036854775807 - 1) / -1 < 0\na\n#endif") == "a");
}

TEST_CASE("directives out of place are passed over") {
    CHECK(preprocessed("#endif\n#else\n#elif 1\na") == "a");
    CHECK(preprocessed("#if 1\na") == "a");
    CHECK(preprocessed("#if 0\na") == "");
    CHECK(preprocessed(
              "#\n# 12 \"x\"\n#error no\n#pragma unroll\n#define\n#define 3 4\n#undef\n#include\na") == "a");
    CHECK(preprocessed("#define F(a\n#define G(a) a\nG(1) G(2") == "1 G ( 2");
    CHECK(preprocessed("#if ((((\na\n#endif\nb") == "b");
}

TEST_CASE(
    "neighbours are included, given macros come first, and every word has a line of the person's file") {
    HintSource source;
    source.text = "#include \"h.cl\"\n#ifndef N\n#define N 1\n#endif\nN H\nx";
    source.includes = {{"h.cl", "#define H 5\n\n\ninside\n#if 1\n"}};
    source.macros = {{"N", "8"}, {"FLAG", ""}};
    const hints::Preprocessed result = hints::preprocess(source);
    REQUIRE(result.complete);
    REQUIRE(result.tokens.size() == 4);
    CHECK(result.tokens[0].text == "inside");
    CHECK_FALSE(result.tokens[0].own);
    CHECK(result.tokens[0].line == 1);
    CHECK(result.tokens[1].text == "8");
    CHECK(result.tokens[1].own);
    CHECK(result.tokens[1].given);
    CHECK(result.tokens[1].macro == "N");
    CHECK(result.tokens[1].line == 5);
    CHECK(result.tokens[2].text == "5");
    CHECK_FALSE(result.tokens[2].given);
    CHECK(result.tokens[3].line == 6);
}

TEST_CASE("a file that includes itself, a missing one and an endless comment end quietly") {
    CHECK(preprocessed(HintSource{"#include \"a\"\nx", {{"a", "#include \"a\"\n"}}, {}, {}}) == "(gave up)");
    CHECK(preprocessed("#include \"missing\"\n#include <x>\nx") == "x");
    std::string again;
    for (int i = 0; i < 50'000; ++i) again += "#include \"a\"\n";
    CHECK(preprocessed(HintSource{again, {{"a", "/*" + std::string(1 << 20, ' ') + "*/"}}, {}, {}}) ==
          "(gave up)");
}

TEST_CASE("macro bombs end within the budget") {
    std::string bomb = "#define A0 x\n#define P0(y) y y\n#define Q0(y) y##y\n";
    for (int i = 1; i < 60; ++i) {
        const std::string n = std::to_string(i), m = std::to_string(i - 1);
        bomb += "#define A" + n + " A" + m + " A" + m + "\n#define P" + n + "(y) P" + m + "(P" + m +
                "(y))\n#define Q" + n + "(y) Q" + m + "(y##y)\n";
    }
    for (const char* end : {"A59", "P59(z)", "Q59(z)"}) CHECK(preprocessed(bomb + end) == "(gave up)");
    const hints::Preprocessed result = hints::preprocess({bomb + "A59", {}, {}, {}});
    CHECK(result.tokens.empty());
    CHECK(result.tokens_used <= hints::kMostTokens);
}

TEST_CASE("calls nested without end are no danger") {
    std::string text = "#define F(x) x\n";
    for (int i = 0; i < 20'000; ++i) text += "F(";
    CHECK(preprocessed(text).size() > 10);
    text += std::string(20'000, ')');
    CHECK(preprocessed(text) == "(gave up)");
    std::string chain = "#define A0 1\n";
    for (int i = 1; i < 20'000; ++i)
        chain += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + "\n";
    CHECK(preprocessed(chain + "A19999") == "1");
}
