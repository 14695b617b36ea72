// SPDX-License-Identifier: Apache-2.0
// The test driver of the fault cases: what it accepts, and that it detects surplus and missing findings.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "faults/fault_case.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;
using Lines = std::vector<std::string>;

namespace {

const Lines kFound = {"verdict out_of_bounds", "reason wrote element 323 of C, one past the end",
                      "hint 12 a barrier", "exit 1"};
const Lines kExpected = {"verdict out_of_bounds", "reason *element 323 of C*", "hint 12 *barrier*", "exit 1"};

std::string complaint_about(std::string_view recipe) {
    try {
        parse_recipe(recipe);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "none";
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a star stands for any text, for none, and for several lines") {
    CHECK(matches("verdict wrong", "verdict wrong"));
    CHECK(matches("reason *C*", "reason C"));
    CHECK(matches("reason *a*b*", "reason xx a\nyy b zz"));
    CHECK(matches("*", ""));
    CHECK(!matches("reason *a*b*", "reason b then a"));
    CHECK(!matches("verdict wrong", "verdict wrong "));
    CHECK(!matches("hint 1 *", "hint 12 x"));
    CHECK(!matches("", "x"));
}

TEST_CASE("what is found as expected leaves no difference") {
    CHECK(compare(kExpected, kFound).empty());
}

TEST_CASE("each missing and each surplus line is named") {
    for (std::size_t i = 0; i < kFound.size(); ++i) {
        Lines fewer = kFound;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        CHECK(compare(kExpected, fewer) == Lines{"missing: " + kExpected[i]});

        Lines more = kFound;
        more.insert(more.begin() + static_cast<std::ptrdiff_t>(i), "warning of something");
        CHECK(compare(kExpected, more) == Lines{"surplus: warning of something"});
    }
}

TEST_CASE("two findings do not share one expected line, and the order counts") {
    CHECK(compare({"warning *"}, {"warning a", "warning b"}).size() == 1);
    CHECK(compare({"hint 1 *", "hint 2 *"}, {"hint 2 b", "hint 1 a"}).size() == 2);
    CHECK(compare({"verdict wrong"}, {"verdict correct"}).size() == 2);
}

TEST_CASE("everything that a result says is a finding, in a fixed order") {
    KernelResult result;
    result.verdict = Verdict::CompileError;
    result.reason = "does not compile";
    result.diagnostics = {{Severity::Error, "k.cl", 3, 7, "undeclared x"}};
    result.hints = {{5, "a barrier"}};
    result.warnings = {remark("takes long")};
    result.output = "hello\n";
    CHECK(findings_of(result) == Lines{"verdict compile_error", "reason does not compile",
                                       "diagnostic 3 error undeclared x", "hint 5 a barrier",
                                       "warning takes long", "output hello\n", "exit 1"});
    result = {};
    result.verdict = Verdict::Correct;
    CHECK(findings_of(result) == Lines{"verdict correct", "exit 0"});
}

TEST_CASE("a recipe is read as kwb reads its arguments") {
    const Recipe recipe = parse_recipe(
        "run --check --size 32 --rounds 3 --timeout 1500ms --param TILE=8 --local 4x8 --foreign");
    CHECK(!recipe.check_only);
    CHECK(recipe.unreadable_pages);
    CHECK(recipe.foreign);
    CHECK(recipe.size == "32");
    CHECK(recipe.rounds == 3);
    CHECK(recipe.timeout_ms == 1500);
    CHECK(recipe.choices.local == std::vector<std::uint64_t>{4, 8});
    REQUIRE(recipe.choices.params.size() == 1);
    CHECK(recipe.choices.params[0].value == "8");
    CHECK(parse_recipe("check --size 7 --timeout 2s").timeout_ms == 2000);
}

TEST_CASE("a mistake in a recipe is named") {
    CHECK(mentions(complaint_about(""), "says nothing"));
    CHECK(mentions(complaint_about("sweep --size 3"), "unknown verb 'sweep'"));
    CHECK(mentions(complaint_about("check --size 3 --tile 4"), "unknown word '--tile'"));
    CHECK(mentions(complaint_about("check"), "--size"));
    CHECK(mentions(complaint_about("run --size 3"), "--rounds"));
    CHECK(mentions(complaint_about("check --size 3 --check"), "'run'"));
    CHECK(mentions(complaint_about("check --size 3 --timeout 2"), "--timeout 2"));
    CHECK(mentions(complaint_about("check --size"), "--size needs a value"));
}

TEST_CASE("a mistake in the expected lines is named") {
    CHECK_NOTHROW(require_expectations(kExpected));
    CHECK_THROWS_WITH_AS(require_expectations({}), doctest::Contains("says nothing"), BadInput);
    CHECK_THROWS_WITH_AS(require_expectations({"verdikt wrong"}), doctest::Contains("verdikt"), BadInput);
    CHECK_THROWS_WITH_AS(require_expectations({"verdict wong"}), doctest::Contains("no such verdict"),
                         BadInput);
    CHECK_THROWS_WITH_AS(require_expectations({"hint *barrier*"}), doctest::Contains("number"), BadInput);
    CHECK_THROWS_WITH_AS(require_expectations({"reason"}), doctest::Contains("says nothing"), BadInput);
}

TEST_CASE("an expected line that nearly anything would match is refused") {
    for (const char* line : {"reason *", "reason *C*", "output *", "refusal *", "warning * a *", "hint 12 *"})
        CHECK_THROWS_WITH_AS(require_expectations({line}), doctest::Contains("nearly anything"), BadInput);
    CHECK_NOTHROW(require_expectations({"refusal *.cl:8:*", "reason *C[0][3]*", "output *the sum of*, *"}));
}

TEST_CASE("a case that nobody knows is not wanted in vain") {
    const Lines names = {"bounds_null", "cheat_zeros"};
    CHECK_NOTHROW(require_known("bounds_null", names));
    CHECK_NOTHROW(require_known("cheat_*,bounds_null", names));
    CHECK_THROWS_WITH_AS(require_known("bounds_null,cheat_zeroes", names),
                         doctest::Contains("'cheat_zeroes'"), BadInput);
}

TEST_CASE("a file holds cases, with declarations for those that have none") {
    const TempFolder folder;
    const auto file = folder.path() / "bounds.cl";
    write_file(file,
               "/*+++\nproblem = \"sum\"\n+++*/\n"
               "\n"
               "//// bounds_far: Writes far\n"
               "// kwb check --size 3 --timeout 2s\n"
               "// needs x86_64\n"
               "// verdict compile_error\n"
               "// reason */etc/passwd*\n"
               "// exit 1\n"
               "\n"
               "// A comment.\n"
               "__kernel void k() {}\n"
               "//// bounds_near\n"
               "/*+++\nproblem = \"copy\"\n+++*/\n");
    const std::vector<CaseSource> cases = cases_in(folder.path());
    REQUIRE(cases.size() == 2);
    CHECK(trim(cases[0].declarations) == "problem = \"sum\"");
    const FaultCase fault = read_fault_case(cases[0]);
    CHECK(fault.name == "bounds_far");
    CHECK(fault.file == folder.path() / "bounds_far.cl");
    CHECK(fault.text.starts_with("// kwb check"));
    CHECK(fault.recipe.check_only);
    CHECK(fault.recipe.size == "3");
    CHECK(fault.recipe.timeout_ms == 2000);
    CHECK(fault.processor == "x86_64");
    CHECK(fault.expected == Lines{"verdict compile_error", "reason */etc/passwd*", "exit 1"});
    CHECK(cases[1].name == "bounds_near");
    CHECK(cases[1].text == "/*+++\nproblem = \"copy\"\n+++*/\n");
    CHECK(cases[1].declarations.empty());
}

TEST_CASE("a broken case is refused in one sentence that begins with its name") {
    const auto complaint_about_case = [](const std::string& source) -> std::string {
        try {
            read_fault_case({{"bounds_far", source}, ""});
        } catch (const BadInput& error) {
            return error.what();
        }
        return "none";
    };
    const std::string kernel = "\n__kernel void k() {}\n";
    CHECK(complaint_about_case("// kwb check --size 3\n// verdict wrong\n// exit 1\n" + kernel) == "none");
    CHECK(complaint_about_case(kernel) ==
          "bounds_far: has no recipe; add '// kwb check --size 17x19x23' and, in the lines after it, what is "
          "expected");
    CHECK(complaint_about_case("// kwb check --size 3\n" + kernel) ==
          "bounds_far: says nothing of what must come of it; add lines such as '// verdict wrong' after the "
          "recipe");
    CHECK(complaint_about_case("// kwb check\n// exit 1\n" + kernel) ==
          "bounds_far: the recipe names no --size");
    CHECK(complaint_about_case("// kwb check --size 3\n// needs\n// exit 1\n" + kernel) ==
          "bounds_far: 'needs': write it as 'needs x86_64'");
    CHECK(mentions(complaint_about_case("// kwb check --size 3\n// exit 1\n// Writes far.\n" + kernel),
                   "bounds_far: 'Writes far.': begins with none of"));
}
