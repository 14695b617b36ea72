// SPDX-License-Identifier: Apache-2.0
// Products checked with random vectors: errors must be found, correct products must pass.
#include "judge/verify/product_probe.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "judge/reference/reference.hpp"
#include "judge/verify/output_check.hpp"
#include "sample.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

constexpr std::int64_t kM = 1100, kN = 1031, kK = 1050;

/// Inputs of a product, its correct result, and the result to be checked.
struct Product {
    explicit Product(Pass pass_of) : pass(pass_of), instance(matmul(kM, kN, kK)) {
        data = find_solver("matmul")->make(instance, pass, 5, kNoCheckpoint, Effort::Least);
        std::vector<std::vector<std::byte>> outputs{std::vector<std::byte>(sizeof(float) * kM * kN)};
        find_solver("matmul")->run_host_library(instance, data, outputs);
        right = values_of<float>(outputs[0]);
    }

    OutputCheck check(const std::vector<float>& got, std::uint64_t secret) const {
        const BufferSpec& spec = *instance.find_buffer("C");
        return check_product(*data.outputs[0].value.probe, pass, spec, std::as_bytes(std::span(got)), data,
                             poison_pattern(spec.type, pass), secret, [] {});
    }

    OutputCheck check_with(const std::function<void(std::vector<float>&)>& plant,
                           std::uint64_t secret = 1) const {
        std::vector<float> got = right;
        plant(got);
        return check(got, secret);
    }

    float term(std::int64_t i, std::int64_t k, std::int64_t j) const {
        const auto a = values_of<float>(*find_named(data.inputs, "A"));
        const auto b = values_of<float>(*find_named(data.inputs, "B"));
        return a[static_cast<std::size_t>(i * kK + k)] * b[static_cast<std::size_t>(k * kN + j)];
    }

    Pass pass;
    ProblemInstance instance;
    PassData data;
    std::vector<float> right;
};

const Product& product(Pass pass) {
    static const Product exact(Pass::Exact), real(Pass::Real);
    return pass == Pass::Exact ? exact : real;
}

std::size_t element_at(std::int64_t row, std::int64_t column) {
    return static_cast<std::size_t>(row * kN + column);
}

using MatrixIndex = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("only products whose full reference costs too much are judged by random vectors") {
    const auto is_probed = [](const ProblemInstance& instance, Effort effort) {
        const PassData data = find_solver("matmul")->make(instance, Pass::Exact, 1, kNoCheckpoint, effort);
        return data.outputs[0].value.probe.has_value();
    };
    CHECK(is_probed(matmul(1024, 1024, 1024), Effort::Least));
    CHECK(!is_probed(matmul(1024, 1024, 1024), Effort::Full));
    CHECK(!is_probed(matmul(1023, 1100, 1024), Effort::Least));  // vectors would cost as much as the product
    CHECK(!make_pass(matmul(512, 512, 512), Pass::Real, 1).c().probe);
}

TEST_CASE("a right product passes, whatever the vectors, and is told what was checked") {
    for (const Pass pass : {Pass::Exact, Pass::Real})
        for (std::uint64_t secret = 1; secret <= 5; ++secret) {
            const OutputCheck check = product(pass).check(product(pass).right, secret);
            CHECK(check.wrong == 0);
            CHECK(check.first_wrong.empty());
            REQUIRE(check.random);
            CHECK(check.random->miss_chance <= 0x1p-32);
            CHECK(check.random->miss_chance > 0);
            CHECK(check.random->vectors >= 2);
            CHECK(check.random->compared_elements >= 256 * 256);
            CHECK(check.random->visible_error.has_value() == (pass == Pass::Real));
            // Far below the elements themselves, whose root mean square is 19.
            if (check.random->visible_error) CHECK(*check.random->visible_error < 0.1);
            CHECK(check.error_map.rows == 256);
            for (const float share : check.error_map.worst_share) REQUIRE((share >= 0 && share <= 1));
        }
}

TEST_CASE("a single wrong element is found wherever it is, with its place and its right value") {
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const Product& p = product(pass);
        std::uint64_t secret = 100;
        for (const auto& [row, column] :
             {std::pair{0, 0}, {0, 1030}, {1099, 0}, {1099, 1030}, {517, 333}, {518, 1}, {7, 1029}}) {
            const float error = pass == Pass::Exact ? 1.0f : -0.5f;
            const OutputCheck check =
                p.check_with([&, at = element_at(row, column)](auto& c) { c[at] += error; }, ++secret);
            CHECK(check.wrong == 1);
            REQUIRE(check.first_wrong.size() == 1);
            CHECK(check.first_wrong[0].index ==
                  MatrixIndex{static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column)});
            CHECK(check.first_wrong[0].expected == doctest::Approx(p.right[element_at(row, column)]));
            CHECK(check.counted_all == (pass == Pass::Exact));
            CHECK(*std::max_element(check.error_map.worst_share.begin(), check.error_map.worst_share.end()) >
                  1);
        }
    }
}

TEST_CASE("a dropped term and exchanged elements are found in the exact pass") {
    const Product& p = product(Pass::Exact);
    const float term = p.term(800, 1049, 12);
    CHECK(p.check_with([&](auto& c) { c[element_at(800, 12)] -= term; }).wrong == 1);
    const OutputCheck exchanged =
        p.check_with([](auto& c) { std::swap(c[element_at(3, 4)], c[element_at(900, 1000)]); });
    CHECK(exchanged.wrong == 2);
    CHECK(exchanged.first_wrong.at(0).index == MatrixIndex{3, 4});
    CHECK(exchanged.first_wrong.at(1).index == MatrixIndex{900, 1000});
}

TEST_CASE("a product of matrices that are taken to be stored column by column is told without computing it") {
    const Product& p = product(Pass::Exact);
    const auto a = values_of<float>(*find_named(p.data.inputs, "A"));
    const auto b = values_of<float>(*find_named(p.data.inputs, "B"));
    std::vector<float> got(p.right.size());  // N rows of M: B as N x K times A as K x M
    for (std::size_t row = 0; row < kN; ++row)
        for (std::size_t term = 0; term < kK; ++term)
            for (std::size_t column = 0; column < kM; ++column)
                got[row * kM + column] += b[row * kK + term] * a[term * kM + column];
    const OutputCheck check = p.check(got, 3);
    REQUIRE(check.pattern);
    CHECK(check.pattern->pattern == WrongPattern::ColumnMajor);
    CHECK(find_wrong(check, *p.instance.find_buffer("C"), "integer").text("pattern") == "column_major");
    got[5] += 1;
    CHECK(!p.check(got, 3).pattern);
    CHECK(!p.check_with([](auto& c) { c[5] += 1; }).pattern);
}

TEST_CASE("errors that cancel each other in sums of a row, of a column and of all are found") {
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const OutputCheck check = product(pass).check_with([](auto& c) {
            c[element_at(40, 50)] += 2;
            c[element_at(40, 70)] -= 2;
            c[element_at(60, 50)] -= 2;
            c[element_at(60, 70)] += 2;
        });
        CHECK(check.wrong == 4);
        CHECK(check.first_wrong.at(0).index == MatrixIndex{40, 50});
    }
}

TEST_CASE("wrong rows and columns are found and, where integers are exact, counted in full") {
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const Product& p = product(pass);
        const OutputCheck row = p.check_with([](auto& c) {
            for (std::int64_t j = 0; j < kN; ++j) c[element_at(1098, j)] += 1;
        });
        CHECK(row.wrong == kN);
        CHECK(row.first_wrong.at(0).index == MatrixIndex{1098, 0});
        const OutputCheck column = p.check_with([](auto& c) {
            for (std::int64_t i = 0; i < kM; ++i) c[element_at(i, 1029)] += 1;
        });
        CHECK(column.wrong == kM);
        CHECK(column.first_wrong.at(0).index == MatrixIndex{0, 1029});
        CHECK(column.counted_all == (pass == Pass::Exact));
        const OutputCheck rows_exchanged = p.check_with([](auto& c) {
            for (std::int64_t j = 0; j < kN; ++j) std::swap(c[element_at(20, j)], c[element_at(21, j)]);
        });
        CHECK(rows_exchanged.wrong > kN);
        CHECK(rows_exchanged.first_wrong.at(0).index[0] == 20);
    }
}

TEST_CASE("what no sum can yield is found in every element without any vector") {
    const float poison = values_of<float>(bytes_of(poison_pattern({Scalar::Float32, 1}, Pass::Exact)))[0];
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const Product& p = product(pass);
        const OutputCheck unwritten = p.check_with([&](auto& c) { c[element_at(5, 6)] = poison; });
        CHECK(unwritten.wrong == 1);
        CHECK(unwritten.unwritten == 1);
        CHECK(unwritten.first_wrong.at(0).index == MatrixIndex{5, 6});
        const OutputCheck infinite = p.check_with([](auto& c) { c[element_at(700, 8)] = INFINITY; });
        CHECK(infinite.wrong == 1);
        CHECK(infinite.not_a_number == 1);
        const OutputCheck nothing = p.check_with([&](auto& c) { std::fill(c.begin(), c.end(), poison); });
        CHECK(nothing.wrong == kM * kN);
        CHECK(nothing.unwritten == kM * kN);
        CHECK(nothing.counted_all);
        CHECK(nothing.first_wrong.size() == kFirstWrong);
        CHECK(nothing.first_wrong.at(1).index == MatrixIndex{0, 1});
    }
    const Product& p = product(Pass::Exact);
    CHECK(p.check_with([](auto& c) { c[element_at(9, 9)] += 0.5f; }).wrong == 1);
    CHECK(p.check_with([](auto& c) { c[element_at(9, 9)] = 1e30f; }).wrong == 1);
    CHECK(p.check_with([](auto& c) { c[element_at(9, 9)] = -std::numeric_limits<float>::max(); }).wrong == 1);
}

TEST_CASE("where more is wrong than is computed in full, the count is a lower bound and says so") {
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const OutputCheck check = product(pass).check_with([](auto& c) {
            for (float& x : c) x += 1;
        });
        CHECK(check.wrong > 1000);
        CHECK(check.wrong < kM * kN);
        CHECK(!check.counted_all);
        CHECK(check.first_wrong.size() == kFirstWrong);
        // The map shows the error everywhere: each cell has a compared element.
        for (const float share : check.error_map.worst_share) REQUIRE(share > 1);
    }
}
