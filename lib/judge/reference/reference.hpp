// SPDX-License-Identifier: Apache-2.0
// References: the correct outputs that kernels are compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/named.hpp"
#include "judge/reference/inputs.hpp"
#include "model/declared_instance.hpp"
#include "model/problem.hpp"

namespace kwb {

/// The extents of C = A · B (m × k times k × n).
struct ProductExtents {
    std::int64_t m, n, k;
};

/// The correct content of one output.
struct OutputReference {
    std::vector<double> expected;  ///< row-major, one per element or vector component
    /// Largest error allowed for each element; 0: must be equal. Empty: `tolerance` applies.
    std::vector<float> bound;
    /// The exact bytes, for types with values that a double cannot represent (64-bit integers); otherwise
    /// empty.
    std::vector<std::byte> content = {};
    /// For declared problems, used instead of bounds, because a float cannot hold the bounds of doubles.
    Tolerance tolerance = {};
    /// If set, the output is checked by random vectors (verify/product_probe.hpp) instead of all the above,
    /// because a full reference would take too long.
    std::optional<ProductExtents> probe = {};
    bool is_known = true;  ///< false: no reference defines what is correct; only `tolerance` is set
};

/// Arrays by the names of their buffers.
using Contents = NamedList<std::vector<std::byte>>;

/// One pass of one problem at one size: inputs and correct outputs. Only the judge has it.
struct PassData {
    Contents inputs;                     ///< every buffer that a kernel reads
    NamedList<OutputReference> outputs;  ///< every buffer that a kernel writes
};

/// How much work a reference may be.
enum class Effort {
    Whole,  ///< the correct value of every element
    Full,   ///< the same, unless it would take seconds
    Least   ///< in a timed turn: random vectors instead of a whole product (verify/product_probe.hpp)
};

/// What the judge knows about one problem.
class ReferenceSolver {
public:
    virtual ~ReferenceSolver() = default;
    /// The inputs of a run: a function of the seed.
    virtual Contents make_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                                 const Checkpoint& checkpoint) const = 0;
    /// Adds the correct outputs for `data.inputs`.
    /// @param instance  within Problem::find_checking_limit()
    virtual void solve(const ProblemInstance& instance, Pass pass, PassData& data, Effort effort,
                       const Checkpoint& checkpoint) const = 0;
    /// Both.
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint, Effort effort = Effort::Full) const {
        PassData data{make_inputs(instance, pass, seed, checkpoint), {}};
        solve(instance, pass, data, effort, checkpoint);
        return data;
    }
    /// False: the host's BLAS has no routine for this problem, so cpu:blas cannot compete.
    virtual bool has_host_library() const { return false; }
    /// Performs one run with the host's BLAS, if it has a routine.
    /// @param inputs   the result of make_inputs()
    /// @param outputs  in the order of the instance's output buffers, already of the right size
    virtual void run_host_library(const ProblemInstance& /*instance*/, const PassData& /*inputs*/,
                                  std::vector<std::vector<std::byte>>& /*outputs*/) const {
        throw ContractError("ReferenceSolver: the host's library has no routine for this problem");
    }
    /// False: no reference defines what is correct for some output.
    virtual bool has_truth() const { return true; }
    /// False: there is only the real pass.
    virtual bool has_exact_pass() const { return true; }
    /// Describes the inputs of a pass in words: "random".
    virtual std::string_view describe_inputs(Pass pass) const;
    /// Warnings for every result.
    virtual std::vector<std::string> remarks() const { return {}; }
    /// Distinguishes problems of the same name; empty if the name is enough.
    virtual std::string fingerprint() const { return {}; }
};

/// @return  the solver of a problem, or nullptr
const ReferenceSolver* find_solver(std::string_view problem);

class ReferenceCache {
public:
    /// Keeps both passes of one problem, size and seed, or only one if they are very large. The returned
    /// reference is valid until another problem, size or seed is requested.
    const PassData& get(const ReferenceSolver& solver, const ProblemInstance& instance, Pass pass,
                        std::uint64_t seed, const Checkpoint& checkpoint);

private:
    std::string key_;
    std::map<Pass, PassData> passes_;
};

// Bounds of the rounding error of a result.

/// The unit roundoff of float.
inline constexpr double kFloatRoundoff = 0x1p-24;

/// gamma_n = n u / (1 - n u) with the unit roundoff u.
/// The error of a dot product of length n, summed in any order, is at most gamma_n |a|·|b|.
/// Source: N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, 2002, section 3.1.
/// @param n  number of terms, 1 … 2^23
double gamma_bound(double n, double roundoff = kFloatRoundoff);

/// Standard deviations of a number that is uniform in [-1, 1), and of the product of two.
inline constexpr double kUniformDeviation = 0.5773502691896258;
inline constexpr double kProductDeviation = 1.0 / 3;

/// Largest rounding error allowed for sums of random terms, in any order, with or without fused
/// operations. The worst case, gamma_n times the sum of the magnitudes, would accept numbers cut to half
/// precision. But the errors of random data with mean zero mostly cancel: N. Higham, T. Mary, "Sharper
/// probabilistic backward error analysis for basic linear algebra kernels with random data", 2020. Each
/// rounding multiplies a partial sum s_k by 1 + d_k, where the d_k have mean zero and |d_k| <= u. So
/// the error e = sum of d_k s_k has E exp(t e) <= E exp(t^2 u^2 / 2 * sum of s_k^2) (Hoeffding). One term
/// after the other is the worst order; there the s_k are a random walk, for which the right-hand side is 1 /
/// sqrt(cos(t u n deviation)) (R. Cameron, W. Martin, 1945). With t u n deviation = 1.5, P(|e| > x) <= 8
/// exp(-t x). Measured: tests/bench/rounding.
class RandomSumBound {
public:
    /// @param deviation  of a term; no term has a magnitude above 1
    /// @param sums       number of sums that are compared with the bound
    RandomSumBound(double deviation, double sums, double roundoff = kFloatRoundoff);
    /// @param n  number of terms, at least 1
    /// @return  exceeded by any of the sums with a probability of at most 1e-9; the worst case if that is
    /// smaller
    double operator()(double n) const;

private:
    double roundoff_;
    double per_term_;
};

/// The same for all elements of a product of uniform random matrices.
double product_bound(const ProductExtents& e, double roundoff = kFloatRoundoff);

}  // namespace kwb
