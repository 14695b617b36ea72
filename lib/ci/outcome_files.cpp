// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json.hpp"
#include "base/printable.hpp"
#include "base/version.hpp"
#include "ci/outcome.hpp"
#include "report/documents.hpp"
#include "report/problem_lines.hpp"

namespace kwb {
namespace {

/// GitHub takes the end of a line as the end of the command.
std::string command_text(const std::string& text, bool is_property) {
    std::string escaped;
    for (const char c : printable(text)) switch (c) {
            case '%':
                escaped += "%25";
                break;
            case '\n':
                escaped += "%0A";
                break;
            case ':':
                escaped += is_property ? "%3A" : ":";
                break;
            case ',':
                escaped += is_property ? "%2C" : ",";
                break;
            default:
                escaped += c;
        }
    return escaped;
}

std::vector<PlacedProblem> problems_of(const CiOutcome& outcome) {
    if (outcome.state == CiState::Passed || outcome.state == CiState::Skipped) return {};
    std::vector<PlacedProblem> problems = placed_problems(outcome.results);
    if (problems.empty())
        problems.push_back({{outcome.state == CiState::Failed ? Severity::Error : Severity::Warning,
                             outcome.kernel, 1, 1, outcome.reason},
                            std::string(to_string(outcome.state))});
    return problems;
}

Json place_of(const Diagnostic& what) {
    return {{"physicalLocation",
             {{"artifactLocation", {{"uri", what.file}}},
              {"region", {{"startLine", what.line}, {"startColumn", what.column}}}}}};
}

}  // namespace

std::string CiOutcome::name() const {
    return fmt::format("{}/{}{}{}", about, kernel, params.empty() ? "" : " " + params,
                       device.empty() ? "" : " on " + device);
}

std::string outcomes_to_junit(const std::vector<CiOutcome>& outcomes) {
    std::vector<std::string> names;
    for (const CiOutcome& outcome : outcomes)
        if (std::ranges::find(names, outcome.about) == names.end()) names.push_back(outcome.about);
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"kwb ci\">\n";
    for (const std::string& name : names) {
        std::size_t tests = 0, failures = 0, skipped = 0;
        double seconds = 0;
        std::string cases;
        for (const CiOutcome& outcome : outcomes) {
            if (outcome.about != name) continue;
            ++tests;
            seconds += outcome.seconds;
            cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", xml_text(name),
                                 xml_text(outcome.name().substr(name.size() + 1)), outcome.seconds);
            if (outcome.state == CiState::Passed) {
                cases += "/>\n";
                continue;
            }
            std::string lines;
            for (const PlacedProblem& problem : problems_of(outcome)) lines += problem_line(problem);
            const bool is_failure = outcome.state == CiState::Failed;
            failures += is_failure ? 1 : 0;
            skipped += is_failure ? 0 : 1;
            cases +=
                fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n",
                            is_failure ? "failure" : "skipped", xml_text(outcome.reason), xml_text(lines));
        }
        text += fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}"
            "  </testsuite>\n",
            xml_text(name), tests, failures, skipped, seconds, cases);
    }
    return text + "</testsuites>\n";
}

std::string outcomes_to_sarif(const std::vector<CiOutcome>& outcomes) {
    std::set<std::string> kinds;
    Json results = Json::array();
    for (const CiOutcome& outcome : outcomes)
        for (const PlacedProblem& problem : problems_of(outcome)) {
            kinds.insert(problem.kind);
            results.push_back({{"ruleId", problem.kind},
                               {"level", to_string(problem.what.severity)},
                               {"message", {{"text", printable(problem.what.message)}}},
                               {"locations", Json::array({place_of(problem.what)})}});
        }
    Json rules = Json::array();
    for (const std::string& kind : kinds) rules.push_back({{"id", kind}});
    const Json driver = {{"name", "kwb"}, {"version", kwb_version()}, {"rules", std::move(rules)}};
    const Json run = {{"tool", {{"driver", driver}}}, {"results", std::move(results)}};
    return dump_json({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}},
                     2) +
           "\n";
}

std::string outcomes_to_json(const std::vector<CiOutcome>& outcomes) {
    Json tests = Json::array();
    for (const CiOutcome& outcome : outcomes) {
        Json sizes = Json::array();
        for (const KernelResult& result : outcome.results)
            sizes.push_back({{"size", to_string(result.size)},
                             {"verdict", to_string(result.verdict)},
                             {"reason", printable(result.reason)},
                             {"seed", result.seed ? Json(*result.seed) : Json()},
                             {"median_ms", result.median_ms ? Json(*result.median_ms) : Json()}});
        Json test = {{"case", outcome.about},
                     {"kernel", outcome.kernel},
                     {"params", outcome.params},
                     {"device", outcome.device},
                     {"outcome", to_string(outcome.state)},
                     {"reason", printable(outcome.reason)},
                     {"seconds", outcome.seconds},
                     {"time_ratio", Json()},
                     {"ci95", Json()},
                     {"sizes", std::move(sizes)}};
        if (outcome.time_ratio) {
            test["time_ratio"] = outcome.time_ratio->value;
            test["ci95"] =
                Json::array({outcome.time_ratio->interval->low, outcome.time_ratio->interval->high});
        }
        tests.push_back(std::move(test));
    }
    return dump_json({{"schema_version", kSchemaVersion}, {"tests", std::move(tests)}}, 2) + "\n";
}

std::string outcome_annotations(const CiOutcome& outcome) {
    std::string text;
    for (const auto& [what, kind] : problems_of(outcome))
        text += fmt::format("::{} file={},line={},col={},title={}::{}\n",
                            what.severity == Severity::Note ? "notice" : to_string(what.severity),
                            command_text(what.file, true), what.line, what.column, command_text(kind, true),
                            command_text(what.message, false));
    return text;
}

}  // namespace kwb
