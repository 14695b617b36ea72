// SPDX-License-Identifier: Apache-2.0
// Described records: JSON and schema derived from one description.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/record_schema.hpp"

using namespace kwb;

namespace {

enum class Shade { Dark, Light };

struct Inner {
    std::string name;
    std::optional<double> share;
};

struct Circle {
    std::uint32_t radius = 0;
};
struct Square {
    std::vector<std::uint8_t> sides;
};

struct Everything {
    bool truth = false;
    std::int64_t whole = 0;
    std::uint64_t large = 0;
    std::uint32_t id = 0;
    double number = 0;
    double duration_ms = 0;
    std::string text;
    Shade shade = Shade::Dark;
    std::optional<std::int64_t> maybe;
    std::vector<double> samples;
    NamedList<std::int64_t> sizes;
    std::pair<std::string, std::string> swap;
    std::variant<std::int64_t, double, std::string> plain;
    std::variant<Circle, Square> shape;
    Interval interval;
    std::vector<Inner> inner;
    std::string secret;
};

}  // namespace

namespace kwb {
template <>
inline constexpr auto kEnumNames<Shade> = std::to_array<std::string_view>({"dark", "light"});
}

namespace {

template <class Fields>
void describe(Fields& f, Inner& inner) {
    f.record("inner", "A part.");
    f("name", inner.name, items(0, 8), "Its name.");
    f("share", inner.share, between(0, 1));
}

template <class Fields>
void describe(Fields& f, Circle& circle) {
    f("radius", circle.radius, at_least(1));
}

template <class Fields>
void describe(Fields& f, Square& square) {
    f("sides", square.sides, items(4, 4));
}

template <class Fields>
void describe(Fields& f, Everything& e) {
    f("truth", e.truth, "Whether.");
    f("whole", e.whole);
    f("large", e.large);
    f("id", e.id, at_most(100));
    f("number", e.number);
    f("duration_ms", e.duration_ms, kDuration);
    f("text", e.text);
    f("shade", e.shade);
    f("maybe", e.maybe);
    f("samples", e.samples, at_least(0).items(1, 3));
    f("sizes", e.sizes, at_least(1));
    f("swap", e.swap);
    f("plain", e.plain);
    f("shape", e.shape);
    f("interval", e.interval);
    f("inner", e.inner, "Parts.");
    f.derived("parts", e.inner.size(), "How many parts.");
    f.sent("secret", e.secret);
}

std::optional<Flaw> check(const Everything& e) {
    if (e.id > 50 && !e.truth) return Flaw{"id", "at most 50 where it is not true"};
    return std::nullopt;
}

Everything everything() {
    Everything e;
    e.truth = true;
    e.whole = INT64_MIN;
    e.large = UINT64_MAX;
    e.id = 100;
    e.number = std::numeric_limits<double>::quiet_NaN();
    e.duration_ms = 0.25;
    e.text = "text";
    e.shade = Shade::Light;
    e.maybe = -3;
    e.samples = {0, 1.5, std::numeric_limits<double>::infinity()};
    e.sizes = {{"N", 2}, {"M", 1}};
    e.swap = {"X", "Y"};
    e.plain = 2.0;
    e.shape = Square{{1, 2, 3, 255}};
    e.interval = {1, 2};
    e.inner = {{"a", 0.5}, {"b", std::nullopt}};
    e.secret = "secret";
    return e;
}

Json sent() {
    return parse_json(dump_json(write_json(everything())));
}

std::string refusal(const std::string& pointer, const Json& value) {
    Json json = sent();
    json[Json::json_pointer(pointer)] = value;
    try {
        kwb::from_json<Everything>(json, "it");
    } catch (const ProtocolError& error) {
        return error.what();
    }
    return "taken";
}

}  // namespace

TEST_CASE("a described record comes back as it was sent, whatever it is made of") {
    const Json json = sent();
    CHECK(write_json(from_json<Everything>(json)) == json);
    CHECK(json.at("number") == "nan");
    CHECK(json.at("samples").at(2) == "inf");
    CHECK(json.at("shade") == "light");
    CHECK(json.at("parts") == 2);
    CHECK(json.at("inner").at(1).at("share").is_null());
    CHECK(dump_json(json.at("sizes")) == R"({"N":2,"M":1})");
    CHECK(dump_json(json.at("shape")) == R"({"sides":[1,2,3,255]})");
    const Everything back = from_json<Everything>(json);
    CHECK(std::get<double>(back.plain) == 2.0);
    CHECK(std::get<Square>(back.shape).sides.back() == 255);
    CHECK(back.secret == "secret");
}

TEST_CASE("a document leaves out what only messages have") {
    CHECK(!write_json(everything(), JsonUse::Document).contains("secret"));
    CHECK(write_json(everything(), JsonUse::Document).contains("parts"));
}

TEST_CASE("whatever is missing, of another type or out of range is refused with its place") {
    CHECK(refusal("/truth", 1) == "it.truth must be true or false");
    CHECK(refusal("/text", 1) == "it.text must be a text");
    CHECK(refusal("/whole", 1.5) == "it.whole must be a whole number");
    CHECK(refusal("/whole", UINT64_MAX) == "it.whole must be a whole number");
    CHECK(refusal("/large", -1) == "it.large must be a whole number of at least 0");
    CHECK(refusal("/large", 1e30) == "it.large must be a whole number of at least 0");
    CHECK(refusal("/id", 101) == "it.id must be a whole number from 0 to 100");
    CHECK(refusal("/number", "many") == "it.number must be a number");
    CHECK(refusal("/duration_ms", -1) == "it.duration_ms must be a duration, finite and not negative");
    CHECK(refusal("/duration_ms", "nan") == "it.duration_ms must be a duration, finite and not negative");
    CHECK(refusal("/duration_ms", "inf") == "it.duration_ms must be a duration, finite and not negative");
    CHECK(refusal("/shade", "grey") == "it.shade must be dark or light");
    CHECK(refusal("/shade", 0) == "it.shade must be dark or light");
    CHECK(refusal("/maybe", "x") == "it.maybe must be a whole number");
    CHECK(refusal("/samples", 3) == "it.samples must be an array of 1 to 3 items");
    CHECK(refusal("/samples", Json::array()) == "it.samples must be an array of 1 to 3 items");
    CHECK(refusal("/samples/1", -1) == "it.samples[1] must be a number of at least 0");
    CHECK(refusal("/samples/1", "nan") == "it.samples[1] must be a number of at least 0");
    CHECK(refusal("/sizes/M", 0) == "it.sizes.M must be a whole number of at least 1");
    CHECK(refusal("/sizes", Json::array()) == "it.sizes must be an object");
    CHECK(refusal("/swap", Json::array({"X"})) == "it.swap must be an array of 2 items");
    CHECK(refusal("/plain", true) == "it.plain must be one of the supported forms");
    CHECK(refusal("/shape", Json{{"corners", 3}}) == "it.shape must be one of the supported forms");
    CHECK(refusal("/shape", 3) == "it.shape must be an object");
    CHECK(refusal("/shape/sides/3", 256) == "it.shape.sides[3] must be a whole number from 0 to 255");
    CHECK(refusal("/interval", Json::array({1})) == "it.interval must be an array of 2 items");
    CHECK(refusal("/inner/1/share", 1.25) == "it.inner[1].share must be a number from 0 to 1");
    CHECK(refusal("/inner/1/name", "123456789") == "it.inner[1].name must be a text of at most 8 bytes");
    CHECK(refusal("/inner/0", 3) == "it.inner[0] must be an object");
    Json json = sent();
    json["inner"][0].erase("name");
    CHECK_THROWS_WITH_AS(kwb::from_json<Everything>(json, "it"), "it.inner[0].name is missing",
                         ProtocolError);
    CHECK_THROWS_WITH_AS(kwb::from_json<Everything>(Json::array(), "it"), "it must be an object",
                         ProtocolError);
}

TEST_CASE("constraints between fields are checked after reading them") {
    CHECK(refusal("/truth", false) == "it.id must be at most 50 where it is not true");
}

TEST_CASE("a missing optional is nullopt, and an unknown key is ignored") {
    Json json = sent();
    json.erase("maybe");
    json["tomorrow"] = 3;
    CHECK(!from_json<Everything>(json).maybe);
}

TEST_CASE("the schema says names, limits and meaning, and refers to named records") {
    Schema schema;
    const Json document = schema.document<Inner>("Title");
    CHECK(document.at("title") == "Title");
    CHECK(document.at("description") == "A part.");
    CHECK(dump_json(document.at("required")) == R"(["name","share"])");
    CHECK(dump_json(document.at("properties").at("name")) ==
          R"({"description":"Its name.","type":"string","maxLength":8})");
    CHECK(dump_json(document.at("properties").at("share")) ==
          R"({"anyOf":[{"type":"null"},{"type":"number","minimum":0.0,"maximum":1.0}]})");
    CHECK(dump_json(schema.of<std::vector<Inner>>()) ==
          R"({"type":"array","items":{"$ref":"#/definitions/inner"}})");
    CHECK(dump_json(schema.of<NamedList<std::int64_t>>(at_least(1))) ==
          R"({"type":"object","additionalProperties":{"type":"integer","minimum":1}})");
    CHECK(dump_json(schema.of<Shade>()) == R"({"enum":["dark","light"]})");
    CHECK(dump_json(schema.of<double>(kDuration)) == R"({"$ref":"#/definitions/duration"})");
    CHECK(dump_json(schema.of<double>()) == R"({"$ref":"#/definitions/number"})");
    CHECK(dump_json(schema.of<std::variant<std::int64_t, std::string>>()) ==
          R"({"anyOf":[{"type":"integer"},{"type":"string"}]})");
}
