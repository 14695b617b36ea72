// The double-precision reference and its cache.
#include "judge/reference/reference.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <tuple>

#include "base/error.hpp"
#include "judge/reference/error_bounds.hpp"
#include "judge/reference/host_blas.hpp"
#include "sample.hpp"
#include "sums.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("the reference agrees with a triple loop in long double, exactly in the exact pass") {
    for (const auto& [m, n, k] :
         {std::tuple{1, 1, 1}, {2, 3, 4}, {17, 1, 33}, {1, 19, 64}, {31, 37, 41}, {64, 64, 1}, {5, 7, 2003}})
        for (const Pass pass : {Pass::Exact, Pass::Real}) {
            CAPTURE(m);
            CAPTURE(n);
            CAPTURE(k);
            const Pass2D made = make_pass(matmul(m, n, k), pass, 11);
            const OutputReference& c = made.c();
            REQUIRE(c.expected.size() == static_cast<std::size_t>(m * n));
            CHECK(c.bound.empty() == (pass == Pass::Exact));
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
            REQUIRE(error <= (pass == Pass::Exact ? 0.0 : static_cast<double>(made.c().bound[i])));
        }
    }
}

TEST_CASE("the library's name is told with its version") {
    CHECK(host_blas_name().find("OpenBLAS 0.") == 0);
    CHECK(find_solver("fft") == nullptr);
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
