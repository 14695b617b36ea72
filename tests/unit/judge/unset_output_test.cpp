// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/unset_output.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

using namespace kwb;

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
