// SPDX-License-Identifier: Apache-2.0
// The reference of multiply-add chains: closed form compared with the loop, the bound, and which errors it
// detects.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "judge/reference/reference.hpp"
#include "judge/reference/solvers.hpp"
#include "judge/verify/output_check.hpp"
#include "problems/problem.hpp"
#include "sample.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

constexpr std::int64_t kSteps = kFmaChainSteps;

struct Chains {
    ProblemInstance instance;
    PassData data;
    std::vector<float> x;
    float a, b;

    const OutputReference& y() const { return data.outputs.front().value; }
    /// The check of a kernel that wrote `got`.
    OutputCheck check(const std::vector<float>& got, Pass pass) const {
        const BufferSpec& spec = *instance.find_buffer("Y");
        return check_output(spec, bytes_of(got), y(), poison_pattern(spec.type, pass));
    }
};

Chains make_chains(std::int64_t n, Pass pass, std::uint64_t seed) {
    Chains made{get_problem("fma_chain").at({{"N", n}}), {}, {}, 0, 0};
    made.data = find_solver("fma_chain")->make(made.instance, pass, seed, [] {});
    const auto input = [&](const char* name) {
        return values_of<float>(*find_named(made.data.inputs, name));
    };
    made.x = input("X");
    made.a = input("A").at(0);
    made.b = input("B").at(0);
    return made;
}

float fused(float x, float a, float b, std::int64_t steps) {
    for (std::int64_t s = 0; s < steps; ++s) x = std::fma(x, a, b);
    return x;
}

float in_two_steps(float x, float a, float b, std::int64_t steps) {
    for (std::int64_t s = 0; s < steps; ++s) {
        const volatile float product = x * a;  // volatile: rounded, prevents fusing with the addition
        x = product + b;
    }
    return x;
}

template <class Chain>
std::vector<float> run(const Chains& chains, Chain&& chain, std::int64_t steps = kSteps) {
    std::vector<float> got;
    for (const float x : chains.x) got.push_back(chain(x, chains.a, chains.b, steps));
    return got;
}

}  // namespace

TEST_CASE("repeated squaring of a map agrees with a loop in long double for any number of steps") {
    for (const std::int64_t steps : {0, 1, 2, 3, 5, 63, 64, 1000, 4095, 4096})
        for (const auto& [a, b] : {std::pair{0.9998, 1e-4}, {1.0, 3.0}, {-0.9995, 2e-4}}) {
            CAPTURE(steps);
            const auto& shown_a = a;
            CAPTURE(shown_a);
            long double x = 0.625L;
            for (std::int64_t s = 0; s < steps; ++s) x = x * a + b;
            CHECK(repeat_map({a, b}, steps)(0.625) == doctest::Approx(static_cast<double>(x)).epsilon(1e-12));
        }
    CHECK_THROWS_AS(repeat_map({1, 1}, -1), ContractError);
}

TEST_CASE("chains give the expected bits in the exact pass, fused or not") {
    for (const std::uint64_t seed : {1u, 2u, 3u, 99u}) {
        const Chains chains = make_chains(100, Pass::Exact, seed);
        CHECK(chains.y().bound.empty());
        CHECK(chains.check(run(chains, fused), Pass::Exact).wrong == 0);
        CHECK(chains.check(run(chains, in_two_steps), Pass::Exact).wrong == 0);
    }
}

TEST_CASE("chains stay within the bound in the real pass, fused or not") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const Chains chains = make_chains(100, Pass::Real, seed);
        for (const OutputCheck& check : {chains.check(run(chains, fused), Pass::Real),
                                         chains.check(run(chains, in_two_steps), Pass::Real)}) {
            CHECK(check.wrong == 0);
            CHECK(check.worst_share <= 1);
        }
    }
}

TEST_CASE("the bound is gamma_2S of the chain in magnitudes, a little above and never below") {
    const Chains chains = make_chains(50, Pass::Real, 4);
    REQUIRE(chains.y().bound.size() == 50);
    for (std::size_t i = 0; i < chains.x.size(); ++i) {
        long double magnitude = std::fabs(chains.x[i]);
        for (std::int64_t s = 0; s < kSteps; ++s)
            magnitude = magnitude * std::fabs(chains.a) + std::fabs(static_cast<long double>(chains.b));
        const double theory = gamma_bound(2.0 * kSteps) * static_cast<double>(magnitude);
        CHECK(static_cast<double>(chains.y().bound[i]) >= theory);
        CHECK(static_cast<double>(chains.y().bound[i]) <= theory * 1.001);
    }
}

TEST_CASE("a step too few or too many shows in every element of the exact pass") {
    const Chains chains = make_chains(100, Pass::Exact, 8);
    for (const std::int64_t steps : {kSteps - 1, kSteps + 1, kSteps / 2})
        CHECK(chains.check(run(chains, fused, steps), Pass::Exact).wrong == 100);
}

TEST_CASE("a chain without its factor, its summand or its beginning shows") {
    const Chains real = make_chains(100, Pass::Real, 8);
    const auto wrong = [&](auto&& chain) { return real.check(run(real, chain), Pass::Real).wrong; };
    CHECK(wrong([](float x, float, float b, std::int64_t steps) { return fused(x, 1, b, steps); }) == 100);
    CHECK(wrong([](float x, float a, float, std::int64_t steps) { return fused(x, a, 0, steps); }) == 100);
    CHECK(wrong([](float, float a, float b, std::int64_t steps) { return fused(0, a, b, steps); }) >= 98);
}

TEST_CASE("any two values of X in the real pass still differ after all steps: every input matters") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(seed);
        Chains chains = make_chains(2000, Pass::Real, seed);
        std::ranges::sort(chains.x);
        chains.x.erase(std::unique(chains.x.begin(), chains.x.end()), chains.x.end());
        REQUIRE(chains.x.size() > 300);
        for (std::vector<float> ends : {run(chains, fused), run(chains, in_two_steps)}) {
            CHECK(std::ranges::adjacent_find(ends, std::ranges::greater_equal{}) == ends.end());
        }
    }
}

TEST_CASE("no number on the way of a chain is large or denormal") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Chains chains = make_chains(1, Pass::Real, seed);
        CHECK(chains.a > 0.999f);
        CHECK(chains.a < 1);
        CHECK(std::fabs(chains.b) * kSteps >= 0.499f);
        CHECK(std::fabs(chains.b) * kSteps <= 1.001f);
    }
}

TEST_CASE("problems and judge agree on what the host's library can do") {
    for (const Problem* problem : all_problems()) {
        CAPTURE(problem->name());
        REQUIRE(find_solver(problem->name()) != nullptr);
        CHECK(find_solver(problem->name())->has_host_library() == problem->has_host_library());
    }
}

TEST_CASE("the host's library has no routine for chains, and says so rather than nothing") {
    const Chains chains = make_chains(1, Pass::Real, 1);
    std::vector<std::vector<std::byte>> outputs(1);
    CHECK(!find_solver("fma_chain")->has_host_library());
    CHECK_THROWS_AS(find_solver("fma_chain")->run_host_library(chains.instance, chains.data, outputs),
                    ContractError);
}
