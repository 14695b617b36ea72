// SPDX-License-Identifier: Apache-2.0
// Series with known properties, to test how often a statistic is right.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace kwb::stats::test {

/// A seeded generator; the same seed always gives the same samples.
class Simulator {
public:
    explicit Simulator(std::uint64_t seed) : engine_(seed) {}

    double normal() { return normal_(engine_); }
    double exponential() { return exponential_(engine_); }
    double uniform() { return uniform_(engine_); }
    bool chance(double probability) { return uniform() < probability; }

    /// The values make(i) for i = 0 … n - 1.
    template <class Make>
    static std::vector<double> series(std::size_t n, Make make) {
        std::vector<double> values(n);
        for (std::size_t i = 0; i < n; ++i) values[i] = make(i);
        return values;
    }

    /// Independent lognormal times with a median of 1 ms.
    std::vector<double> quiet(std::size_t n, double deviation_share) {
        return series(n, [&](std::size_t) { return std::exp(deviation_share * normal()); });
    }

private:
    std::mt19937_64 engine_;
    std::normal_distribution<double> normal_;
    std::exponential_distribution<double> exponential_;
    std::uniform_real_distribution<double> uniform_;
};

/// The share of `trials` calls that return true.
template <class Trial>
double share_of(int trials, Trial trial) {
    int hits = 0;
    for (int i = 0; i < trials; ++i) hits += trial() ? 1 : 0;
    return static_cast<double>(hits) / trials;
}

}  // namespace kwb::stats::test
