#include "judge/reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "judge/reference/solvers.hpp"
#include "model/device_fit.hpp"

namespace kwb {
namespace {

/// Above this, only the current pass is kept.
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{1} << 30;

}  // namespace

std::string_view ReferenceSolver::describe_inputs(Pass pass) const {
    return pass == Pass::Exact ? "small integer" : "random";
}

void ReferenceSolver::run_host_library(const ProblemInstance& instance, const PassData&,
                                       std::vector<std::vector<std::byte>>&) const {
    throw ContractError("ReferenceSolver: the host's library has no routine for " + instance.problem);
}

const ReferenceSolver* find_solver(std::string_view problem) {
    static const std::map<std::string_view, const ReferenceSolver& (*)()> solvers = {
        {"matmul", matmul_solver},
        {"transpose", transpose_solver},
        {"sum", sum_solver},
        {"max", max_solver},
        {"scan", scan_solver},
        {"histogram", histogram_solver},
        {"convolution", convolution_solver},
        {"stencil", stencil_solver},
        {"vector_add", vector_add_solver},
        {"saxpy", saxpy_solver},
        {"copy", copy_solver},
        {"fma_chain", fma_chain_solver}};
    const auto found = solvers.find(problem);
    return found == solvers.end() ? nullptr : &found->second();
}

const PassData& ReferenceCache::get(const ReferenceSolver& solver, const ProblemInstance& instance, Pass pass,
                                    std::uint64_t seed, const Checkpoint& checkpoint) {
    std::string key = instance.problem + " " + std::to_string(seed) + " " + solver.fingerprint();
    for (const auto& [name, value] : instance.sizes) key += " " + name + "=" + std::to_string(value);
    if (key != key_) {
        passes_.clear();
        key_ = std::move(key);
    }
    const auto found = passes_.find(pass);
    if (found != passes_.end()) return found->second;
    if (reference_bytes(instance) > kMostKeptBytes) passes_.clear();
    return passes_.emplace(pass, solver.make(instance, pass, seed, checkpoint)).first->second;
}

double gamma_bound(double n) {
    constexpr double kUnitRoundoff = 0x1p-24;
    expects(n >= 1 && n <= 0x1p23, "gamma_bound: n out of range");
    return n * kUnitRoundoff / (1 - n * kUnitRoundoff);
}

double random_sum_bound(double n, double magnitudes) {
    expects(n >= 1 && magnitudes >= 0, "random_sum_bound: n or magnitudes out of range");
    constexpr double kUnitRoundoff = 0x1p-24;
    constexpr double kSafety = 8;
    const double likely = kSafety * kUnitRoundoff * n / std::sqrt(6.0);
    constexpr double kLongest = 0x1p23;  // gamma_bound is valid up to this
    const double worst = n <= kLongest ? gamma_bound(n) * magnitudes : likely;
    return std::max(std::min(likely, worst), 0x1p-126);
}

}  // namespace kwb
