// SPDX-License-Identifier: Apache-2.0
// The verifier of each problem in the collection: plain loops pass both passes, and injected errors are
// detected.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "judge/verify/output_check.hpp"
#include "sample.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

using Row = std::vector<float>;

/// Data for one pass of a problem.
struct Given {
    ProblemInstance instance;
    Pass pass;
    PassData data;

    Row input(const char* name) const { return values_of<float>(*find_named(data.inputs, name)); }
    std::size_t size(const char* name) const {
        return static_cast<std::size_t>(*find_named(instance.sizes, name));
    }
    const BufferSpec& output() const { return *instance.find_buffer(data.outputs.front().name); }
    const OutputReference& truth() const { return data.outputs.front().value; }
    template <class T>
    OutputCheck check(const std::vector<T>& got) const {
        return check_output(output(), bytes_of(got), truth(), poison_pattern(output().type, pass));
    }
};

/// A plain loop in float. With `faulty`, it drops a term or reads a wrong element.
using Solve = std::function<Row(const Given&, bool faulty)>;

struct Case {
    const char* problem;
    std::vector<Sizes> sizes;
    Solve solve;
    std::size_t faulty_elements;  ///< least number of elements that are wrong in the exact pass
};

Row solve_transpose(const Given& given, bool faulty) {
    const Row a = given.input("A");
    const std::size_t m = given.size("M"), n = given.size("N");
    Row b(m * n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) b[j * m + i] = faulty ? a[j * m + i] : a[i * n + j];
    return b;
}

Row solve_sum(const Given& given, bool faulty) {
    const Row x = given.input("X");
    float sum = 0;
    for (std::size_t i = 0; i + (faulty ? 1 : 0) < x.size(); ++i) sum += x[i];
    return {sum};
}

Row solve_max(const Given& given, bool faulty) {
    Row x = given.input("X");
    if (faulty) x.erase(std::ranges::max_element(x));
    return {*std::ranges::max_element(x)};
}

Row solve_scan(const Given& given, bool faulty) {
    const Row x = given.input("X");
    Row y;
    float sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (faulty) y.push_back(sum);  // exclusive scan
        sum += x[i];
        if (!faulty) y.push_back(sum);
    }
    return y;
}

Row solve_convolution(const Given& given, bool faulty) {
    const Row image = given.input("image"), filter = given.input("filter");
    const std::size_t h = given.size("H"), w = given.size("W"), f = given.size("F");
    Row result;
    for (std::size_t y = 0; y < h; ++y)
        for (std::size_t x = 0; x < w; ++x) {
            float sum = 0;
            for (std::size_t k = 0; k + (faulty ? 1 : 0) < f * f; ++k)
                sum += image[(y + k / f) * (w + f - 1) + x + k % f] * filter[k];
            result.push_back(sum);
        }
    return result;
}

Row solve_stencil(const Given& given, bool faulty) {
    Row from = given.input("X"), to = from;
    const std::size_t h = given.size("H"), w = given.size("W");
    for (std::size_t step = 0; step + (faulty ? 1 : 0) < given.size("S"); ++step) {
        for (std::size_t y = 1; y + 1 < h; ++y)
            for (std::size_t x = 1; x + 1 < w; ++x) {
                const std::size_t at = y * w + x;
                to[at] = (from[at - w] + from[at + w] + from[at - 1] + from[at + 1]) * 0.25f;
            }
        std::swap(from, to);
    }
    return from;
}

Row solve_vector_add(const Given& given, bool faulty) {
    Row a = given.input("A");
    const Row b = given.input("B");
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[faulty ? (i + 1) % b.size() : i];
    return a;
}

Row solve_saxpy(const Given& given, bool faulty) {
    const Row x = given.input("X");
    Row y = given.input("Y");
    const auto alpha = static_cast<float>(std::get<double>(given.instance.find_scalar("alpha")->value));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += (faulty ? 1 : alpha) * x[i];
    return y;
}

std::vector<Sizes> lengths(std::initializer_list<std::int64_t> all) {
    std::vector<Sizes> sizes;
    for (const std::int64_t n : all) sizes.push_back({{"N", n}});
    return sizes;
}

std::vector<Case> all_cases() {
    return {
        {"transpose", {{{"M", 61}, {"N", 127}}, {{"M", 3}, {"N", 2}}}, solve_transpose, 4},
        {"sum", lengths({2, 97, 100003}), solve_sum, 1},
        {"max", lengths({2, 97, 100003}), solve_max, 1},
        {"scan", lengths({2, 97, 100003}), solve_scan, 2},
        {"convolution",
         {{{"H", 13}, {"W", 9}, {"F", 17}}, {{"H", 5}, {"W", 30}, {"F", 2}}, {{"H", 1}, {"W", 1}, {"F", 3}}},
         solve_convolution,
         1},
        {"stencil",
         {{{"H", 13}, {"W", 29}, {"S", 1}}, {{"H", 40}, {"W", 7}, {"S", 10}}, {{"H", 3}, {"W", 3}, {"S", 1}}},
         solve_stencil,
         1},
        {"vector_add", lengths({2, 97, 10007}), solve_vector_add, 2},
        {"saxpy", lengths({2, 97, 10007}), solve_saxpy, 2},
    };
}

Given give(const char* problem, const Sizes& sizes, Pass pass, std::uint64_t seed) {
    Given given{get_problem(problem).at(sizes), pass, {}};
    given.data = find_solver(problem)->make(given.instance, pass, seed, [] {});
    return given;
}

/// Call `step(given, case)` for every problem, size and pass, and several seeds.
void everywhere(const std::function<void(const Given&, const Case&)>& step) {
    for (const Case& one : all_cases())
        for (const Sizes& sizes : one.sizes)
            for (const Pass pass : {Pass::Exact, Pass::Real})
                for (const std::uint64_t seed : {1u, 2u, 77u}) {
                    const std::string at = std::string(one.problem) + " " + to_string(sizes);
                    CAPTURE(at);
                    CAPTURE(seed);
                    step(give(one.problem, sizes, pass, seed), one);
                }
}

float next(float value, float towards) {
    return std::nextafter(value, towards);
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The smallest float above the reference's interval at `i`.
float first_beyond(const OutputReference& truth, std::size_t i) {
    const double limit = truth.expected[i] + (truth.bound.empty() ? truth.tolerance.absolute
                                                                  : static_cast<double>(truth.bound[i]));
    auto value = static_cast<float>(limit);
    while (static_cast<double>(value) > limit) value = next(value, -kInfinity);
    return next(value, kInfinity);
}

}  // namespace

TEST_CASE("a plain loop in float passes the verifier of every problem") {
    everywhere([](const Given& given, const Case& one) {
        const OutputCheck check = given.check(one.solve(given, false));
        CHECK(check.wrong == 0);
        CHECK(check.worst_share <= 1);
        if (given.pass == Pass::Exact) CHECK(given.truth().bound.empty());
    });
}

TEST_CASE("a dropped term or one from a wrong place shows in the exact pass of every problem") {
    everywhere([](const Given& given, const Case& one) {
        if (given.pass != Pass::Exact) return;
        const OutputCheck check = given.check(one.solve(given, true));
        CHECK(check.wrong >= one.faulty_elements);
        CHECK(check.unwritten == 0);
    });
}

TEST_CASE("an element that the kernel did not write shows, whichever it is") {
    everywhere([](const Given& given, const Case& one) {
        Row got = one.solve(given, false);
        std::vector<std::uint8_t> poison = poison_pattern(given.output().type, given.pass);
        for (const std::size_t at : {std::size_t{0}, got.size() / 2, got.size() - 1}) {
            Row holed = got;
            std::memcpy(&holed[at], poison.data(), sizeof(float));
            const OutputCheck check = given.check(holed);
            CHECK(check.wrong == 1);
            CHECK(check.unwritten == 1);
            CHECK(check.first_wrong.front().index == index_of(at, given.output().shape));
        }
    });
}

TEST_CASE("an element one step of a float beyond its bound shows, and the last one within does not") {
    everywhere([](const Given& given, const Case& one) {
        Row got = one.solve(given, false);
        for (const std::size_t at : {std::size_t{0}, got.size() / 2, got.size() - 1}) {
            Row off = got;
            off[at] = first_beyond(given.truth(), at);
            CHECK(given.check(off).wrong == 1);
            off[at] = next(off[at], -kInfinity);
            CHECK(given.check(off).wrong == 0);
        }
    });
}

TEST_CASE("every problem's reference is the same with the same seed, and another with another") {
    for (const Case& one : all_cases())
        for (const Pass pass : {Pass::Exact, Pass::Real}) {
            CAPTURE(one.problem);
            const Given a = give(one.problem, one.sizes[0], pass, 5),
                        b = give(one.problem, one.sizes[0], pass, 5),
                        c = give(one.problem, one.sizes[0], pass, 6);
            CHECK(a.truth().expected == b.truth().expected);
            CHECK(a.data.inputs[0].value == b.data.inputs[0].value);
            CHECK(a.data.inputs[0].value != c.data.inputs[0].value);
        }
}

TEST_CASE("no way of summing a hundred thousand random numbers exceeds the bound of sums and scans") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Given given = give("scan", {{"N", 100003}}, Pass::Real, seed);
        const Row x = given.input("X");
        Row blocked;  // block sums first, as in kernels
        float before = 0;
        for (std::size_t first = 0; first < x.size(); first += 1024) {
            float sum = 0;
            for (std::size_t i = first; i < std::min(first + 1024, x.size()); ++i)
                blocked.push_back(before + (sum += x[i]));
            before += sum;
        }
        CHECK(given.check(blocked).wrong == 0);
        CHECK(given.check(solve_scan(given, false)).worst_share < 0.8);
        CHECK(given.check(solve_scan(given, true)).wrong > 100003 / 2);
    }
}

TEST_CASE("the histogram's counts are those of a loop, and one count more or less, or moved, shows") {
    for (const std::int64_t n : {1, 97, 100003})
        for (const Pass pass : {Pass::Exact, Pass::Real}) {
            const Given given = give("histogram", {{"N", n}}, pass, 3);
            std::vector<std::uint32_t> counts(given.output().elements());
            for (const std::uint32_t x : values_of<std::uint32_t>(*find_named(given.data.inputs, "X")))
                ++counts.at(x);
            CHECK(given.check(counts).wrong == 0);
            for (const std::size_t bin : {std::size_t{0}, std::size_t{100}, counts.size() - 1}) {
                std::vector<std::uint32_t> off = counts;
                ++off[bin];
                CHECK(given.check(off).wrong == 1);
                off[bin] -= 2;
                CHECK(given.check(off).wrong == 1);
            }
            std::rotate(counts.begin(), counts.begin() + 1, counts.end());
            CHECK(given.check(counts).wrong >= 1);
        }
}

TEST_CASE("the numbers of a histogram reach every bin, and are lumped in the real pass") {
    const auto share_of_first_bins = [](Pass pass) {
        const Given given = give("histogram", {{"N", 100003}}, pass, 9);
        const std::vector<double>& counts = given.truth().expected;
        if (pass == Pass::Exact) CHECK(std::ranges::min(counts) > 0);
        double first = 0;
        for (std::size_t bin = 0; bin < 18; ++bin) first += counts[bin];
        return first / 100003;
    };
    CHECK(share_of_first_bins(Pass::Exact) == doctest::Approx(18.0 / 256).epsilon(0.1));
    CHECK(share_of_first_bins(Pass::Real) == doctest::Approx(0.2).epsilon(0.1));
}

TEST_CASE("the host's library transposes a matrix as the reference does") {
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const Given given = give("transpose", {{"M", 61}, {"N", 127}}, pass, 5);
        std::vector<std::vector<std::byte>> outputs = {std::vector<std::byte>(61 * 127 * 4)};
        find_solver("transpose")->run_host_library(given.instance, given.data, outputs);
        CHECK(given.check(values_of<float>(outputs[0])).wrong == 0);
    }
}
