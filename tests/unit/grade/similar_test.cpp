// SPDX-License-Identifier: Apache-2.0
// Groups of similar sources.
#include "grade/similar.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "grade/class_grades.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// @param ordered  its last digit is the order of statements
ComparedSource source_of(const std::string& text, std::uint64_t ordered,
                         std::vector<std::uint64_t> statements = {1, 2, 3}) {
    return {text, source::Fingerprint{ordered, ordered / 10, std::move(statements)}};
}

std::string groups(const std::vector<std::optional<ComparedSource>>& sources,
                   const std::vector<ComparedSource>& given = {}) {
    std::string text;
    for (const SimilarSources& group : find_similar(sources, given)) {
        text += fmt::format("{}:", to_words(group.likeness));
        for (const std::size_t i : group.members) text += fmt::format(" {}", i);
        text += group.statements ? fmt::format(" ({})\n", *group.statements) : "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("sources are grouped by how alike they are, and a larger group is told once more") {
    CHECK(groups({source_of("a", 10), source_of("b", 20), source_of("c", 30)}) == "");
    CHECK(groups({source_of("a", 10), source_of("b", 20), source_of("a", 10)}) == "the same text: 0 2 (3)\n");
    CHECK(groups({source_of("a", 10), source_of("a", 10), source_of("b", 10), source_of("c", 11)}) ==
          "the same text: 0 1 (3)\n"
          "the same but for names and formatting: 0 1 2 (3)\n"
          "the same statements in another order: 0 1 2 3 (3)\n");
    CHECK(groups({source_of("a", 10), source_of("b", 11)}) ==
          "the same statements in another order: 0 1 (3)\n");
}

TEST_CASE("what cannot be read is compared as text, and what is missing not at all") {
    CHECK(groups({ComparedSource{"a"}, std::nullopt, ComparedSource{"a"}, std::nullopt,
                  ComparedSource{"b"}}) == "the same text: 0 2\n");
}

TEST_CASE("what the teacher gave makes nothing similar") {
    const std::vector<std::optional<ComparedSource>> both = {source_of("a", 10), source_of("b", 10)};
    CHECK(groups(both, {source_of("given", 90, {1, 2, 3, 4})}) == "");
    CHECK(groups(both, {source_of("given", 90, {1, 3})}) ==
          "the same but for names and formatting: 0 1 (1)\n");
    CHECK(groups({ComparedSource{"given"}, ComparedSource{"given"}}, {ComparedSource{"given"}}) == "");
}

TEST_CASE("similar sources are on a page side by side, and in the teacher's list") {
    ClassGrades grades{{}, {}, {}};
    grades.rubric.title = "T";
    grades.rubric.criteria.push_back({"compiles", Criterion::Kind::Compiles, 10});
    const auto add = [&](const std::string& name, const std::string& text, std::uint64_t print) {
        Graded graded{name};
        graded.sources = {{"in/" + name + ".cl", text}};
        graded.print = source::Fingerprint{print, print, {1}};
        graded.grade.parts.push_back({10});
        graded.points = 10;
        grades.graded.push_back(std::move(graded));
    };
    add("Ann", "int a;\nsame;\n", 1);
    add("B<o>b", "int b;\nsame;\n", 1);
    for (int i = 0; i < 300; ++i) add(fmt::format("Copy {}", i), std::string(2000, '\n') + "x", 2);
    compare_sources(grades, {});
    REQUIRE(grades.similar.size() == 2);
    const std::string list = class_page(grades, std::vector<std::string>(grades.graded.size()), "today");
    CHECK(has(list, "href=\"similar.html\""));
    CHECK(has(list, "the same but for names and formatting"));
    const std::string page = similar_page(grades, "today");
    CHECK(has(page, "Ann | B&lt;o&gt;b"));
    CHECK(has(page, "class=\"marked\"><td class=\"number\">1</td><td>int a;</td>"));
    CHECK(has(page, "<tr><td class=\"number\">2</td><td>same;</td>"));
    CHECK(has(page, "The first 20 pairs are shown."));
    CHECK(has(page, "… 1001 more lines"));
    for (const char* accusing : {"plagi", "cheat", "copied"}) CHECK_FALSE(has(page, accusing));
}

TEST_CASE("a reading that has no time reads nothing") {
    SourceReading reading({SourceText{"__kernel void k() {}"}, std::nullopt}, std::chrono::milliseconds(0));
    CHECK_FALSE(reading.next(0).has_value());
    CHECK(reading.take_prints() == std::vector<std::optional<source::Fingerprint>>(2));
}
