// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <random>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "judge/reference/blas_kernels.hpp"
#include "judge/reference/host_blas.hpp"
#include "judge/reference/inputs.hpp"
#include "judge/reference/multiply_add.hpp"
#include "judge/reference/reference.hpp"
#include "judge/verify/output_check.hpp"
#include "model/finding_words.hpp"
#include "sample.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

// A dot product summed in various orders, as in kernels.

using Terms = std::vector<std::pair<float, float>>;

/// The factors of the terms of C[row][column], for A of m x k and B of k x n.
Terms terms_of(const Pass2D& pass, std::int64_t n, std::int64_t k, std::int64_t row, std::int64_t column) {
    Terms terms;
    for (std::int64_t i = 0; i < k; ++i)
        terms.emplace_back(pass.a[static_cast<std::size_t>(row * k + i)],
                           pass.b[static_cast<std::size_t>(i * n + column)]);
    return terms;
}

long double long_double_sum(const Terms& terms) {
    long double sum = 0;
    for (const auto& [a, b] : terms) sum += static_cast<long double>(a) * b;
    return sum;
}

float naive_sum(const Terms& terms) {
    float sum = 0;
    for (const auto& [a, b] : terms) {
        const volatile float product = a * b;  // volatile: rounded separately, no fused operation
        sum += product;
    }
    return sum;
}

float reversed_sum(const Terms& terms) {
    return naive_sum(Terms(terms.rbegin(), terms.rend()));
}

float fused_sum(const Terms& terms) {
    float sum = 0;
    for (const auto& [a, b] : terms) sum = std::fma(a, b, sum);
    return sum;
}

/// Blocks of `block` terms with their own sums, as in vectorised or tiled kernels.
float blocked_sum(const Terms& terms, std::size_t block) {
    float sum = 0;
    for (std::size_t i = 0; i < terms.size(); i += block) {
        const std::size_t end = std::min(terms.size(), i + block);
        sum += fused_sum(Terms(terms.begin() + static_cast<std::ptrdiff_t>(i),
                               terms.begin() + static_cast<std::ptrdiff_t>(end)));
    }
    return sum;
}

float pairwise_sum(const Terms& terms) {
    if (terms.size() <= 2) return naive_sum(terms);
    const auto middle = terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 2);
    return pairwise_sum(Terms(terms.begin(), middle)) + pairwise_sum(Terms(middle, terms.end()));
}

float shuffled_sum(Terms terms, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::shuffle(terms.begin(), terms.end(), random);
    return naive_sum(terms);
}

/// The results of all the methods above.
std::vector<float> all_sums(const Terms& terms, std::uint64_t seed) {
    return {naive_sum(terms),       reversed_sum(terms),    fused_sum(terms),    blocked_sum(terms, 8),
            blocked_sum(terms, 32), blocked_sum(terms, 61), pairwise_sum(terms), shuffled_sum(terms, seed)};
}

}  // namespace

// The double-precision reference and its cache.

TEST_CASE("the reference agrees with a triple loop in long double, exactly in the exact pass") {
    for (const auto& [m, n, k] :
         {std::tuple{1, 1, 1}, {2, 3, 4}, {17, 1, 33}, {1, 19, 64}, {31, 37, 41}, {64, 64, 1}, {5, 7, 2003}})
        for (const Pass pass : {Pass::Exact, Pass::Real}) {
            const auto& shown_m = m;
            CAPTURE(shown_m);
            const auto& shown_n = n;
            CAPTURE(shown_n);
            const auto& shown_k = k;
            CAPTURE(shown_k);
            const Pass2D made = make_pass(matmul(m, n, k), pass, 11);
            const OutputReference& c = made.c();
            REQUIRE(c.expected.size() == static_cast<std::size_t>(m * n));
            CHECK(c.tolerance.is_exact() == (pass == Pass::Exact));
            double worst = 0;
            for (int row = 0; row < m; ++row)
                for (int column = 0; column < n; ++column) {
                    const auto terms = terms_of(made, n, k, row, column);
                    const double truth = static_cast<double>(long_double_sum(terms));
                    const double got = c.expected[static_cast<std::size_t>(row * n + column)];
                    if (pass == Pass::Exact) REQUIRE(got == truth);
                    worst = std::max(worst, std::fabs(got - truth));
                }
            CHECK(worst <= k * 1e-15);
        }
}

TEST_CASE("the host's own library writes a product that passes both passes") {
    const ProblemInstance instance = matmul(33, 65, 129);
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const Pass2D made = make_pass(instance, pass, 5);
        std::vector<std::vector<std::byte>> outputs = {std::vector<std::byte>(33 * 65 * 4)};
        find_solver("matmul")->run_host_library(instance, made.data, outputs);
        const auto got = values_of<float>(outputs[0]);
        for (std::size_t i = 0; i < got.size(); ++i) {
            const double error = std::fabs(got[i] - made.c().expected[i]);
            REQUIRE(error <= (pass == Pass::Exact ? 0.0 : made.c().tolerance.absolute));
        }
    }
}

TEST_CASE("the library's name is told with its version") {
    CHECK(host_blas_name().find("OpenBLAS 0.") == 0);
    CHECK(find_solver("fft") == nullptr);
}

TEST_CASE("of the library's kernels those are chosen that use the whole processor") {
    CHECK(better_blas_kernels("Prescott", VectorLevel::Avx512) == "SkylakeX");
    CHECK(better_blas_kernels("Haswell", VectorLevel::Avx512) == "SkylakeX");
    CHECK(better_blas_kernels("Prescott", VectorLevel::Avx2) == "Haswell");
    CHECK(better_blas_kernels("Nehalem", VectorLevel::Avx) == "Sandybridge");
    // The library has chosen well, or knows kernels of which we do not.
    CHECK(!better_blas_kernels("Zen", VectorLevel::Avx2));
    CHECK(!better_blas_kernels("SkylakeX", VectorLevel::Avx512));
    CHECK(!better_blas_kernels("Cooperlake", VectorLevel::Avx512));
    CHECK(!better_blas_kernels("Zen7", VectorLevel::Avx512));
    CHECK(!better_blas_kernels("neoversen1", std::nullopt));
    CHECK(!better_blas_kernels("Prescott", std::nullopt));
}

TEST_CASE("the library is told which kernels to run before it is loaded again, unless a person has chosen") {
    const char* const chosen = std::getenv("OPENBLAS_CORETYPE");
    const std::string before = chosen == nullptr ? "" : chosen;
    const auto kernels_asked = [](std::string_view taken) {
        std::string asked;
        for (const auto& [name, value] : missing_blas_settings(taken, VectorLevel::Avx512))
            if (name != "OPENBLAS_THREAD_TIMEOUT") asked += name + "=" + value + " ";
        return asked;
    };
    ::unsetenv("OPENBLAS_CORETYPE");
    CHECK(kernels_asked("Prescott") == "OPENBLAS_CORETYPE=SkylakeX KWB_BLAS_REPLACED=Prescott ");
    CHECK(kernels_asked("SkylakeX").empty());
    CHECK(!has(describe_blas_kernels(), "by"));
    ::setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
    CHECK(kernels_asked("Nehalem").empty());
    CHECK(has(describe_blas_kernels(), " kernels by OPENBLAS_CORETYPE=Nehalem"));
    ::setenv("KWB_BLAS_REPLACED", "486", 1);
    CHECK(has(describe_blas_kernels(), " kernels instead of 486, its own choice"));
    ::unsetenv("KWB_BLAS_REPLACED");
    ::unsetenv("OPENBLAS_CORETYPE");
    if (!before.empty()) ::setenv("OPENBLAS_CORETYPE", before.c_str(), 1);
}

TEST_CASE("a library clearly below the processor's multiply-adds is doubted as an anchor") {
    const std::optional<Finding> slow = find_slow_library(0.15);
    REQUIRE(slow);
    CHECK(slow->code == FindingCode::SlowLibrary);
    CHECK(has(words_of(*slow, Face::Terminal).what, "reaches 15 % of the multiply-adds"));
    CHECK(find_slow_library(0.45));  // kernels of half the width
    CHECK(!find_slow_library(0.75));
    CHECK(!find_slow_library(1.1));
    if (const std::uint64_t flops = perform_multiply_adds(1000); flops != 0) {
        CHECK(flops >= 2000);
        CHECK(flops < 2000 + 2 * 12 * 16);
    }
}

TEST_CASE("gamma is n u / (1 - n u) and refuses lengths for which it is no bound") {
    CHECK(gamma_bound(1) == doctest::Approx(0x1p-24).epsilon(1e-6));
    CHECK(gamma_bound(8192) == doctest::Approx(8192 * 0x1p-24 / (1 - 8192 * 0x1p-24)).epsilon(1e-12));
    CHECK_THROWS_AS(gamma_bound(0), ContractError);
    CHECK_THROWS_AS(gamma_bound(0x1p24), ContractError);
}

TEST_CASE("the cache keeps both passes of a run and makes others anew") {
    ReferenceCache cache;
    const auto get = [&](const ProblemInstance& instance, Pass pass, std::uint64_t seed) -> const PassData& {
        return cache.get(*find_solver("matmul"), instance, pass, seed, [] {});
    };
    const ProblemInstance instance = matmul(8, 8, 8);
    const PassData* exact = &get(instance, Pass::Exact, 1);
    const PassData* real = &get(instance, Pass::Real, 1);
    CHECK(exact != real);
    CHECK(&get(instance, Pass::Exact, 1) == exact);
    CHECK(&get(instance, Pass::Real, 1) == real);
    const auto before = exact->inputs.front().value;
    CHECK(get(instance, Pass::Exact, 2).inputs.front().value != before);
    CHECK(get(instance, Pass::Exact, 1).inputs.front().value == before);
    CHECK(get(matmul(8, 8, 9), Pass::Exact, 1).inputs.front().value.size() == 8 * 9 * 4);
}

TEST_CASE("a checkpoint that throws stops the computation, and the cache stays usable") {
    ReferenceCache cache;
    const ProblemInstance instance = matmul(64, 64, 64);
    CHECK_THROWS_AS(
        cache.get(*find_solver("matmul"), instance, Pass::Exact, 1, [] { throw std::runtime_error("stop"); }),
        std::runtime_error);
    CHECK(cache.get(*find_solver("matmul"), instance, Pass::Exact, 1, [] {})
              .outputs.front()
              .value.expected.size() == 64 * 64);
}

// The exact pass: any order of summation gives the same bits, and a single missing term is detected.

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

TEST_CASE("a dropped term shows in the real pass as well, unless it is small: why there are two passes") {
    constexpr std::int64_t k = 8192;
    const Pass2D made = make_pass(matmul(40, 40, k), Pass::Real, 21);
    int hidden = 0;
    for (std::int64_t row = 0; row < 40; ++row)
        for (std::int64_t column = 0; column < 40; ++column) {
            Terms terms = terms_of(made, 40, k, row, column);
            terms.pop_back();
            const auto i = static_cast<std::size_t>(row * 40 + column);
            hidden +=
                std::fabs(naive_sum(terms) - made.c().expected[i]) <= made.c().tolerance.absolute ? 1 : 0;
        }
    CHECK(hidden > 0);
    CHECK(hidden < 160);
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
    CHECK(shown > 100);  // not 200, because the factors are sometimes equal
}

// The real pass: no correct summation exceeds its bound, and the bound is no larger than necessary.

TEST_CASE("no way of summing in float exceeds the bound, for many lengths and seeds") {
    for (const std::int64_t k : {1, 2, 3, 5, 16, 31, 100, 513, 2003, 8192})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            CAPTURE(k);
            CAPTURE(seed);
            const Pass2D made = make_pass(matmul(3, 3, k), Pass::Real, seed);
            for (std::int64_t row = 0; row < 3; ++row)
                for (std::int64_t column = 0; column < 3; ++column) {
                    const auto i = static_cast<std::size_t>(row * 3 + column);
                    const auto bound = made.c().tolerance.absolute;
                    for (const float sum : all_sums(terms_of(made, 3, k, row, column), seed))
                        REQUIRE(std::fabs(sum - made.c().expected[i]) <= bound);
                }
        }
}

TEST_CASE("matrices cut to half precision or bfloat16 are wrong at every length, products in half as well") {
    const auto cut = [](float x, int bits) {
        const auto rounded = std::bit_cast<std::uint32_t>(x) + (1u << (bits - 1));
        return std::bit_cast<float>(rounded & ~((1u << bits) - 1));
    };
    constexpr int kHalfBits = 13, kShortBits = 16;  // digits that are lost
    for (const std::int64_t k : {1, 2, 3, 8, 64, 1024, 8192}) {
        CAPTURE(k);
        const Pass2D made = make_pass(matmul(16, 16, k), Pass::Real, 4);
        int half = 0, brief = 0, products = 0;
        for (std::int64_t row = 0; row < 16; ++row)
            for (std::int64_t column = 0; column < 16; ++column) {
                Terms of_half, of_brief, of_products;
                for (const auto& [a, b] : terms_of(made, 16, k, row, column)) {
                    of_half.emplace_back(cut(a, kHalfBits), cut(b, kHalfBits));
                    of_brief.emplace_back(cut(a, kShortBits), cut(b, kShortBits));
                    of_products.emplace_back(cut(a * b, kHalfBits), 1.0f);
                }
                const auto wrong = [&](const Terms& terms) {
                    const double expected = made.c().expected[static_cast<std::size_t>(row * 16 + column)];
                    return std::fabs(pairwise_sum(terms) - expected) > made.c().tolerance.absolute ? 1 : 0;
                };
                half += wrong(of_half);
                brief += wrong(of_brief);
                products += wrong(of_products);
            }
        CHECK(half > 128);
        CHECK(brief > 192);
        CHECK(products > 96);
    }
}

TEST_CASE("the bound is proportional to the length, and the worst case of short sums") {
    CHECK(product_bound({1, 1, 1}) == gamma_bound(1));
    CHECK(product_bound({1, 1, 2}) == 2 * gamma_bound(2));
    CHECK(product_bound({1, 1, 8192}) == doctest::Approx(std::log(8e9) / 4.5 * 8194 * 0x1p-24));
    CHECK(product_bound({8192, 8192, 8192}) ==
          doctest::Approx(std::log(8e9 * 0x1p26) / 4.5 * 8194 * 0x1p-24));
    CHECK(RandomSumBound(kUniformDeviation, 1)(0x1p24) > RandomSumBound(kUniformDeviation, 1)(0x1p23));
    CHECK_THROWS_AS(RandomSumBound(0, 1), ContractError);
    CHECK_THROWS_AS(RandomSumBound(1, 1)(0), ContractError);
}

// The reference of copies: exactly the input.

TEST_CASE("a copy is what was there, to the bit, in both passes, and the library makes one") {
    const ProblemInstance instance = get_problem("copy").at({{"N", 1009}});
    const BufferSpec& y = *instance.find_buffer("Y");
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const PassData data = find_solver("copy")->make(instance, pass, 5, [] {});
        const OutputReference& reference = data.outputs.front().value;
        CHECK(reference.bound.empty());
        std::vector<std::vector<std::byte>> outputs = {std::vector<std::byte>(y.bytes())};
        find_solver("copy")->run_host_library(instance, data, outputs);
        CHECK(outputs[0] == *find_named(data.inputs, "X"));
        CHECK(check_output(y, outputs[0], reference, poison_pattern(y.type, pass)).wrong == 0);
    }
}

TEST_CASE("numbers from a neighbouring place show in every element of a copy") {
    const ProblemInstance instance = get_problem("copy").at({{"N", 1000}});
    const BufferSpec& y = *instance.find_buffer("Y");
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const PassData data = find_solver("copy")->make(instance, pass, 6, [] {});
        std::vector<float> shifted = values_of<float>(*find_named(data.inputs, "X"));
        std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
        const OutputCheck check =
            check_output(y, bytes_of(shifted), data.outputs.front().value, poison_pattern(y.type, pass));
        CHECK(check.wrong == 1000);
    }
}

// --- judge/verify/output_check.hpp ---

namespace kwb {

TEST_CASE("expected values that are not finite are counted for each output that has some") {
    PassData data;
    data.outputs.push_back({"y", {{1, NAN, INFINITY, -INFINITY}, {}}});
    data.outputs.push_back({"z", {{1, 2, 1e300}, {}}});
    data.outputs.push_back({"w", {{NAN}, {}}});
    const std::vector<std::string> said = describe_unchecked(data, kNoCheckpoint);
    REQUIRE(said.size() == 2);
    CHECK(said[0] ==
          "3 of 4 expected values of y are not finite, and the check there is only for that. Fill the inputs "
          "with other numbers to check more");
    CHECK(said[1].starts_with("1 of 1 expected value of w is not finite"));
}

}  // namespace kwb
