#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "base/text.hpp"
#include "model/json.hpp"
#include "report/documents.hpp"
#include "support/schema_check.hpp"
#include "unit/report/sample.hpp"

using namespace kwb;
using kwb::test::schema_complaints;

namespace {

std::vector<KernelResult> all_samples() {
    KernelResult skipped;
    skipped.kernel = "cpu:blas";
    KernelResult expected = sample::wrong();
    expected.expected = Expectation{{Verdict::Wrong}, "the edge is not guarded"};
    expected.params.push_back({"WORD", std::string("fast")});
    expected.warnings = {"noisy"};
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
    CHECK(schema_complaints("results.schema.json", nlohmann::json::parse(results_to_json({}, {}))) == "");
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
          "kernel file source_sha256 unsaved problem size params launches device verdict expected reason "
          "evidence "
          "build_ms upload_ms download_ms first_run_ms samples_ms median_ms ci95_ms gflops gbytes_s speedup "
          "wrong_elements first_wrong wrong_examples max_error_share numpy_allclose random_check kernel_info "
          "diagnostics "
          "hints too_few_rounds warnings output log");
}

TEST_CASE("what was not measured is null, not-a-number is a word") {
    const Json document =
        parse_json(results_to_json(sample::environment(), {sample::rejected(), sample::wrong()}));
    const Json& rejected = document.at("results").at(0);
    for (const char* key : {"build_ms", "median_ms", "ci95_ms", "gflops", "speedup", "wrong_elements",
                            "first_wrong", "kernel_info", "numpy_allclose", "expected"})
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
                                                           {"kernels.schema.json", kernels_schema()}};
    for (const auto& [name, text] : schemas) {
        const std::string committed = read_file(std::string(KWB_SCHEMA_DIR) + "/" + name);
        // To take a change over: KWB_WRITE_SCHEMAS=<source folder>/schema unit_report
        if (const char* folder = std::getenv("KWB_WRITE_SCHEMAS"))
            write_file(std::filesystem::path(folder) / name, text);
        else
            CHECK_MESSAGE(committed == text, name);
    }
}
