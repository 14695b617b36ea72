// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "base/text.hpp"
#include "model/json.hpp"
#include "report/documents.hpp"
#include "report/xray_report.hpp"
#include "support/schema_check.hpp"
#include "unit/report/sample.hpp"

using namespace kwb;

// --- json ---

using kwb::test::schema_complaints;

namespace {

std::vector<KernelResult> all_samples() {
    KernelResult skipped;
    skipped.kernel = "cpu:blas";
    KernelResult expected = sample::wrong();
    expected.expected = Expectation{{Verdict::Wrong}, "the edge is not guarded"};
    expected.params.push_back({"WORD", std::string("fast")});
    expected.warnings = {remark("noisy")};
    expected.hints = {{3, "a hint"}};
    expected.error_map = ErrorMap{"C", 1, 1, {0.f}};
    KernelResult few_rounds = sample::tiled();
    few_rounds.ci95_ms.reset();
    few_rounds.speedup->interval.reset();
    few_rounds.gflops = std::numeric_limits<double>::infinity();
    KernelResult dirty = sample::crashed();
    dirty.output = "no UTF-8: \xFF";
    dirty.launches[0].local.clear();
    dirty.launches[0].median_ms.reset();
    return {sample::naive(),    sample::tiled(),   sample::wrong(),
            sample::rejected(), sample::crashed(), skipped,
            expected,           few_rounds,        dirty};
}

nlohmann::json results_document() {
    return nlohmann::json::parse(results_to_json(sample::environment(), all_samples()));
}

}  // namespace

TEST_CASE("every kind of result is as the schema says") {
    CHECK(schema_complaints("results.schema.json", results_document()) == "");
    CHECK(schema_complaints("results.schema.json",
                            nlohmann::json::parse(results_to_json(Environment{}, {}))) == "");
    for (const std::string& verdict : enum_names<Verdict>()) {
        KernelResult result = sample::naive();
        result.verdict = *parse_enum<Verdict>(verdict);
        result.random_check =
            RandomCheck{32, 0x1p-32, verdict == "wrong" ? std::nullopt : std::optional(0.5), 9};
        CHECK(schema_complaints("results.schema.json", nlohmann::json::parse(results_to_json(
                                                           sample::environment(), {result}))) == "");
    }
}

TEST_CASE("the schema finds planted faults") {
    const auto plant = [](auto&& change) {
        nlohmann::json document = results_document();
        change(document);
        return schema_complaints("results.schema.json", document);
    };
    CHECK(plant([](auto& d) { d["results"][0]["medain_ms"] = 1; }) != "");
    CHECK(plant([](auto& d) { d["results"][0].erase("median_ms"); }) != "");
    CHECK(plant([](auto& d) { d["results"][0]["median_ms"] = "fast"; }) != "");
    CHECK(plant([](auto& d) { d["results"][0]["build_ms"] = -1; }) != "");
    CHECK(plant([](auto& d) { d["results"][0]["ci95_ms"] = {1.0}; }) != "");
    CHECK(plant([](auto& d) { d["results"][0]["verdict"] = "fine"; }) != "");
    CHECK(plant([](auto& d) { d["results"][0]["samples_ms"][0] = nullptr; }) != "");
    CHECK(plant([](auto& d) { d["results"][1]["speedup"].erase("ci95"); }) != "");
    CHECK(plant([](auto& d) { d["results"][0]["size"]["M"] = 0; }) != "");
    CHECK(plant([](auto& d) { d["schema_version"] = 2; }) != "");
    CHECK(plant([](auto& d) { d["environment"]["extra"] = ""; }) != "");
}

TEST_CASE("an exported result has the documented keys, in their order") {
    const Json document = parse_json(results_to_json(sample::environment(), {sample::naive()}));
    std::vector<std::string> keys;
    for (const auto& [key, value] : document.at("results").at(0).items()) keys.push_back(key);
    CHECK(join(keys, " ") ==
          "kernel file source_sha256 unsaved problem size seed params launches library device place verdict "
          "expected "
          "reason "
          "finding evidence "
          "build_ms upload_ms download_ms first_run_ms samples_ms median_ms ci95_ms gflops gbytes_s speedup "
          "wrong_elements first_wrong wrong_examples max_error_share random_check kernel_info "
          "diagnostics "
          "hints xray effects hot_loop gpus too_few_rounds warnings warning_findings output log");
}

TEST_CASE("what was not measured is null, not-a-number is a word") {
    const Json document =
        parse_json(results_to_json(sample::environment(), {sample::rejected(), sample::wrong()}));
    const Json& rejected = document.at("results").at(0);
    for (const char* key : {"build_ms", "median_ms", "ci95_ms", "gflops", "speedup", "wrong_elements",
                            "first_wrong", "kernel_info", "expected"})
        CHECK(rejected.at(key).is_null());
    const Json& wrong = document.at("results").at(1);
    CHECK(wrong.at("first_wrong").at("got") == "nan");
    CHECK(wrong.at("max_error_share") == "inf");
}

TEST_CASE("the list of devices is as its schema says") {
    DeviceInfo device;
    device.id = "pocl:0";
    device.max_work_item_sizes = {1, 2, 3};
    const auto document =
        nlohmann::json::parse(devices_to_json({{device}, {{"broken.icd", "It ended with SIGABRT."}}}));
    CHECK(schema_complaints("devices.schema.json", document) == "");
    CHECK(schema_complaints("devices.schema.json", nlohmann::json::parse(devices_to_json({}))) == "");
    auto planted = document;
    planted["devices"][0]["nmae"] = "x";
    CHECK(schema_complaints("devices.schema.json", planted) != "");
}

TEST_CASE("the catalogue is as its schema says, parameters in the order of the file") {
    KernelSpec kernel;
    kernel.name = "matmul/tiled";
    kernel.problem = "matmul";
    kernel.params = {{"TILE", {std::int64_t{16}, std::int64_t{8}}}, {"MODE", {std::string("fast")}}};
    LaunchSpec launch;
    launch.kernel = "matmul_tiled";
    launch.global = {{"round_up(N, TILE)", 9, 1}, {"round_up(M, TILE)", 9, 30}};
    kernel.launches = {launch};
    launch.local = std::vector<Written>{{"TILE", 1, 1}, {"TILE", 1, 1}};
    kernel.launches.push_back(launch);
    const std::string text = kernels_to_json({kernel});
    const auto document = nlohmann::json::parse(text);
    CHECK(schema_complaints("kernels.schema.json", document) == "");
    CHECK(document["kernels"][0]["launch"][0]["local"].is_null());
    CHECK(document["kernels"][0]["launch"][1]["local"][0] == "TILE");
    CHECK(document["kernels"][0]["params"]["TILE"] == nlohmann::json::array({16, 8}));
    CHECK(text.find("TILE") < text.find("MODE"));
    auto planted = document;
    planted["kernels"][0]["launch"][0]["global"] = nlohmann::json::array();
    CHECK(schema_complaints("kernels.schema.json", planted) != "");
}

TEST_CASE("the committed schemas are what the records' descriptions say") {
    const std::pair<const char*, std::string> schemas[] = {{"results.schema.json", results_schema()},
                                                           {"devices.schema.json", devices_schema()},
                                                           {"kernels.schema.json", kernels_schema()},
                                                           {"xray.schema.json", xray_schema()}};
    for (const auto& [name, text] : schemas) {
        // To accept a change: KWB_WRITE_SCHEMAS=$PWD/schema ctest --preset release -R unit_report
        if (const char* folder = std::getenv("KWB_WRITE_SCHEMAS")) {
            write_file(std::filesystem::path(folder) / name, text);
            continue;
        }
        const std::string committed = read_file(std::string(KWB_SCHEMA_DIR) + "/" + name);
        const std::string file = name;
        CAPTURE(file);
        CHECK(committed == text);
    }
}

// --- CSV ---

namespace {

/// A reader of RFC 4180, independent of the writer.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1, {""});
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        std::string& field = rows.back().back();
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            field += '"';
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && c == ',') {
            rows.back().emplace_back();
        } else if (!quoted && c == '\r') {
            REQUIRE(text.at(++i) == '\n');
            rows.push_back({""});
        } else {
            field += c;
        }
    }
    REQUIRE(!quoted);
    REQUIRE(rows.back() == std::vector<std::string>{""});  // the last line ends with a line break
    rows.pop_back();
    return rows;
}

std::vector<std::map<std::string, std::string>> read_records(const std::vector<KernelResult>& results) {
    const auto rows = read_csv(results_to_csv(results));
    std::vector<std::map<std::string, std::string>> records;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        REQUIRE(rows[i].size() == rows[0].size());
        std::map<std::string, std::string> record;
        for (std::size_t j = 0; j < rows[i].size(); ++j) record[rows[0][j]] = rows[i][j];
        REQUIRE(record.size() == rows[0].size());  // column names are unique
        records.push_back(record);
    }
    return records;
}

}  // namespace

TEST_CASE("no text of a CSV file is a formula to a spreadsheet; numbers stay numbers") {
    KernelResult result = sample::wrong();
    result.params = {{"WORD", std::string("=1+1")}, {"NUMBER", std::int64_t{-3}}};
    for (const char* text : {"=cmd|' /C calc'!A0", "+1", "-x", "@SUM(A1)", "\tx", "\r=x"}) {
        result.kernel = result.reason = text;
        const auto record = read_records({result}).at(0);
        CHECK(record.at("kernel").starts_with("'"));
        CHECK(record.at("reason").starts_with("'"));
        CHECK(record.at("param_WORD") == "'=1+1");
        CHECK(record.at("param_NUMBER") == "-3");
    }
}

TEST_CASE("a CSV row holds sizes, parameters and times in full precision") {
    KernelResult result = sample::tiled();
    result.median_ms = 0.1 + 0.2;
    const auto record = read_records({result}).at(0);
    CHECK(record.at("kernel") == "matmul/tiled");
    CHECK(record.at("size_K") == "512");
    CHECK(record.at("param_TILE") == "16");
    CHECK(record.at("local_items") == "16x16");
    CHECK(std::stod(record.at("median_ms")) == 0.1 + 0.2);
    CHECK(record.at("ci95_high_ms") == "2.46");
    CHECK(record.at("speedup_ci95_low") == "4.9");
    CHECK(record.at("rounds") == "6");
}

TEST_CASE("what is missing is an empty field, not-a-number is nan") {
    const auto records = read_records({sample::rejected(), sample::wrong()});
    for (const char* name : {"build_ms", "median_ms", "ci95_low_ms", "gflops", "speedup", "wrong_elements",
                             "first_wrong_got", "param_TILE", "signal"})
        CHECK(records[0].at(name) == "");
    CHECK(records[0].at("stage") == "compile");
    CHECK(records[1].at("first_wrong_index") == "16;0");
    CHECK(records[1].at("first_wrong_got") == "nan");
    CHECK(records[1].at("max_error_share") == "inf");
}

TEST_CASE("commas, quotes, line ends and text that is no UTF-8 survive the trip") {
    KernelResult result = sample::naive();
    result.reason = "a \"quoted\" word, a comma,\nnext line\r\nand another";
    result.kernel = ",";
    result.params = {{"WORD", std::string("\"\"")}};
    result.warnings = {remark("bad \xFF byte")};
    const auto record = read_records({result}).at(0);
    CHECK(record.at("reason") == result.reason);
    CHECK(record.at("kernel") == ",");
    CHECK(record.at("param_WORD") == "\"\"");
    CHECK(record.at("warnings") == "bad \xEF\xBF\xBD byte");
}

TEST_CASE("results of different problems share one header") {
    KernelResult other = sample::naive();
    other.size = {{"n", 9}};
    const auto records = read_records({sample::tiled(), other});
    CHECK(records[0].at("size_n") == "");
    CHECK(records[1].at("size_n") == "9");
    CHECK(records[1].at("size_M") == "");
}

TEST_CASE("no results are a header alone") {
    CHECK(read_csv(results_to_csv({})).size() == 1);
}
