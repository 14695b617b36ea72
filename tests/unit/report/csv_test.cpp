#include "report/results_csv.hpp"

#include <doctest/doctest.h>

#include <map>

#include "unit/report/sample.hpp"

using namespace kwb;

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
    REQUIRE(rows.back() == std::vector<std::string>{""});  // the last line was ended
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
        REQUIRE(record.size() == rows[0].size());  // no column name twice
        records.push_back(record);
    }
    return records;
}

}  // namespace

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
    CHECK(record.at("numpy_allclose") == "true");
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
