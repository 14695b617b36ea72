// The exact pass: any order of summation gives the same bits, and a single dropped term shows.
#include <doctest/doctest.h>

#include <algorithm>

#include "judge/reference/inputs.hpp"
#include "judge/verify/output_check.hpp"
#include "sample.hpp"
#include "sums.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("every order of summation, fused or not, gives the expected bits in the exact pass") {
    for (const std::int64_t k : {1, 2, 17, 255, 1024, 8192, 65536})
        for (const std::uint64_t seed : {1u, 2u, 99u}) {
            CAPTURE(k);
            CAPTURE(seed);
            const Pass2D made = make_pass(matmul(2, 3, k), Pass::Exact, seed);
            for (std::int64_t row = 0; row < 2; ++row)
                for (std::int64_t column = 0; column < 3; ++column) {
                    const double expected = made.c().expected[static_cast<std::size_t>(row * 3 + column)];
                    for (const float sum : all_sums(terms_of(made, 3, k, row, column), seed))
                        REQUIRE(static_cast<double>(sum) == expected);
                }
        }
}

TEST_CASE("no sum on the way exceeds what a float holds exactly, even if all signs were alike") {
    for (const std::int64_t k : {1, 1'000'000, 1 << 20, (1 << 20) + 1, 1'900'000, 4'200'000, 1 << 24}) {
        CAPTURE(k);
        const Pass2D made = make_pass(matmul(1, 1, k), Pass::Exact, 4);
        double sum = 0;
        float least = 4;
        for (const auto& [a, b] : terms_of(made, 1, k, 0, 0)) {
            sum += std::fabs(static_cast<double>(a) * static_cast<double>(b));
            least = std::min({least, std::fabs(a), std::fabs(b)});
        }
        CHECK(sum <= 0x1p24);
        CHECK(least >= 1);
    }
}

TEST_CASE("a dropped term shows in the exact pass at K = 8192, in every element and wherever it is") {
    constexpr std::int64_t kSide = 8;
    constexpr std::int64_t k = 8192;
    const ProblemInstance instance = matmul(kSide, kSide, k);
    const Pass2D made = make_pass(instance, Pass::Exact, 21);
    const BufferSpec& spec = *instance.find_buffer("C");
    for (const std::size_t dropped : {std::size_t{0}, std::size_t{4095}, std::size_t{8191}}) {
        std::vector<float> got;
        for (std::int64_t row = 0; row < kSide; ++row)
            for (std::int64_t column = 0; column < kSide; ++column) {
                Terms terms = terms_of(made, kSide, k, row, column);
                terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(dropped));
                got.push_back(naive_sum(terms));
            }
        const OutputCheck check =
            check_output(spec, bytes_of(got), made.c(), poison_pattern(spec.type, Pass::Exact));
        CHECK(check.wrong == kSide * kSide);
    }
}

TEST_CASE("the same dropped term hides below the error bound of the real pass: why there are two passes") {
    constexpr std::int64_t k = 8192;
    const Pass2D made = make_pass(matmul(4, 4, k), Pass::Real, 21);
    int hidden = 0;
    for (std::int64_t row = 0; row < 4; ++row)
        for (std::int64_t column = 0; column < 4; ++column) {
            Terms terms = terms_of(made, 4, k, row, column);
            terms.pop_back();
            const auto i = static_cast<std::size_t>(row * 4 + column);
            const double error = std::fabs(naive_sum(terms) - made.c().expected[i]);
            hidden += error <= static_cast<double>(made.c().bound[i]) ? 1 : 0;
        }
    CHECK(hidden > 8);
}

TEST_CASE("two terms with exchanged factors show in the exact pass") {
    // A kernel that reads B[k][n] at the wrong k still multiplies the same magnitudes.
    constexpr std::int64_t k = 64;
    const Pass2D made = make_pass(matmul(1, 200, k), Pass::Exact, 3);
    int shown = 0;
    for (std::int64_t column = 0; column < 200; ++column) {
        Terms terms = terms_of(made, 200, k, 0, column);
        std::swap(terms[3].second, terms[40].second);
        shown += static_cast<double>(naive_sum(terms)) != made.c().expected[static_cast<std::size_t>(column)]
                     ? 1
                     : 0;
    }
    CHECK(shown > 100);  // unless the factors happen to be alike
}
