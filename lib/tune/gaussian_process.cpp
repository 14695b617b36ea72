// SPDX-License-Identifier: Apache-2.0
#include "tune/gaussian_process.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace kwb {
namespace {

/// The variance of noise, as a share of that of the process: times are measured within a few percent.
constexpr double kNoise = 0.03;

/// Lengths are near this share of the range, unless the samples show otherwise: the logarithm of a length is
/// normally distributed, with a standard deviation of 1.
constexpr double kUsualLength = 0.8;
constexpr double kShortest = 0.1;
constexpr double kLongest = 12.8;

double log_prior(double length) {
    const double z = std::log(length / kUsualLength);
    return -z * z / 2;
}

}  // namespace

GaussianProcess::GaussianProcess(std::vector<Feature> features)
    : features_(std::move(features)), lengths_(features_.size()), correlations_(features_.size()) {
    for (std::size_t f = 0; f < features_.size(); ++f) set_length(f, kUsualLength);
}

void GaussianProcess::set_length(std::size_t f, double length) {
    const auto& [values, is_ordered] = features_[f];
    lengths_[f] = length;
    correlations_[f].resize(values);
    for (std::size_t difference = 0; difference < values; ++difference) {
        const double range = is_ordered ? static_cast<double>(values - 1) : static_cast<double>(difference);
        const double r =
            difference == 0 ? 0 : std::sqrt(5) * static_cast<double>(difference) / range / length;
        correlations_[f][difference] = (1 + r + r * r / 3) * std::exp(-r);
    }
}

double GaussianProcess::correlation(const std::uint16_t* a, const std::uint16_t* b) const {
    double product = 1;
    for (std::size_t f = 0; f < features_.size(); ++f)
        product *= correlations_[f][static_cast<std::size_t>(std::abs(int{a[f]} - int{b[f]}))];
    return product;
}

void GaussianProcess::fit(std::vector<std::uint16_t> samples, const std::vector<double>& targets) {
    samples_ = std::move(samples);
    targets_ = targets;
    const auto n = static_cast<double>(targets.size());
    mean_ = 0;
    for (const double target : targets) mean_ += target / n;
    double variance = 0;
    for (const double target : targets) variance += (target - mean_) * (target - mean_) / n;
    deviation_ = std::max(std::sqrt(variance), 1e-9);
    for (double& target : targets_) target = (target - mean_) / deviation_;
    factorize();
}

/// @return  the logarithm of the likelihood of the targets and the lengths, but for a constant
double GaussianProcess::factorize() {
    const std::size_t n = targets_.size();
    const std::size_t width = features_.size();
    lower_.assign(n * n, 0);
    std::vector<double> solved(n);  // lower_ · solved = targets_
    double half_log_determinant = 0;
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double* row = &lower_[i * n];
        for (std::size_t j = 0; j <= i; ++j) {
            const double* other = &lower_[j * n];
            double rest = correlation(&samples_[i * width], &samples_[j * width]) + (i == j ? kNoise : 0);
            for (std::size_t k = 0; k < j; ++k) rest -= row[k] * other[k];
            row[j] = i == j ? std::sqrt(rest) : rest / other[j];
        }
        double rest = targets_[i];
        for (std::size_t k = 0; k < i; ++k) rest -= row[k] * solved[k];
        solved[i] = rest / row[i];
        squares += solved[i] * solved[i];
        half_log_determinant += std::log(row[i]);
    }
    weights_ = solved;
    for (std::size_t i = n; i-- > 0;) {
        weights_[i] /= lower_[i * n + i];
        for (std::size_t k = 0; k < i; ++k) weights_[k] -= lower_[i * n + k] * weights_[i];
    }
    variance_ = std::max(squares / static_cast<double>(n), 1e-12);
    double likelihood = -half_log_determinant - static_cast<double>(n) / 2 * std::log(variance_);
    for (const double length : lengths_) likelihood += log_prior(length);
    return likelihood;
}

void GaussianProcess::adapt_lengths() {
    double likelihood = factorize();
    for (std::size_t f = 0; f < features_.size(); ++f) {
        if (features_[f].values < 2) continue;
        const double length = lengths_[f];
        for (const double other : {length / 2, length * 2}) {
            if (other < kShortest || other > kLongest) continue;
            set_length(f, other);
            const double found = factorize();
            if (found > likelihood) {
                likelihood = found;
                break;
            }
            set_length(f, length);
        }
    }
    factorize();
}

std::vector<Prediction> GaussianProcess::predict(std::span<const std::uint16_t> candidates) const {
    constexpr std::size_t kAtOnce = 8;  // so that the compiler finds vectors
    const std::size_t n = targets_.size();
    const std::size_t width = features_.size();
    std::vector<Prediction> predictions(candidates.size() / width);
    std::vector<std::array<double, kAtOnce>> solved(
        n);  // lower_ · solved = the correlations with the samples
    for (std::size_t begin = 0; begin < predictions.size(); begin += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, predictions.size() - begin);
        std::array<double, kAtOnce> mean = {};
        std::array<double, kAtOnce> known = {};  // share of the variance
        for (std::size_t i = 0; i < n; ++i) {
            std::array<double, kAtOnce> rest = {};
            for (std::size_t c = 0; c < count; ++c) {
                rest[c] = correlation(&candidates[(begin + c) * width], &samples_[i * width]);
                mean[c] += rest[c] * weights_[i];
            }
            const double* row = &lower_[i * n];
            for (std::size_t k = 0; k < i; ++k)
                for (std::size_t c = 0; c < kAtOnce; ++c) rest[c] -= row[k] * solved[k][c];
            for (std::size_t c = 0; c < kAtOnce; ++c) {
                solved[i][c] = rest[c] / row[i];
                known[c] += solved[i][c] * solved[i][c];
            }
        }
        for (std::size_t c = 0; c < count; ++c)
            predictions[begin + c] = {mean_ + deviation_ * mean[c],
                                      deviation_ * std::sqrt(variance_ * std::max(1 - known[c], 1e-12))};
    }
    return predictions;
}

}  // namespace kwb
