// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/printable.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"

using namespace kwb;

// --- base/text.hpp ---

namespace {

const std::string kReplacement = "\xEF\xBF\xBD";

}  // namespace

TEST_CASE("valid UTF-8 of every length stays as it is") {
    for (const std::string text :
         {"", "plain", "µ – 核", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF"})
        CHECK(to_utf8(text) == text);
    CHECK(to_utf8(std::string_view("a\0b", 3)) == std::string_view("a\0b", 3));
}

TEST_CASE("overlong forms, surrogates, cut sequences and stray bytes are replaced") {
    CHECK(to_utf8("\xC0\x80") == kReplacement + kReplacement);
    CHECK(to_utf8("\xE0\x80\x80") == kReplacement + kReplacement + kReplacement);
    CHECK(to_utf8("\xED\xA0\x80").find('\xED') == std::string::npos);
    CHECK(to_utf8("\xF4\x90\x80\x80").find('\xF4') == std::string::npos);
    CHECK(to_utf8("a\xE2\x82") == "a" + kReplacement + kReplacement);
    CHECK(to_utf8("\x80z") == kReplacement + "z");
    CHECK(to_utf8("\xF5") == kReplacement);
}

TEST_CASE("whatever bytes come, the outcome is valid: JSON takes it, and a second pass changes nothing") {
    std::mt19937 random(7);
    for (int round = 0; round < 5'000; ++round) {
        std::string bytes(random() % 12, ' ');
        for (char& c : bytes)
            c = static_cast<char>(random() % 3 == 0 ? 0xC0 + random() % 64 : random() % 256);
        const std::string text = to_utf8(bytes);
        REQUIRE(to_utf8(text) == text);
        REQUIRE_NOTHROW(Json(text).dump());
    }
}

TEST_CASE("enumerations read like a sentence") {
    CHECK(enumerate({}) == "");
    CHECK(enumerate({"a"}) == "a");
    CHECK(enumerate({"a", "b"}) == "a and b");
    CHECK(enumerate({"a", "b", "c"}, "or") == "a, b or c");
}

TEST_CASE("splitting and joining are each other's reverse") {
    for (const std::string text : {"", "a", "a,b", ",", ",a,,b,"}) CHECK(join(split(text, ','), ",") == text);
    CHECK(split(",a", ',') == std::vector<std::string>{"", "a"});
}

TEST_CASE("lines end with LF or CR LF, the last one perhaps with nothing") {
    CHECK(split_lines("") == std::vector<std::string>{});
    CHECK(split_lines("a") == std::vector<std::string>{"a"});
    CHECK(split_lines("a\n") == std::vector<std::string>{"a"});
    CHECK(split_lines("a\r\n\nb") == std::vector<std::string>{"a", "", "b"});
    CHECK(split_lines("\n") == std::vector<std::string>{""});
}

TEST_CASE("trimming takes blanks from both ends only") {
    CHECK(trim("  a b\t\n") == "a b");
    CHECK(trim(" \n") == "");
    CHECK(trim("") == "");
}

TEST_CASE("control characters are those of ASCII, bytes of other letters are none") {
    for (const char c : {'\0', '\t', '\n', '\x1B', '\x7F'}) CHECK(is_control(c));
    for (const char c : {' ', 'a', '~', '\xC3', '\x9F'}) CHECK_FALSE(is_control(c));
}

TEST_CASE("a misspelt name finds the one that was meant") {
    const std::vector<std::string> names = {"matmul/naive", "matmul/tiled", "transpose/naive", "cpu:blas"};
    CHECK(did_you_mean("matmul/tield", names).starts_with(" Did you mean matmul/tiled"));
    CHECK(did_you_mean("tiled", names).starts_with(" Did you mean matmul/tiled"));
    CHECK(did_you_mean("MATMUL/NAIVE", names).starts_with(" Did you mean matmul/naive"));
    CHECK(did_you_mean("naive", names) == " Did you mean matmul/naive or transpose/naive?");
    CHECK(did_you_mean("", names) == "");
    CHECK(did_you_mean("tilde", names) == " Did you mean matmul/tiled?");
    CHECK(did_you_mean("TS", {"device.compute_units", "N"}) == "");  // too short for a suggestion
    CHECK(did_you_mean("zzzzzzzz", names) == "");
}

TEST_CASE("a caret stands below its column") {
    const std::string source = "one\nint x = ;\n\tif (y\n";
    CHECK(caret_line(source, 2, 9) == "    2 | int x = ;\n      |         ^");
    CHECK(caret_line(source, 1, 1) == "    1 | one\n      | ^");
    CHECK(caret_line(source, 3, 2) == "    3 | \tif (y\n      | \t^");  // tabs line up in any terminal
    CHECK(caret_line(source, 1, 99) == "    1 | one\n      |    ^");
    CHECK(caret_line(source, 0, 1) == "");
    CHECK(caret_line(source, 4, 1) == "");
    CHECK(caret_line("µ = x\n", 1, 4) == "    1 | µ = x\n      |   ^");  // columns are bytes, and µ has two
}

TEST_CASE("a count of one uses the singular") {
    CHECK(counted(0, "byte") == "0 bytes");
    CHECK(counted(1, "byte") == "1 byte");
    CHECK(counted(2, "work-item") == "2 work-items");
}

TEST_CASE("byte counts use a suitable unit") {
    CHECK(format_bytes(0) == "0 bytes");
    CHECK(format_bytes(1) == "1 byte");
    CHECK(format_bytes(1023) == "1023 bytes");
    CHECK(format_bytes(48u << 10) == "48 KiB");
    CHECK(format_bytes(1536) == "1.5 KiB");
    CHECK(format_bytes((1u << 20) - 1) == "1.0 MiB");  // rounded; exactly 1 MiB is shown without decimals
    CHECK(format_bytes(16u << 20) == "16 MiB");
    CHECK(format_bytes(~0ull) == "16777216 TiB");
}

TEST_CASE("large counts have a comma before each group of three digits") {
    CHECK(format_count(0) == "0");
    CHECK(format_count(999) == "999");
    CHECK(format_count(1000) == "1,000");
    CHECK(format_count(262144) == "262,144");
    CHECK(format_count(~0ull) == "18,446,744,073,709,551,615");
}

TEST_CASE("shell arguments are quoted where the shell would interpret them") {
    CHECK(quote_for_shell("M,N,K") == "M,N,K");
    CHECK(quote_for_shell("/tmp/a-b_c.cl") == "/tmp/a-b_c.cl");
    CHECK(quote_for_shell("-D TILE=16") == "'-D TILE=16'");
    CHECK(quote_for_shell("v=[alpha, 1]") == "'v=[alpha, 1]'");
    CHECK(quote_for_shell("tile=N*N") == "'tile=N*N'");
    CHECK(quote_for_shell("it's $HOME") == "'it'\\''s $HOME'");
    CHECK(quote_for_shell("~/x") == "'~/x'");
    CHECK(quote_for_shell("") == "''");
}

// --- base/json.hpp ---

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("numbers survive, also those that JSON has no number for") {
    for (const double value : {0.0, -0.0, 0.1, 1e308, 5e-324, -kInf, kInf}) {
        const Json sent = parse_json(dump_json(Json{{"x", number_to_json(value)}}));
        CHECK(number_from_json(sent.at("x")) == value);
    }
    const Json sent = parse_json(dump_json(Json{{"x", number_to_json(kNan)}}));
    CHECK(std::isnan(*number_from_json(sent.at("x"))));
    for (const Json& other : {Json(), Json("x"), Json(true), Json::array({1})})
        CHECK(!number_from_json(other));
}

TEST_CASE("keys keep their order, text that is no UTF-8 is replaced") {
    CHECK(dump_json({{"z", 1}, {"a", "\xFF"}}) == "{\"z\":1,\"a\":\"\xEF\xBF\xBD\"}");
}

TEST_CASE("text that is no JSON, or nested too deeply, is a protocol error") {
    for (const char* text : {"", "{", "{} {}", "nan", "[1,]", "'x'", "{\"a\":1e999}", "\"\xFF\""})
        CHECK_THROWS_AS(parse_json(text), ProtocolError);
    CHECK(parse_json("[1, {\"a,[\\\"]\": 2}]", 4).size() == 2);
    CHECK_THROWS_AS(parse_json("[1, {\"a\": 2}, 3]", 4), ProtocolError);
    CHECK_NOTHROW(parse_json(std::string(60, '[') + std::string(60, ']')));
    CHECK_THROWS_AS(parse_json(std::string(100, '[') + std::string(100, ']')), ProtocolError);
    CHECK_THROWS_AS(parse_json(std::string(1'000'000, '[')), ProtocolError);
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
    CHECK_THROWS_AS(parse_json(objects), ProtocolError);
}

TEST_CASE("a message is an object with a text for its type") {
    CHECK(message_type({{"type", "hello"}}) == "hello");
    CHECK_THROWS_AS(message_type(Json::array({"type"})), ProtocolError);
    CHECK_THROWS_WITH_AS(message_type(Json::object()), "message.type is missing", ProtocolError);
    CHECK_THROWS_WITH_AS(message_type({{"type", 3}}), "message.type must be a text", ProtocolError);
}

// --- base/text.hpp ---

namespace {

std::string told(double first, double second) {
    const NumberTexts texts = tell_apart(first, second, 7);
    return texts.first + " " + texts.second;
}

}  // namespace

TEST_CASE("numbers that differ have the digits that tell them apart") {
    CHECK(told(0.5, -3.25) == "0.5 -3.25");
    CHECK(told(12345678, 12345679) == "12345678 12345679");
    CHECK(told(2e9, -4294967295.0) == "2000000000 -4294967295");
    CHECK(told(1e10, 0.5) == "1e+10 0.5");
    CHECK(told(-2459772770, -2459772769.5) == "-2459772770 -2459772769.5");
    CHECK(told(0.1, static_cast<double>(0.1f)) == "0.1 0.100000001");
    CHECK(told(1, std::nextafter(1, 2)) == "1 1.0000000000000002");
    const double small = 1.5e-40;
    const NumberTexts texts = tell_apart(small, std::nextafter(small, 1), 7);
    CHECK(texts.first != texts.second);
    CHECK(std::stod(texts.first) == small);
}

TEST_CASE("equal numbers need no more digits, and a nan has no sign") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(told(1.0 / 3, 1.0 / 3) == "0.3333333 0.3333333");
    CHECK(told(nan, -nan) == "nan nan");
    CHECK(told(std::numeric_limits<double>::infinity(), 1) == "inf 1");
}

// --- base/printable.hpp ---

TEST_CASE("fillers and variation selectors, which show nothing, are made to show") {
    CHECK(printable("a\u00ADb\u034Fc\u115Fd\u17B4e\u3164f\uFE0Fg\uFFA0h") ==
          "a<U+00AD>b<U+034F>c<U+115F>d<U+17B4>e<U+3164>f<U+FE0F>g<U+FFA0>h");
    CHECK(printable("\U000E0100") == "<U+E0100>");
}

// --- base/sha256.hpp ---

// Expected values: FIPS 180-2, appendix B, and its two-block example.
TEST_CASE("the standard's examples give the standard's digests") {
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the empty text and a zero byte have different digests") {
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256_hex(std::string_view("\0", 1)) != sha256_hex(""));
}
