// SPDX-License-Identifier: Apache-2.0
// Predicts a number that depends on a few discrete features, with the uncertainty of the prediction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace kwb {

struct Prediction {
    double mean = 0;
    double deviation = 0;  ///< standard deviation
};

/// A Gaussian process. Two samples correlate by the product, over the features, of Matérn's function 5/2 of
/// their distance: the difference of the values as a share of the range, or 1 for any two texts, over a
/// length of the feature. A feature that matters little has a large length.
/// Source: Rasmussen, Williams, Gaussian Processes for Machine Learning, 2006, algorithm 2.1, equation 4.17.
class GaussianProcess {
public:
    struct Feature {
        std::size_t values = 1;  ///< they are 0 to values - 1
        bool is_ordered = true;
    };
    explicit GaussianProcess(std::vector<Feature> features);

    /// Takes 2 n² multiplications of n samples for each feature, and n³ / 6 more.
    /// @param samples  the features of all samples in a row
    /// @param targets  one of each sample; at least one
    void fit(std::vector<std::uint16_t> samples, const std::vector<double>& targets);

    /// Halves or doubles the length of each feature once, where that makes the targets likelier; costs up to
    /// two fits for each. Call it after fit().
    void adapt_lengths();

    /// Call fit() before. Takes n² / 2 multiplications for each.
    /// @param candidates  the features of all candidates in a row
    std::vector<Prediction> predict(std::span<const std::uint16_t> candidates) const;

private:
    void set_length(std::size_t feature, double length);
    double correlation(const std::uint16_t* a, const std::uint16_t* b) const;
    double factorize();

    std::vector<Feature> features_;
    std::vector<double> lengths_;
    std::vector<std::vector<double>> correlations_;  ///< of each feature, by the difference of two values
    std::vector<std::uint16_t> samples_;
    std::vector<double> targets_;  ///< less mean_, over deviation_
    double mean_ = 0;
    double deviation_ = 1;
    std::vector<double> lower_;    ///< Cholesky factor of the correlations of the samples, row by row
    std::vector<double> weights_;  ///< of the samples, for the mean
    double variance_ = 1;          ///< likeliest one of the process
};

}  // namespace kwb
