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
};

/// One pass of one problem at one size: inputs and correct outputs. Only the judge has it.
struct PassData {
    NamedList<std::vector<std::byte>> inputs;  ///< every buffer that a kernel reads
    NamedList<OutputReference> outputs;        ///< every buffer that a kernel writes
};

/// What the judge knows about one problem.
class ReferenceSolver {
public:
    virtual ~ReferenceSolver() = default;
    /// @param instance  within Problem::find_checking_limit()
    virtual PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                          const Checkpoint& checkpoint) const = 0;
    /// False: the host's BLAS has no routine for this problem, so cpu:blas cannot compete.
    virtual bool has_host_library() const { return false; }
    /// Performs one run with the host's BLAS, if it has a routine.
    /// @param inputs   the result of make()
    /// @param outputs  in the order of the instance's output buffers, already of the right size
    virtual void run_host_library(const ProblemInstance& /*instance*/, const PassData& /*inputs*/,
                                  std::vector<std::vector<std::byte>>& /*outputs*/) const {
        throw ContractError("ReferenceSolver: the host's library has no routine for this problem");
    }
    /// True if changing any single element of the real pass's inputs changes every output.
    virtual bool every_input_matters() const { return false; }
    /// False: there is only the real pass.
    virtual bool has_exact_pass() const { return true; }
    /// True if the values of this input may be swapped within it; inputs then vary between timed runs.
    virtual bool may_vary(std::string_view /*input*/) const { return true; }
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

/// gamma_n = n u / (1 - n u) with u = 2^-24, the unit roundoff of float.
/// The error of a dot product of length n, summed in any order, is at most gamma_n |a|·|b|.
/// Source: N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, 2002, section 3.1.
/// @param n  number of terms, 1 … 2^23
double gamma_bound(double n);

/// Largest error allowed for a sum of n floats, uniform in [-1, 1), in any order of summation.
/// The worst case, gamma_n times the sum of the magnitudes, exceeds the sum itself from a few million terms
/// on and would accept every result. But rounding errors of random data mostly cancel. With mean zero and
/// variance 1/3, a sum of k terms has a magnitude of about sqrt(k / 3); each addition has an error of at most
/// u = 2^-24 of that, and n independent errors add up to u n / sqrt(6) in the worst order (one term after the
/// other). The probability of an error eight times as large is below 1e-13. Source: N. Higham, T. Mary,
/// "Sharper probabilistic backward error analysis for basic linear algebra kernels with random data", 2020.
/// @param n           number of terms, at least 1
/// @param magnitudes  sum of their magnitudes
/// @return  above 0; the worst case if that is smaller
double random_sum_bound(double n, double magnitudes);

}  // namespace kwb
