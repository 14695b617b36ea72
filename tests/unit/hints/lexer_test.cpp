#include "hints/lexer.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace kwb::hints;

namespace {

struct Lexed {
    std::string text;
    std::vector<Token> tokens;
};

Lexed lex(std::string_view source) {
    Lexed lexed;
    std::vector<std::size_t> joints;
    lexed.text = join_continued_lines(source, joints);
    lexed.tokens = read_tokens(lexed.text, joints, 1'000'000);
    return lexed;
}

std::string words(std::string_view source) {
    const Lexed lexed = lex(source);
    std::string out;
    for (const Token& token : lexed.tokens) out += (out.empty() ? "" : " ") + std::string(token.text);
    return out;
}

}  // namespace

TEST_CASE("names, numbers, texts and punctuators are told apart") {
    CHECK(words("a+=b<<=0x1Fu*1.5e-3f->x...") == "a += b <<= 0x1Fu * 1.5e-3f -> x ...");
    CHECK(words("\"a // b\" 'c' /* d \" */ e // f") == "\"a // b\" 'c' e");
}

TEST_CASE("every word knows its line across comments and continued lines") {
    const Lexed lexed = lex("a /* x\ny */ b\nc \\\n d\n\ne");
    REQUIRE(lexed.tokens.size() == 5);
    CHECK(lexed.tokens[0].line == 1);
    CHECK(lexed.tokens[1].line == 2);
    CHECK_FALSE(lexed.tokens[1].first_on_line);  // the comment joins the lines for directives
    CHECK(lexed.tokens[2].line == 3);
    CHECK(lexed.tokens[3].line == 4);
    CHECK(lexed.tokens[4].line == 6);
    CHECK(lexed.tokens[4].first_on_line);
}

TEST_CASE("awkward ends end quietly") {
    CHECK(words("a /* never closed") == "a");
    CHECK(words("a /*/") == "a");
    CHECK(words("\"never closed\nb") == "\"never closed b");
    CHECK(words("'\\") == "'\\");
    CHECK(words("\"\\\nb") == "\"b");
    CHECK(words("a \\") == "a \\");
    CHECK(words("a \\\n") == "a");
    CHECK(words("a \\\r\nb") == "a b");
    CHECK(words(std::string_view("a\0b", 3)) == "a b");
    CHECK(words("\xff\xfe x") == "\xff\xfe x");
    CHECK(words("").empty());
}

TEST_CASE("reading stops at the given number of words") {
    std::vector<std::size_t> joints;
    const std::string text(1 << 20, '(');
    CHECK(read_tokens(text, joints, 1000).size() == 1000);
}
