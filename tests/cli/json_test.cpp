// SPDX-License-Identifier: Apache-2.0
// --json and --csv.
#include <algorithm>
#include <cmath>

#include "base/file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "cli/kwb.hpp"
#include "support/schema_check.hpp"

using namespace kwb;
using namespace kwb::test;
using nlohmann::json;

namespace {

/// Check the properties of a timed result.
void check_times(const json& result, std::size_t rounds) {
    CAPTURE(result["kernel"].get<std::string>());
    REQUIRE(result["verdict"] == "correct");
    auto samples = result["samples_ms"].get<std::vector<double>>();
    REQUIRE(samples.size() == rounds);
    std::sort(samples.begin(), samples.end());
    const double median = result["median_ms"];
    CHECK(median == doctest::Approx((samples[(rounds - 1) / 2] + samples[rounds / 2]) / 2));
    if (rounds < 6) {
        CHECK(result["ci95_ms"].is_null());
    } else {
        CHECK(result["ci95_ms"][0].get<double>() <= median);
        CHECK(median <= result["ci95_ms"][1].get<double>());
    }
    const double m = result["size"]["M"];
    const double n = result["size"]["N"];
    const double k = result["size"]["K"];
    CHECK(result["gflops"].get<double>() == doctest::Approx(2 * m * n * k / (median * 1e6)));
    CHECK(result["gbytes_s"].get<double>() == doctest::Approx(4 * (m * k + k * n + m * n) / (median * 1e6)));
    CHECK(result["first_run_ms"].get<double>() > 0);
    CHECK(result["wrong_elements"] == 0);
    CHECK(result["first_wrong"].is_null());
    CHECK(result["evidence"].is_null());
    CHECK(result["expected"].is_null());
    CHECK(result["max_error_share"].get<double>() < 1);
}

}  // namespace

TEST_CASE("the JSON of a run is as its schema says, and its numbers agree with each other") {
    const json document = kwb_json({"run", "matmul/naive", "matmul/tiled", "cpu:blas", "--size", "33x17x9",
                                    "--rounds", "7", "--json", "-"});
    CHECK(schema_complaints("results.schema.json", document) == "");
    REQUIRE(document["results"].size() == 3);
    for (const json& result : document["results"]) {
        check_times(result, 7);
        CHECK(result["size"] == json{{"M", 33}, {"N", 17}, {"K", 9}});
    }
    const json& naive = document["results"][0];
    const json& tiled = document["results"][1];
    const json& blas = document["results"][2];
    CHECK(naive["kernel"] == "matmul/naive");
    CHECK(naive["source_sha256"] == sha256_hex(kernel_source("matmul/01_naive.cl")));
    CHECK(naive["source_sha256"] == sha256_hex(read_file(naive["file"].get<std::string>())));
    CHECK(naive["launches"][0]["kernel"] == "matmul_naive");
    CHECK(naive["launches"][0]["global"] == json{32, 48});
    CHECK(naive["launches"][0]["local"] == json{16, 16});
    CHECK(naive["speedup"].is_null());
    CHECK(naive["build_ms"].get<double>() > 0);
    CHECK(naive["kernel_info"]["work_group_size"].get<int>() > 0);
    CHECK(tiled["params"] == json{{"TILE", 16}});
    CHECK(tiled["kernel_info"]["local_mem_bytes"].get<int>() >= 2 * 16 * 16 * 4);
    CHECK(blas["source_sha256"] == "");
    CHECK(blas["build_ms"].is_null());
    CHECK(has(blas["library"], " kernels"));
    CHECK(tiled["library"].is_null());
    for (const json* result : {&tiled, &blas}) {
        const json& speedup = (*result)["speedup"];
        CHECK(speedup["to"] == "matmul/naive");
        CHECK(speedup["ci95"][0].get<double>() <= speedup["value"].get<double>());
        CHECK(speedup["value"].get<double>() <= speedup["ci95"][1].get<double>());
    }
    const json& environment = document["environment"];
    for (const char* key : {"device", "platform", "driver", "opencl_c", "host_cpu", "sandbox"})
        CHECK(environment[key] != "");
    CHECK(environment["kwb_version"] == KWB_VERSION);
}

TEST_CASE("below six rounds an interval is missing, not invented") {
    const json document = kwb_json({"run", "matmul/naive", "matmul/tiled", "--size", "24", "--rounds", "5",
                                    "--baseline", "matmul/tiled", "--json", "-"});
    for (const json& result : document["results"]) check_times(result, 5);
    CHECK(document["results"][1]["speedup"].is_null());
    CHECK(document["results"][0]["speedup"]["to"] == "matmul/tiled");
    CHECK(document["results"][0]["speedup"]["ci95"].is_null());
    CHECK(document["results"][0]["too_few_rounds"].is_object());
}

TEST_CASE("the JSON of a sweep has a result for each kernel at each size") {
    const json document = kwb_json(
        {"sweep", "matmul/naive", "matmul/tiled", "--sizes", "16,24", "--rounds", "2", "--json", "-"});
    CHECK(schema_complaints("results.schema.json", document) == "");
    REQUIRE(document["results"].size() == 4);
    CHECK(document["results"][0]["size"]["K"] == 16);
    CHECK(document["results"][3]["size"]["K"] == 24);
    for (const json& result : document["results"]) check_times(result, 2);
}

TEST_CASE("the JSON of a check has no times") {
    const json document = kwb_json({"check", "matmul/naive", "--size", "17", "--json", "-"});
    CHECK(schema_complaints("results.schema.json", document) == "");
    REQUIRE(document["results"].size() == 1);
    const json& result = document["results"][0];
    CHECK(result["verdict"] == "correct");
    CHECK(result["samples_ms"] == json::array());
    for (const char* key : {"median_ms", "ci95_ms", "gflops", "gbytes_s", "speedup"})
        CHECK(result[key].is_null());
}

TEST_CASE("what was not measured of a kernel that does not compile is null") {
    const TempFolder folder;
    const auto file = folder.write("bad.cl", replaced(kernel_source("matmul/01_naive.cl"), "0.0f", "0.0f ("));
    const json document = kwb_json({"run", file.string(), "--size", "16", "--json", "-"}, 1);
    CHECK(schema_complaints("results.schema.json", document) == "");
    const json& result = document["results"][0];
    CHECK(result["verdict"] == "compile_error");
    for (const char* key :
         {"median_ms", "ci95_ms", "gflops", "first_run_ms", "wrong_elements", "kernel_info"})
        CHECK(result[key].is_null());
    REQUIRE(result["diagnostics"].size() >= 1);
    CHECK(result["diagnostics"][0]["severity"] == "error");
    CHECK(result["diagnostics"][0]["file"] == file.string());
}

TEST_CASE("the JSON of devices and kernels is as their schemas say") {
    const json devices = kwb_json({"devices", "--json", "-"});
    CHECK(schema_complaints("devices.schema.json", devices) == "");
    CHECK(devices["devices"][0]["id"] == "pocl:0");
    const json kernels = kwb_json({"kernels", "--json", "-"});
    CHECK(schema_complaints("kernels.schema.json", kernels) == "");
    const json& listed = kernels["kernels"];
    const auto tiled =
        std::ranges::find_if(listed, [](const json& k) { return k["name"] == "matmul/tiled"; });
    REQUIRE(tiled != listed.end());
    CHECK((*tiled)["params"]["TILE"] == json{16, 8, 32});
}

TEST_CASE("a file gets the JSON while standard output keeps the table") {
    const TempFolder folder;
    const std::string file = (folder.path() / "out.json").string();
    CHECK_TELLS(run_kwb({"run", "matmul/naive", "--size", "16", "--rounds", "1", "--json", file}), 0,
                "matmul/naive", "correct");
    CHECK(schema_complaints("results.schema.json", json::parse(read_file(file))) == "");
}

TEST_CASE("--csv - leaves nothing but CSV on standard output, a row a result") {
    const Finished finished =
        run_kwb({"run", "matmul/naive", "matmul/tiled", "--size", "33x17x9", "--rounds", "6", "--csv", "-"});
    CHECK(finished.exit_code == 0);
    CHECK(finished.err == "");
    const std::vector<std::string> lines = split_lines(finished.out);
    REQUIRE(lines.size() == 3);
    const std::vector<std::string> header = split(lines[0], ',');
    const auto field = [&](std::size_t row, const std::string& name) {
        const auto at = std::find(header.begin(), header.end(), name);
        REQUIRE(at != header.end());
        const std::vector<std::string> fields = split(lines[row], ',');
        return fields.at(static_cast<std::size_t>(at - header.begin()));
    };
    CHECK(field(1, "kernel") == "matmul/naive");
    CHECK(field(1, "size_M") == "33");
    CHECK(field(1, "param_TILE") == "");
    CHECK(field(2, "param_TILE") == "16");
    CHECK(field(1, "verdict") == "correct");
    CHECK(field(1, "rounds") == "6");
    CHECK(field(1, "speedup") == "");
    CHECK(std::stod(field(2, "ci95_low_ms")) <= std::stod(field(2, "median_ms")));
    CHECK(field(2, "speedup_to") == "matmul/naive");
}
