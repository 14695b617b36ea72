#include "base/json.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"

using namespace kwb;

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
