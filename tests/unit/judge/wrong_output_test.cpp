// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "judge/verify/unset_output.hpp"
#include "judge/verify/wrong_pattern.hpp"

// --- patterns of wrong elements ---

using namespace kwb;

namespace {

/// The product of two matrices of small integers, or any other numbers, and what a kernel made of it.
struct Sample {
    std::size_t rows, columns;
    std::vector<double> expected, got;
    std::vector<float> a = {}, b = {};
    std::size_t terms = 0;
    double bound = 0;

    WrongOutput output() const {
        const auto is_wrong = [this](std::size_t i) { return !(std::fabs(got[i] - expected[i]) <= bound); };
        return {expected.size(),
                columns,
                [this](std::size_t i) { return got[i]; },
                [this](std::size_t i) { return expected[i]; },
                [this](std::size_t) { return bound; },
                is_wrong};
    }
    std::optional<FoundPattern> find() const { return find_wrong_pattern(output(), kNoCheckpoint); }
    std::optional<FoundPattern> find_terms() const {
        return find_wrong_terms(output(), {a, b, terms}, kNoCheckpoint);
    }
    std::optional<FoundPattern> find_any() const {
        auto found = find();
        return found || terms == 0 ? found : find_terms();
    }
};

/// Columns of 0: a vector.
Sample random_numbers(std::size_t rows, std::size_t columns, unsigned seed, int most = 9) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> digits(-most, most);
    Sample sample{rows, columns, {}, {}};
    for (std::size_t i = 0; i < rows * std::max<std::size_t>(columns, 1); ++i)
        sample.expected.push_back(digits(random));
    sample.got = sample.expected;
    return sample;
}

/// @param first, end  the terms that the kernel adds up
Sample product(std::size_t m, std::size_t n, std::size_t k, std::size_t first, std::size_t end,
               unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> digits(-4, 4);
    Sample sample{m, n, std::vector<double>(m * n), std::vector<double>(m * n)};
    sample.terms = k;
    for (std::size_t i = 0; i < m * k; ++i) sample.a.push_back(static_cast<float>(digits(random)));
    for (std::size_t i = 0; i < k * n; ++i) sample.b.push_back(static_cast<float>(digits(random)));
    for (std::size_t i = 0; i < m * n; ++i)
        for (std::size_t t = 0; t < k; ++t) {
            const double term =
                static_cast<double>(sample.a[i / n * k + t]) * static_cast<double>(sample.b[t * n + i % n]);
            sample.expected[i] += term;
            if (t >= first && t < end) sample.got[i] += term;
        }
    return sample;
}

void expect(const std::optional<FoundPattern>& found, WrongPattern pattern,
            const NamedList<double>& numbers) {
    REQUIRE(found);
    CHECK(found->pattern == pattern);
    CHECK(found->numbers == numbers);
}

}  // namespace

TEST_CASE("a result in the order of columns is transposed, square or not") {
    for (const auto& [rows, columns] : {std::pair{16u, 16u}, {5u, 9u}, {40u, 3u}}) {
        Sample sample = random_numbers(rows, columns, 1);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < columns; ++c)
                sample.got[c * rows + r] = sample.expected[r * columns + c];
        expect(sample.find(), WrongPattern::Transposed, {});
        sample.got[7] += 1;
        CHECK(!sample.find());
    }
}

TEST_CASE("a result that is shifted by a place or a row is told with its direction") {
    for (const std::ptrdiff_t by : {-1, 1, -12, 12}) {
        CAPTURE(by);
        Sample sample = random_numbers(20, 12, 2);
        const auto count = static_cast<std::ptrdiff_t>(sample.got.size());
        for (std::ptrdiff_t i = 0; i < count; ++i)
            sample.got[static_cast<std::size_t>(i)] =
                i + by < 0 || i + by >= count ? 1000 : sample.expected[static_cast<std::size_t>(i + by)];
        expect(sample.find(), WrongPattern::Shifted,
               {{"by", by < 0 ? -1.0 : 1.0}, {"rows", std::abs(by) == 1 ? 0.0 : 1.0}});
        sample.got[100] += 1;
        CHECK(!sample.find());
    }
    Sample vector = random_numbers(50, 0, 3);
    std::shift_right(vector.got.begin(), vector.got.end(), 1);
    expect(vector.find(), WrongPattern::Shifted, {{"by", -1}, {"rows", 0}});
}

TEST_CASE("a factor is told if elements of different size have it") {
    for (const double factor : {2.0, -1.0, 0.25}) {
        Sample sample = random_numbers(8, 8, 4);
        for (double& value : sample.got) value *= factor;
        expect(sample.find(), WrongPattern::Scaled, {{"factor", factor}});
        sample.got.back() += 1;
        CHECK(!sample.find());
    }
    Sample flat = random_numbers(8, 8, 5);
    std::ranges::fill(flat.expected, 4);
    std::ranges::fill(flat.got, 6);  // 1.5 times as much, or 2 more, or anything
    CHECK(!flat.find());
}

TEST_CASE("missing rows, columns and elements at the edges are told, also together") {
    Sample sample = random_numbers(20, 30, 6);
    const auto spoil = [&](std::size_t row, std::size_t column) { sample.got[row * 30 + column] = NAN; };
    for (std::size_t c = 0; c < 30; ++c) spoil(19, c);
    expect(sample.find(), WrongPattern::AtEdges, {{"last_rows", 1}});
    for (std::size_t r = 0; r < 20; ++r)
        for (std::size_t c = 26; c < 30; ++c) spoil(r, c);
    expect(sample.find(), WrongPattern::AtEdges, {{"last_rows", 1}, {"last_columns", 4}});
    for (std::size_t r = 0; r < 20; ++r) spoil(r, 0);
    expect(sample.find(), WrongPattern::AtEdges,
           {{"last_rows", 1}, {"first_columns", 1}, {"last_columns", 4}});
    spoil(7, 7);
    CHECK(!sample.find());

    Sample vector = random_numbers(100, 0, 7);
    for (std::size_t i = 90; i < 100; ++i) vector.got[i] = 0;
    vector.expected[95] = 0;  // right by chance
    vector.got[90] = 100;
    expect(vector.find(), WrongPattern::AtEdges, {{"last_elements", 10}});
    vector.got[20] = 100;
    CHECK(!vector.find());
}

TEST_CASE("more than half of the rows are no edge, and all zeros are said to be zeros") {
    Sample sample = random_numbers(10, 10, 8);
    for (std::size_t i = 30; i < 100; ++i) sample.got[i] = 0;
    expect(sample.find(), WrongPattern::Zeros, {});
    std::ranges::fill(sample.got, 0);
    expect(sample.find(), WrongPattern::Zeros, {});
}

TEST_CASE("a product of matrices that are taken to be stored column by column is told, square or not") {
    for (const auto& [m, n, k] : {std::tuple{16u, 16u, 16u}, {5u, 9u, 7u}, {40u, 3u, 1u}, {3u, 40u, 12u}}) {
        Sample sample = product(m, n, k, 0, k, 2);
        for (std::size_t row = 0; row < m; ++row)
            for (std::size_t column = 0; column < n; ++column) {
                double sum = 0;
                for (std::size_t t = 0; t < k; ++t)
                    sum += static_cast<double>(sample.a[row + t * m]) *
                           static_cast<double>(sample.b[t + column * k]);
                sample.got[row + column * m] = sum;
            }
        const Factors factors{sample.a, sample.b, k};
        CHECK(is_column_major(sample.output(), factors, kNoCheckpoint));
        sample.got[7] += 1;
        CHECK(!is_column_major(sample.output(), factors, kNoCheckpoint));
        sample.got = sample.expected;  // nothing is wrong
        CHECK(!is_column_major(sample.output(), factors, kNoCheckpoint));
    }
}

TEST_CASE("a product that lacks terms at an end tells how many") {
    for (const std::size_t missing : {1u, 4u, 36u}) {
        expect(product(12, 10, 37, 0, 37 - missing, 9).find_any(), WrongPattern::EarlyEnd,
               {{"missing", static_cast<double>(missing)}, {"terms", 37}});
        expect(product(12, 10, 37, missing, 37, 10).find_any(), WrongPattern::LateStart,
               {{"missing", static_cast<double>(missing)}, {"terms", 37}});
    }
    Sample middle = product(12, 10, 37, 5, 30, 11);
    CHECK(!middle.find_any());
    Sample one_off = product(12, 10, 37, 0, 33, 12);
    one_off.got.back() += 1;
    CHECK(!one_off.find_any());
}

TEST_CASE("a product that adds its first or last term twice is told") {
    for (const bool first : {true, false}) {
        Sample sample = product(12, 10, 8, 0, 8, 13);
        for (std::size_t i = 0; i < sample.got.size(); ++i) {
            const std::size_t term = first ? 0 : 7;
            sample.got[i] += static_cast<double>(sample.a[i / 10 * 8 + term]) *
                             static_cast<double>(sample.b[term * 10 + i % 10]);
        }
        expect(sample.find_any(), first ? WrongPattern::FirstTwice : WrongPattern::LastTwice, {});
    }
}

TEST_CASE("few wrong elements have no pattern, whatever they fit") {
    Sample sample = random_numbers(7, 7, 14);
    for (std::size_t i = 42; i < 49; ++i) sample.got[i] = 0;  // the last row
    CHECK(!sample.find());
    Sample one = random_numbers(1, 1, 15);
    one.got[0] = 2 * one.expected[0] + 1;
    CHECK(!one.find());
}

TEST_CASE("random errors have no pattern, few or many, small or large") {
    std::mt19937 random(16);
    for (unsigned trial = 0; trial < 3000; ++trial) {
        const std::size_t rows = 1 + random() % 24, columns = 2 + random() % 24, k = 2 + random() % 20;
        const int largest = 1 + static_cast<int>(random() % 20);
        Sample sample = trial % 2 == 0 ? product(rows, columns, k, 0, k, trial)
                                       : random_numbers(rows, trial % 4 == 1 ? columns : 0, trial, largest);
        const auto one_in = static_cast<unsigned>(1 + random() % 30);
        std::uniform_int_distribution<int> error(-largest, largest);
        std::size_t wrong = 0;
        for (double& value : sample.got)
            if (random() % one_in == 0) {
                value += error(random);
                ++wrong;
            }
        // Rows that are all wrong by chance are all wrong nonetheless: only tiny outputs have some.
        if (sample.expected.size() < 40) continue;
        CAPTURE(trial);
        CAPTURE(wrong);
        const auto found = sample.find_any();
        CHECK_MESSAGE(!found, to_string(found ? found->pattern : WrongPattern::Zeros));
    }
}

// --- elements that nobody wrote ---

namespace {

/// A kernel of four floats or ints, as a function of what its output holds before the run.
template <class T>
struct Kernel {
    std::function<void(std::vector<T>&)> run;
    std::vector<T> right;
    std::vector<std::uint8_t> poison;
    int runs = 0;

    std::vector<std::byte> from(const std::vector<std::uint8_t>& pattern) {
        ++runs;
        std::vector<T> values(right.size());
        for (T& value : values) std::memcpy(&value, pattern.data(), sizeof value);
        run(values);
        std::vector<std::byte> bytes(values.size() * sizeof(T));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        return bytes;
    }

    std::optional<std::uint64_t> count() {
        const std::vector<std::byte> first = from(poison);
        const auto is_right = [&](std::span<const std::byte> bytes) {
            return std::memcmp(bytes.data(), right.data(), bytes.size()) == 0;
        };
        return count_dependent(
            {[&](const auto& pattern) { return std::optional(from(pattern)); }, poison, is_right},
            std::is_same_v<T, float> ? Scalar::Float32 : Scalar::Int32, first);
    }
};

const std::vector<std::uint8_t> kNanPoison = {0xAD, 0xDE, 0xC0, 0x7F};
const std::vector<std::uint8_t> kIntPoison = {0xA5, 0xA5, 0xA5, 0xA5};

Kernel<float> floats(std::function<void(std::vector<float>&)> run) {
    return {std::move(run), {3, -4, 5, 6}, kNanPoison};
}
Kernel<int> ints(std::function<void(std::vector<int>&)> run) {
    return {std::move(run), {3, -4, 5, 6}, kIntPoison};
}

}  // namespace

TEST_CASE("a sum into an uncleared output is told from not writing, by floats and by ints") {
    const auto add = [](auto& c) {
        const int sums[] = {3, -4, 5, 6};
        for (std::size_t i = 0; i < 4; ++i) c[i] += static_cast<std::decay_t<decltype(c[0])>>(sums[i]);
    };
    CHECK(floats(add).count() == 0);
    CHECK(ints(add).count() == 0);
    CHECK(!floats([](auto&) {}).count());
    CHECK(!ints([](auto&) {}).count());
}

TEST_CASE("it does not matter what a device makes of the payload of a NaN") {
    for (const std::uint32_t bits : {0x7fffffffu, 0xffc00000u, 0x7fc0deadu}) {
        CHECK(floats([&](auto& c) {
                  const float sums[] = {3, -4, 5, 6};
                  for (std::size_t i = 0; i < 4; ++i)
                      c[i] = c[i] != c[i] ? std::bit_cast<float>(bits) : c[i] + sums[i];
              }).count() == 0);
    }
}

TEST_CASE("a sum that is wrong from zeros, too, still depends on what was there") {
    CHECK(floats([](auto& c) {
              c[0] += 100;
              c[1] += 100;
          }).count() == 2);
}

TEST_CASE("elements that are left alone where 0 is expected need a cleared output") {
    Kernel<float> sparse = floats([](auto& c) { c[0] = 3; });
    sparse.right = {3, 0, 0, 0};
    CHECK(sparse.count() == 0);
}

TEST_CASE("what differs from run to run by itself is no dependence") {
    int number = 0;
    CHECK(!ints([&](auto& c) {  // wrong, right, wrong in another way: a race
               c = {3, -4, 5, 6};
               if (number++ != 1) c[2] += number;
           })
               .count());
    number = 0;
    CHECK(!floats([&](auto& c) {
               c = {3, -4, 5, 6};
               if (number++ == 0) c[2] = std::numeric_limits<float>::quiet_NaN();
           }).count());
}

TEST_CASE("wrong numbers that do not depend on the content are no dependence") {
    CHECK(!ints([](auto& c) { c = {3, -4, 5, 7}; }).count());
    CHECK(!floats([](auto& c) { c = {3, -4, 5, std::numeric_limits<float>::infinity()}; }).count());
}
