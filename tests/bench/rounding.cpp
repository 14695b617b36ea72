// SPDX-License-Identifier: Apache-2.0
// The two error rates of the bound on products (judge/reference/reference.hpp), measured: how close honest
// orders of summation come to it, and how many elements of products in half precision and bfloat16 exceed it.
//
// usage: rounding [pairs]   pairs of rows and columns for each length, 16384 unless said otherwise
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "judge/reference/inputs.hpp"
#include "judge/reference/reference.hpp"

namespace {

using Numbers = std::vector<float>;

/// `x` with `bits` digits less, rounded to nearest.
float cut(float x, int bits) {
    const auto word = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t even = (word >> bits) & 1u;
    return std::bit_cast<float>((word + (1u << (bits - 1)) - 1 + even) & ~((1u << bits) - 1));
}

constexpr int kHalf = 13, kBrief = 16;  ///< digits that half precision and bfloat16 lose

float serial(const Numbers& a, const Numbers& b, std::size_t first, std::size_t end, std::size_t step = 1) {
    float sum = 0;
    for (std::size_t i = first; i < end; i += step) {
        const volatile float product = a[i] * b[i];  // volatile: rounded by itself
        sum += product;
    }
    return sum;
}

float pairwise(const Numbers& a, const Numbers& b, std::size_t first, std::size_t end) {
    if (end - first <= 4) return serial(a, b, first, end);
    const std::size_t middle = first + (end - first) / 2;
    return pairwise(a, b, first, middle) + pairwise(a, b, middle, end);
}

struct Method {
    const char* name;
    std::function<float(const Numbers&, const Numbers&)> sum;
};

Numbers cut_all(Numbers numbers, int bits) {
    for (float& x : numbers) x = cut(x, bits);
    return numbers;
}

const std::vector<Method> kMethods = {
    {"serial", [](auto& a, auto& b) { return serial(a, b, 0, a.size()); }},
    {"serial, fma",
     [](auto& a, auto& b) {
         float sum = 0;
         for (std::size_t i = 0; i < a.size(); ++i) sum = std::fma(a[i], b[i], sum);
         return sum;
     }},
    {"4 accumulators",
     [](auto& a, auto& b) {
         const auto part = [&](std::size_t i) { return serial(a, b, i, a.size(), 4); };
         return (part(0) + part(1)) + (part(2) + part(3));
     }},
    {"blocks of 32",
     [](auto& a, auto& b) {
         float sum = 0;
         for (std::size_t i = 0; i < a.size(); i += 32) sum += serial(a, b, i, std::min(a.size(), i + 32));
         return sum;
     }},
    {"K split in 8",
     [](auto& a, auto& b) {
         float sum = 0;
         for (std::size_t i = 0; i < 8; ++i) sum += serial(a, b, i * a.size() / 8, (i + 1) * a.size() / 8);
         return sum;
     }},
    {"pairwise", [](auto& a, auto& b) { return pairwise(a, b, 0, a.size()); }},
    {"half inputs",
     [](auto& a, auto& b) {
         const Numbers x = cut_all(a, kHalf), y = cut_all(b, kHalf);
         return pairwise(x, y, 0, x.size());
     }},
    {"one half input", [](auto& a, auto& b) { return pairwise(cut_all(a, kHalf), b, 0, a.size()); }},
    {"half products",
     [](auto& a, auto& b) {
         float sum = 0;
         for (std::size_t i = 0; i < a.size(); ++i) sum += cut(a[i] * b[i], kHalf);
         return sum;
     }},
    {"half sums",
     [](auto& a, auto& b) {
         float sum = 0;
         for (std::size_t i = 0; i < a.size(); ++i) sum = cut(sum + a[i] * b[i], kHalf);
         return sum;
     }},
    {"bfloat16 inputs", [](auto& a, auto& b) {
         const Numbers x = cut_all(a, kBrief), y = cut_all(b, kBrief);
         return pairwise(x, y, 0, x.size());
     }}};

}  // namespace

int main(int argc, char** argv) {
    const int pairs = argc > 1 ? std::atoi(argv[1]) : 16384;
    fmt::print("Errors as shares of the bound for 8192 x 8192 elements; {} elements each\n\n", pairs);
    fmt::print("{:>5}  {:16} {:>9} {:>9} {:>13}\n", "K", "method", "rms", "largest", "above bound");
    for (const std::int64_t k : {64, 256, 1024, 2048, 4096, 8192}) {
        const double bound = kwb::product_bound({8192, 8192, k});
        std::vector<double> squares(kMethods.size()), largest(kMethods.size());
        std::vector<int> above(kMethods.size());
        Numbers a(static_cast<std::size_t>(k)), b(a.size());
        const std::uint64_t seed = kwb::draw_seed();
        for (int pair = 0; pair < pairs; ++pair) {
            kwb::fill_uniform<float>(a, seed, static_cast<std::uint64_t>(2 * pair) * a.size());
            kwb::fill_uniform<float>(b, seed, static_cast<std::uint64_t>(2 * pair + 1) * a.size());
            double truth = 0;
            for (std::size_t i = 0; i < a.size(); ++i) truth += kwb::to_double(a[i]) * kwb::to_double(b[i]);
            for (std::size_t m = 0; m < kMethods.size(); ++m) {
                const double share = std::fabs(kwb::to_double(kMethods[m].sum(a, b)) - truth) / bound;
                squares[m] += share * share;
                largest[m] = std::max(largest[m], share);
                above[m] += share > 1 ? 1 : 0;
            }
        }
        for (std::size_t m = 0; m < kMethods.size(); ++m)
            fmt::print("{:>5}  {:16} {:>9.4f} {:>9.3f} {:>12.2f}%\n", k, kMethods[m].name,
                       std::sqrt(squares[m] / pairs), largest[m], 100.0 * above[m] / pairs);
    }
}
