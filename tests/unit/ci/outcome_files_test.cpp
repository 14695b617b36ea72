// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "ci/outcome.hpp"

namespace kwb::test {
namespace {

/// Two cases: a test that passed, one whose kernel does not compile, and one that is not decided.
std::vector<CiOutcome> sample_outcomes() {
    KernelResult broken;
    broken.kernel = broken.file = "src/a,b.cl";
    broken.verdict = Verdict::CompileError;
    broken.diagnostics = {{Severity::Error, "", 3, 7, "unknown \"x\" <here>\n100 %"}};
    CiOutcome passed{"gemm", "src/good.cl", "TILE=8", "cpu", CiState::Passed};
    passed.time_ratio = Speedup{"before", 1.02, Interval{0.99, 1.05}};
    CiOutcome failed{"gemm", "src/a,b.cl", "", "", CiState::Failed, "compile_error at 1 of 1 size"};
    failed.results = {broken};
    return {passed, failed, {"other", "c.cl", "", "", CiState::CannotTell, "too noisy"}};
}

}  // namespace

TEST_CASE("outcomes as JUnit XML: counts by case, escaped") {
    const std::string xml = outcomes_to_junit(sample_outcomes());
    CHECK(xml.find("<testsuite name=\"gemm\" tests=\"2\" failures=\"1\" skipped=\"0\"") != std::string::npos);
    CHECK(xml.find("<testsuite name=\"other\" tests=\"1\" failures=\"0\" skipped=\"1\"") !=
          std::string::npos);
    CHECK(xml.find("name=\"src/good.cl TILE=8 on cpu\" time=\"0.000\"/>") != std::string::npos);
    CHECK(xml.find("src/a,b.cl:3:7: error: unknown &quot;x&quot; &lt;here&gt;") != std::string::npos);
}

TEST_CASE("outcomes as SARIF: what is wrong, at its place") {
    const auto sarif = nlohmann::json::parse(outcomes_to_sarif(sample_outcomes()));
    CHECK(sarif["version"] == "2.1.0");
    const auto& run = sarif["runs"][0];
    REQUIRE(run["results"].size() == 2);
    CHECK(run["results"][0]["ruleId"] == "compiler");
    CHECK(run["results"][0]["level"] == "error");
    const auto& place = run["results"][0]["locations"][0]["physicalLocation"];
    CHECK(place["artifactLocation"]["uri"] == "src/a,b.cl");
    CHECK(place["region"]["startLine"] == 3);
    CHECK(place["region"]["startColumn"] == 7);
    CHECK(run["results"][1]["level"] == "warning");
    CHECK(run["results"][1]["message"]["text"] == "too noisy");
    for (const auto& result : run["results"]) {
        const auto& rules = run["tool"]["driver"]["rules"];
        CHECK(std::ranges::count(rules, result["ruleId"], [](const auto& rule) { return rule["id"]; }) == 1);
    }
}

TEST_CASE("outcomes as GitHub's annotations: a command in one line, with escaped properties") {
    CHECK(outcome_annotations(sample_outcomes()[0]) == "");
    CHECK(outcome_annotations(sample_outcomes()[1]) ==
          "::error file=src/a%2Cb.cl,line=3,col=7,title=compiler::unknown \"x\" <here>%0A100 %25\n");
}

TEST_CASE("outcomes as JSON") {
    const auto json = nlohmann::json::parse(outcomes_to_json(sample_outcomes()));
    CHECK(json["tests"].size() == 3);
    CHECK(json["tests"][0]["time_ratio"] == 1.02);
    CHECK(json["tests"][0]["ci95"] == nlohmann::json({0.99, 1.05}));
    CHECK(json["tests"][1]["outcome"] == "failed");
    CHECK(json["tests"][1]["sizes"][0]["verdict"] == "compile_error");
    CHECK(json["tests"][2]["time_ratio"].is_null());
}

}  // namespace kwb::test
