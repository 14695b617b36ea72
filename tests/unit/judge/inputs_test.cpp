// SPDX-License-Identifier: Apache-2.0
#include "judge/reference/inputs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "base/half.hpp"
#include "judge/verify/output_check.hpp"
#include "sample.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

std::vector<float> uniform(std::size_t n, std::uint64_t seed) {
    std::vector<float> values(n);
    fill_uniform<float>(values, seed);
    return values;
}

std::vector<float> integers(std::size_t n, std::uint64_t seed, unsigned magnitude) {
    std::vector<float> values(n);
    fill_integers<float>(values, seed, magnitude);
    return values;
}

constexpr Scalar kScalars[] = {Scalar::Int8,    Scalar::UInt8,   Scalar::Int16,  Scalar::UInt16,
                               Scalar::Int32,   Scalar::UInt32,  Scalar::Int64,  Scalar::UInt64,
                               Scalar::Float16, Scalar::Float32, Scalar::Float64};

}  // namespace

TEST_CASE("integers take every value of their magnitude and sign, and no other") {
    for (const unsigned magnitude : {1u, 2u, 3u, 4u}) {
        CAPTURE(magnitude);
        const auto values = integers(4096, 7, magnitude);
        const std::set<float> seen(values.begin(), values.end());
        std::set<float> wanted;
        for (unsigned i = 1; i <= magnitude; ++i) {
            wanted.insert(static_cast<float>(i));
            wanted.insert(-static_cast<float>(i));
        }
        CHECK(seen == wanted);
    }
}

TEST_CASE("integers are spread evenly over their values") {
    const auto values = integers(80'000, 3, 4);
    for (const float value : {-4.f, -3.f, -2.f, -1.f, 1.f, 2.f, 3.f, 4.f}) {
        CAPTURE(value);
        // 10000 expected for each; the standard deviation of the binomial distribution B(80000, 1/8) is 94.
        const auto n = std::count(values.begin(), values.end(), value);
        CHECK(std::abs(n - 10'000) < 5 * 94);
    }
}

TEST_CASE("uniform numbers fill [-1, 1) evenly") {
    const auto values = uniform(100'000, 5);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    CHECK(*low >= -1.f);
    CHECK(*high < 1.f);
    CHECK(*low < -0.999f);
    CHECK(*high > 0.999f);
    std::vector<int> bins(20);
    for (const float value : values) ++bins[static_cast<std::size_t>((value + 1) * 10)];
    for (const int n : bins) CHECK(std::abs(n - 5000) < 5 * 69);  // sqrt(1e5 * 0.05 * 0.95)
}

TEST_CASE("the same seed gives the same numbers, however many are asked for") {
    const auto few = uniform(10, 42);
    const auto many = uniform(1000, 42);
    CHECK(std::equal(few.begin(), few.end(), many.begin()));
}

TEST_CASE("streams of different seeds and purposes are different numbers") {
    std::set<std::uint64_t> seeds;
    for (const std::uint64_t seed : {0ull, 1ull, 2ull, 0xFFFFFFFFFFFFFFFFull})
        for (const char* purpose : {"", "A", "B", "AB", "BA", "realA", "realB", "exactA", "exactB"})
            seeds.insert(derive_seed(seed, purpose));
    CHECK(seeds.size() == 4 * 9);
    CHECK(uniform(100, derive_seed(1, "A")) != uniform(100, derive_seed(1, "B")));
    CHECK(uniform(100, derive_seed(1, "A")) != uniform(100, derive_seed(2, "A")));
}

TEST_CASE("neighbouring seeds share no numbers, not even moved along") {
    const auto first = uniform(2000, derive_seed(1, "A"));
    const auto second = uniform(2000, derive_seed(2, "A"));
    const std::set<float> seen(first.begin(), first.end());
    const auto shared =
        std::count_if(second.begin(), second.end(), [&](float v) { return seen.contains(v); });
    CHECK(shared < 5);  // 2000 * 2000 / 2^24 = 0.24 expected
}

TEST_CASE("A and B of one run differ, and the passes differ") {
    const auto instance = matmul(16, 16, 16);
    const auto exact = make_pass(instance, Pass::Exact, 1);
    const auto real = make_pass(instance, Pass::Real, 1);
    CHECK(exact.a != exact.b);
    CHECK(real.a != real.b);
    CHECK(exact.a != real.a);
    CHECK(make_pass(instance, Pass::Exact, 2).a != exact.a);
    CHECK(make_pass(instance, Pass::Exact, 1).a == exact.a);
}

TEST_CASE("poison fills one scalar of every type") {
    for (const Scalar scalar : kScalars)
        for (const Pass pass : {Pass::Exact, Pass::Real}) {
            CAPTURE(to_string(ElementType{scalar, 1}));
            CHECK(poison_pattern({scalar, 1}, pass).size() == scalar_bytes(scalar));
        }
}

TEST_CASE("the verifier takes poison of every type as unwritten and wrong, whatever was expected") {
    for (const Scalar scalar : kScalars)
        for (const Pass pass : {Pass::Exact, Pass::Real}) {
            const ElementType type{scalar, 1};
            CAPTURE(to_string(type));
            const auto poison = poison_pattern(type, pass);
            const BufferSpec spec{"C", type, Access::Write, {3}};
            std::vector<std::byte> got;
            for (int i = 0; i < 3; ++i)
                for (const std::uint8_t byte : poison) got.push_back(std::byte{byte});
            const OutputCheck check = check_output(spec, got, {{0, 1, -2}, {}}, poison);
            CHECK(check.wrong == 3);
            CHECK(check.unwritten == 3);
            CHECK(check.not_a_number == 0);
        }
}

TEST_CASE("floating-point poison is a NaN that 0/0 does not make, integer poison differs between passes") {
    float poison = 0;
    std::memcpy(&poison, poison_pattern({Scalar::Float32, 1}, Pass::Real).data(), sizeof poison);
    CHECK(std::isnan(poison));
    volatile float zero = 0;
    const float made = zero / zero;
    CHECK(std::memcmp(&made, &poison, sizeof made) != 0);
    double wide = 0;
    std::memcpy(&wide, poison_pattern({Scalar::Float64, 1}, Pass::Real).data(), sizeof wide);
    CHECK(std::isnan(wide));
    Half half;
    std::memcpy(&half, poison_pattern({Scalar::Float16, 1}, Pass::Real).data(), sizeof half);
    CHECK(std::isnan(static_cast<double>(half)));
    CHECK(poison_pattern({Scalar::Int32, 1}, Pass::Exact) != poison_pattern({Scalar::Int32, 1}, Pass::Real));
}

TEST_CASE("guard bytes depend on their seed and fill zones of every length") {
    for (const std::size_t length : {0u, 1u, 7u, 8u, 9u, 4097u}) {
        std::vector<std::byte> first(length + 1, std::byte{0x11});
        std::vector<std::byte> second(length + 1, std::byte{0x11});
        fill_guard(std::span(first).first(length), {Scalar::UInt8, 1}, 1);
        fill_guard(std::span(second).first(length), {Scalar::UInt8, 1}, 2);
        CHECK(first.back() == std::byte{0x11});
        if (length >= 7) CHECK(first != second);
    }
}

TEST_CASE("every element of a floating-point guard zone is not a number, and no two zones are alike") {
    std::vector<float> floats(1000);
    std::vector<double> doubles(1000);
    fill_guard(std::as_writable_bytes(std::span(floats)), {Scalar::Float32, 1}, 1);
    fill_guard(std::as_writable_bytes(std::span(doubles)), {Scalar::Float64, 1}, 1);
    CHECK(std::ranges::all_of(floats, [](float x) { return std::isnan(x); }));
    CHECK(std::ranges::all_of(doubles, [](double x) { return std::isnan(x); }));

    std::vector<Half> halves(1000);
    fill_guard(std::as_writable_bytes(std::span(halves)), {Scalar::Float16, 4}, 1);
    CHECK(std::ranges::all_of(halves, [](Half x) { return std::isnan(static_cast<double>(x)); }));

    std::vector<float> others(1000);
    fill_guard(std::as_writable_bytes(std::span(others)), {Scalar::Float32, 1}, 2);
    CHECK(std::memcmp(floats.data(), others.data(), sizeof(float) * 1000) != 0);
}
