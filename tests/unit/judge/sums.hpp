// SPDX-License-Identifier: Apache-2.0
// A dot product summed in various orders, as in kernels.
#pragma once

#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "sample.hpp"

namespace kwb::test {

using Terms = std::vector<std::pair<float, float>>;

/// The factors of the terms of C[row][column], for A of m x k and B of k x n.
inline Terms terms_of(const Pass2D& pass, std::int64_t n, std::int64_t k, std::int64_t row,
                      std::int64_t column) {
    Terms terms;
    for (std::int64_t i = 0; i < k; ++i)
        terms.emplace_back(pass.a[static_cast<std::size_t>(row * k + i)],
                           pass.b[static_cast<std::size_t>(i * n + column)]);
    return terms;
}

inline long double long_double_sum(const Terms& terms) {
    long double sum = 0;
    for (const auto& [a, b] : terms) sum += static_cast<long double>(a) * b;
    return sum;
}

inline float naive_sum(const Terms& terms) {
    float sum = 0;
    for (const auto& [a, b] : terms) {
        const volatile float product = a * b;  // volatile: rounded separately, no fused operation
        sum += product;
    }
    return sum;
}

inline float reversed_sum(const Terms& terms) {
    return naive_sum(Terms(terms.rbegin(), terms.rend()));
}

inline float fused_sum(const Terms& terms) {
    float sum = 0;
    for (const auto& [a, b] : terms) sum = std::fma(a, b, sum);
    return sum;
}

/// Blocks of `block` terms with their own sums, as in vectorised or tiled kernels.
inline float blocked_sum(const Terms& terms, std::size_t block) {
    float sum = 0;
    for (std::size_t i = 0; i < terms.size(); i += block) {
        const std::size_t end = std::min(terms.size(), i + block);
        sum += fused_sum(Terms(terms.begin() + static_cast<std::ptrdiff_t>(i),
                               terms.begin() + static_cast<std::ptrdiff_t>(end)));
    }
    return sum;
}

inline float pairwise_sum(const Terms& terms) {
    if (terms.size() <= 2) return naive_sum(terms);
    const auto middle = terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 2);
    return pairwise_sum(Terms(terms.begin(), middle)) + pairwise_sum(Terms(middle, terms.end()));
}

inline float shuffled_sum(Terms terms, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::shuffle(terms.begin(), terms.end(), random);
    return naive_sum(terms);
}

/// The results of all the methods above.
inline std::vector<float> all_sums(const Terms& terms, std::uint64_t seed) {
    return {naive_sum(terms),       reversed_sum(terms),    fused_sum(terms),    blocked_sum(terms, 8),
            blocked_sum(terms, 32), blocked_sum(terms, 61), pairwise_sum(terms), shuffled_sum(terms, seed)};
}

}  // namespace kwb::test
