// SPDX-License-Identifier: Apache-2.0
// References of the shipped problems with other numbers than their own, against plain loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "judge/reference/reference.hpp"
#include "problems/problem.hpp"

using namespace kwb;

namespace {

/// A run's inputs as doubles, and its correct outputs.
struct Solved {
    Solved(const char* problem, const Sizes& sizes, Pass pass)
        : instance(get_problem(problem).at(sizes)),
          width(instance.buffers.front().type.width),
          data(find_solver(problem)->make(instance, pass, 7, kNoCheckpoint)) {}

    /// Component `c` of an element of an input.
    double in(const char* name, std::size_t element, unsigned c) const {
        const std::vector<std::byte>& bytes = *find_named(data.inputs, name);
        return with_scalar_type(instance.find_buffer(name)->type.scalar, [&]<class T>(T) {
            return static_cast<double>(numbers_in<T>(bytes)[element * width + c]);
        });
    }
    const OutputReference& out(const char* name) const { return *find_named(data.outputs, name); }

    ProblemInstance instance;
    unsigned width;
    PassData data;
};

}  // namespace

TEST_CASE("inputs of every type fill their buffers, and expected values are those of the type") {
    for (const Problem* problem : all_problems())
        for (const char* type : {"double", "int", "uint", "float2", "double4", "int8", "uint16"}) {
            const std::string name = problem->name() + ":" + type;
            if (find_problem(name) == nullptr) continue;
            CAPTURE(name);
            const ProblemInstance instance = find_problem(name)->at(find_problem(name)->square(37));
            for (const Pass pass : {Pass::Exact, Pass::Real}) {
                const PassData data = find_solver(name)->make(instance, pass, 3, kNoCheckpoint);
                for (const BufferSpec& buffer : instance.buffers) {
                    if (buffer.access != Access::Write)
                        CHECK(find_named(data.inputs, buffer.name)->size() == buffer.bytes());
                    if (buffer.access == Access::Read) continue;
                    const OutputReference& output = *find_named(data.outputs, buffer.name);
                    CHECK(output.expected.size() == buffer.elements() * buffer.type.width);
                    CHECK((output.bound.empty() || output.bound.size() == output.expected.size()));
                    if (buffer.type.is_floating()) continue;
                    CHECK(output.bound.empty());
                    CHECK(output.tolerance.is_exact());
                    const bool is_signed = buffer.type.scalar == Scalar::Int32;
                    for (const double value : output.expected) {
                        CHECK(value == std::trunc(value));
                        CHECK(value >= (is_signed ? -0x1p31 : 0));
                        CHECK(value < (is_signed ? 0x1p31 : 0x1p32));
                    }
                }
            }
        }
}

TEST_CASE("products, sums and convolutions agree with plain loops in every component") {
    for (const Pass pass : {Pass::Exact, Pass::Real}) {
        const Solved product("matmul:int2", {{"M", 3}, {"N", 5}, {"K", 4}}, pass);
        const Solved scan("scan:uint4", {{"N", 100}}, pass);
        const Solved filtered("convolution:int", {{"H", 6}, {"W", 7}, {"F", 3}}, pass);
        for (unsigned c = 0; c < 2; ++c)
            for (std::size_t i = 0; i < 15; ++i) {
                double sum = 0;
                for (std::size_t k = 0; k < 4; ++k)
                    sum += product.in("A", i / 5 * 4 + k, c) * product.in("B", k * 5 + i % 5, c);
                CHECK(product.out("C").expected[2 * i + c] == sum);
            }
        for (unsigned c = 0; c < 4; ++c) {
            double sum = 0;
            for (std::size_t i = 0; i < 100; ++i) {
                sum = std::fmod(sum + scan.in("X", i, c), 0x1p32);
                CHECK(scan.out("Y").expected[4 * i + c] == sum);
            }
        }
        for (std::size_t i = 0; i < 42; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < 9; ++j)
                sum += filtered.in("image", (i / 7 + j / 3) * 9 + i % 7 + j % 3, 0) *
                       filtered.in("filter", j, 0);
            CHECK(filtered.out("result").expected[i] == sum);
        }
    }
}

TEST_CASE("doubles are bounded 2^28 times as closely as floats, and need all their digits") {
    for (const char* problem : {"sum", "scan", "matmul", "convolution", "stencil", "saxpy", "fma_chain"}) {
        CAPTURE(problem);
        const Sizes sizes = get_problem(problem).square(8);
        const Solved single(problem, sizes, Pass::Real);
        const Solved twice((std::string(problem) + ":double").c_str(), sizes, Pass::Real);
        const auto bound = [](const Solved& solved) {
            const OutputReference& output = solved.data.outputs.front().value;
            if (output.bound.empty()) return output.tolerance.absolute;
            return static_cast<double>(*std::ranges::max_element(output.bound));
        };
        CHECK(bound(single) > 0);
        CHECK(bound(twice) < bound(single) * 0x1p-26);
        CHECK(bound(twice) > bound(single) * 0x1p-30);
    }
    const Solved copied("copy:double", {{"N", 100}}, Pass::Real);
    for (const double value : copied.out("Y").expected)
        CHECK(value != static_cast<double>(static_cast<float>(value)));
}

TEST_CASE("signed sums need more digits than a float has, terms more than 16 bits, and nothing overflows") {
    const auto most = [](std::span<const double> values) {
        double found = 0;
        for (const double value : values) found = std::max(found, std::fabs(value));
        return found;
    };
    for (const std::int64_t k : {2, 3, 37, 1000, 100'003}) {
        CAPTURE(k);
        const Solved product("matmul:int", {{"M", 3}, {"N", 4}, {"K", k}}, Pass::Real);
        std::vector<double> a, b;
        for (std::size_t i = 0; i < 3 * static_cast<std::size_t>(k); ++i) a.push_back(product.in("A", i, 0));
        for (std::size_t i = 0; i < 4 * static_cast<std::size_t>(k); ++i) b.push_back(product.in("B", i, 0));
        CHECK(most(a) > 0x1p16);
        CHECK(most(b) > 0x1p16);
        CHECK(most(product.out("C").expected) > 0x1p25);
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 4; ++column) {
                double magnitudes = 0;
                for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i)
                    magnitudes += std::fabs(a[row * static_cast<std::size_t>(k) + i] * b[4 * i + column]);
                CHECK(magnitudes < 0x1p31);
            }
    }
    for (const std::int64_t n : {1, 5, 100, 100'003}) {
        CAPTURE(n);
        const Solved sum("sum:int", {{"N", n}}, Pass::Exact);
        double magnitudes = 0;
        std::vector<double> x;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) x.push_back(sum.in("X", i, 0));
        for (const double value : x) magnitudes += std::fabs(value);
        CHECK(most(x) > 0x1p25);
        CHECK(magnitudes < 0x1p31);
    }
    for (const std::int64_t f : {1, 2, 17, 255}) {
        CAPTURE(f);
        const Solved filtered("convolution:int", {{"H", 3}, {"W", 2}, {"F", f}}, Pass::Exact);
        const auto edge = static_cast<std::size_t>(f);
        double magnitudes = 0, image = 0, filter = 0;
        for (std::size_t i = 0; i < edge * edge; ++i) {
            const double pixel = std::fabs(filtered.in("image", i / edge * (edge + 1) + i % edge, 0));
            const double factor = std::fabs(filtered.in("filter", i, 0));
            magnitudes += pixel * factor;
            image = std::max(image, pixel);
            filter = std::max(filter, factor);
        }
        CHECK(image > 32'767);
        CHECK(filter > 32'767);
        CHECK(magnitudes < 0x1p31);
    }
}

TEST_CASE("each component of a vector has numbers of its own") {
    const Solved copied("copy:float4", {{"N", 100}}, Pass::Exact);
    for (unsigned c = 1; c < 4; ++c) CHECK(copied.in("X", 0, c) != copied.in("X", 0, 0));
    CHECK(!find_solver("copy:double")->has_host_library());
    CHECK(find_solver("copy")->has_host_library());
}
