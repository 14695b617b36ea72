#include "base/json.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"

using namespace kwb;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

Json object(const std::string& text) {
    return parse_json(text);
}

}  // namespace

TEST_CASE("numbers survive, also those that JSON has no number for") {
    for (const double value : {0.0, -0.0, 0.1, 1e308, 5e-324, -kInf, kInf}) {
        const Json sent = parse_json(dump_json(Json{{"x", number_to_json(value)}}));
        CHECK(JsonReader(sent).number("x") == value);
    }
    const Json sent = parse_json(dump_json(Json{{"x", number_to_json(kNan)}}));
    CHECK(std::isnan(JsonReader(sent).number("x")));
    CHECK(number_to_json(std::optional<double>()).is_null());
}

TEST_CASE("keys keep their order, text that is no UTF-8 is replaced") {
    CHECK(dump_json({{"z", 1}, {"a", "\xFF"}}) == "{\"z\":1,\"a\":\"\xEF\xBF\xBD\"}");
}

TEST_CASE("text that is no JSON, or nested too deeply, is a protocol error") {
    for (const char* text : {"", "{", "{} {}", "nan", "[1,]", "'x'", "{\"a\":1e999}", "\"\xFF\""})
        CHECK_THROWS_AS(parse_json(text), ProtocolError);
    CHECK_NOTHROW(parse_json(std::string(60, '[') + std::string(60, ']')));
    CHECK_THROWS_AS(parse_json(std::string(100, '[') + std::string(100, ']')), ProtocolError);
    CHECK_THROWS_AS(parse_json(std::string(1'000'000, '[')), ProtocolError);
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
    CHECK_THROWS_AS(parse_json(objects), ProtocolError);
}

TEST_CASE("every getter refuses what is missing or of another type, with the key") {
    const Json json =
        object(R"({"t":"x","b":true,"i":-3,"u":7,"d":1.5,"n":null,"o":{},"a":[1,2],"m":["x",1]})");
    const JsonReader reader(json, "message");
    CHECK(reader.text("t") == "x");
    CHECK(reader.boolean("b"));
    CHECK(reader.integer("i", -5, 5) == -3);
    CHECK(reader.unsigned_integer("u") == 7);
    CHECK(reader.number("d") == 1.5);
    CHECK(reader.number("i") == -3);
    CHECK(reader.unsigned_integers("a") == std::vector<std::uint64_t>{1, 2});
    CHECK(!reader.optional_number("n"));
    CHECK(!reader.optional_number("missing"));
    CHECK(!reader.has("n"));
    CHECK_THROWS_WITH_AS(reader.text("missing"), "message.missing is missing", ProtocolError);
    CHECK_THROWS_WITH_AS(reader.text("n"), "message.n is not a text", ProtocolError);
    CHECK_THROWS_AS(reader.boolean("u"), ProtocolError);
    CHECK_THROWS_AS(reader.integer("d", -5, 5), ProtocolError);
    CHECK_THROWS_AS(reader.integer("i", 0, 5), ProtocolError);
    CHECK_THROWS_AS(reader.unsigned_integer("i"), ProtocolError);
    CHECK_THROWS_AS(reader.unsigned_integer("u", 6), ProtocolError);
    CHECK_THROWS_AS(reader.unsigned_integer("d"), ProtocolError);
    CHECK_THROWS_AS(reader.number("t"), ProtocolError);
    CHECK_THROWS_AS(reader.object("a"), ProtocolError);
    CHECK_THROWS_AS(reader.array("o"), ProtocolError);
    CHECK_THROWS_AS(reader.texts("m"), ProtocolError);
    CHECK_THROWS_AS(reader.numbers("m"), ProtocolError);
    CHECK_THROWS_AS(reader.unsigned_integers("m"), ProtocolError);
    CHECK_THROWS_AS(JsonReader(json.at("a")), ProtocolError);
}

TEST_CASE("integers beyond 64 bits, or beyond the sign, are refused") {
    const Json json =
        object(R"({"big":18446744073709551615,"huge":18446744073709551616,"low":-9223372036854775808})");
    const JsonReader reader(json);
    CHECK(reader.unsigned_integer("big") == UINT64_MAX);
    CHECK_THROWS_AS(reader.integer("big", INT64_MIN, INT64_MAX), ProtocolError);
    CHECK_THROWS_AS(reader.unsigned_integer("huge"), ProtocolError);
    CHECK(reader.integer("low", INT64_MIN, INT64_MAX) == INT64_MIN);
}
