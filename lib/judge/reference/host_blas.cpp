// SPDX-License-Identifier: Apache-2.0
#include "judge/reference/host_blas.hpp"

#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/error.hpp"
#include "judge/reference/blas_kernels.hpp"
#include "judge/reference/multiply_add.hpp"

namespace kwb {
namespace {

/// Number of elements that are converted to double precision at a time: a few milliseconds of work.
constexpr std::int64_t kPanelElements = std::int64_t{1} << 21;

std::size_t count_of(std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(rows * columns);
}

/// Calls `use(first_row, rows, numbers)` for the whole matrix, a few rows at a time.
template <class Use>
void over_panels(const FloatMatrix& m, const Checkpoint& checkpoint, const Widen& widen, Use&& use) {
    expects(m.values.size() == count_of(m.rows, m.columns), "matrix_products: sizes differ");
    const std::int64_t most = std::clamp<std::int64_t>(kPanelElements / m.columns, 1, m.rows);
    std::vector<double> panel(count_of(most, m.columns));
    for (std::int64_t row = 0; row < m.rows; row += most) {
        checkpoint();
        const std::int64_t rows = std::min(most, m.rows - row);
        widen(m.values.subspan(count_of(row, m.columns), count_of(rows, m.columns)), panel.data());
        use(row, rows, panel.data());
    }
}

template <class Work>
double seconds_of(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::string host_blas_name() {
    // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …": the first two words are enough.
    const std::string config = openblas_get_config();
    const std::size_t end = config.find(' ', config.find(' ') + 1);
    const int threads = openblas_get_num_threads();
    return config.substr(0, end) + " (" + describe_blas_kernels() + ", " + std::to_string(threads) +
           (threads == 1 ? " thread)" : " threads)");
}

std::optional<Finding> find_slow_library(double share) {
    constexpr double kLeastShare = 0.6;
    if (share >= kLeastShare) return std::nullopt;
    return Finding{
        .code = FindingCode::SlowLibrary, .subject = host_blas_name(), .numbers = {{"share", share}}};
}

const std::optional<Finding>& find_slow_library() {
    static const std::optional<Finding> found = []() -> std::optional<Finding> {
        constexpr int kSide = 512;
        constexpr std::uint64_t kProducts = std::uint64_t{kSide} * kSide * kSide;
        const std::vector<float> a(count_of(kSide, kSide), 1);
        std::vector<float> c(count_of(kSide, kSide));
        const int threads = openblas_get_num_threads();
        openblas_set_num_threads(1);
        // In turns, so that both meet the same clock and the same neighbours.
        double product_s = INFINITY;
        double loop_s = INFINITY;
        std::uint64_t loop_flops = 0;
        for (int turn = 0; turn < 8; ++turn) {
            loop_s = std::min(loop_s, seconds_of([&] { loop_flops = perform_multiply_adds(kProducts); }));
            product_s =
                std::min(product_s, seconds_of([&] {
                             cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSide, kSide, kSide, 1,
                                         a.data(), kSide, a.data(), kSide, 0, c.data(), kSide);
                         }));
        }
        openblas_set_num_threads(threads);
        if (loop_flops == 0) return std::nullopt;
        return find_slow_library(2.0 * kProducts / product_s / (static_cast<double>(loop_flops) / loop_s));
    }();
    return found;
}

int blas_int(std::int64_t value) {
    return static_cast<int>(value);
}

void widen_plain(std::span<const float> from, double* to) {
    std::transform(from.begin(), from.end(), to, [](float x) { return static_cast<double>(x); });
}

std::vector<double> multiply_right(const FloatMatrix& m, std::span<const double> x, std::int64_t width,
                                   const Checkpoint& checkpoint, const Widen& widen) {
    expects(x.size() == count_of(m.columns, width), "multiply_right: sizes differ");
    std::vector<double> product(count_of(m.rows, width));
    if (product.empty()) return product;
    over_panels(m, checkpoint, widen, [&](std::int64_t row, std::int64_t rows, const double* panel) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blas_int(rows), blas_int(width),
                    blas_int(m.columns), 1, panel, blas_int(m.columns), x.data(), blas_int(width), 0,
                    product.data() + row * width, blas_int(width));
    });
    return product;
}

std::vector<double> multiply_left(std::span<const double> x, std::int64_t height, const FloatMatrix& m,
                                  const Checkpoint& checkpoint, const Widen& widen) {
    expects(x.size() == count_of(height, m.rows), "multiply_left: sizes differ");
    std::vector<double> product(count_of(height, m.columns));
    if (product.empty()) return product;
    over_panels(m, checkpoint, widen, [&](std::int64_t row, std::int64_t rows, const double* panel) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, blas_int(height), blas_int(m.columns),
                    blas_int(rows), 1, x.data() + row, blas_int(m.rows), panel, blas_int(m.columns), 1,
                    product.data(), blas_int(m.columns));
    });
    return product;
}

std::vector<double> take_rows(const FloatMatrix& m, std::span<const std::int64_t> rows) {
    std::vector<double> taken(count_of(static_cast<std::int64_t>(rows.size()), m.columns));
    double* to = taken.data();
    for (const std::int64_t row : rows) {
        widen_plain(m.values.subspan(count_of(row, m.columns), count_of(1, m.columns)), to);
        to += m.columns;
    }
    return taken;
}

std::vector<double> take_columns(const FloatMatrix& m, std::span<const std::int64_t> columns,
                                 const Checkpoint& checkpoint) {
    std::vector<double> taken;
    taken.reserve(count_of(m.rows, static_cast<std::int64_t>(columns.size())));
    over_panels(m, checkpoint, widen_plain, [&](std::int64_t, std::int64_t rows, const double* panel) {
        for (std::int64_t row = 0; row < rows; ++row)
            for (const std::int64_t column : columns) taken.push_back(panel[row * m.columns + column]);
    });
    return taken;
}

double host_flops_per_s() {
    static const double rate = [] {
        constexpr std::int64_t kSide = 768;
        const std::vector<double> a(count_of(kSide, kSide), 1);
        std::vector<double> c(count_of(kSide, kSide));
        double best_s = INFINITY;
        for (int run = 0; run < 3; ++run)
            best_s = std::min(best_s, seconds_of([&] {
                                  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSide, kSide, kSide,
                                              1, a.data(), kSide, a.data(), kSide, 0, c.data(), kSide);
                              }));
        return 2.0 * kSide * kSide * kSide / std::max(best_s, 1e-6);
    }();
    return rate;
}

}  // namespace kwb
