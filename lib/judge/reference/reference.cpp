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

/// A shipped problem.
class ShippedSolver final : public ReferenceSolver {
public:
    ShippedSolver(MakeInputs* make_inputs, Solve* solve, RunHostLibrary* run_on_host = nullptr)
        : make_inputs_(make_inputs), solve_(solve), run_on_host_(run_on_host) {}

    Contents make_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                         const Checkpoint& checkpoint) const override {
        return make_inputs_(instance, pass, seed, checkpoint);
    }
    void solve(const ProblemInstance& instance, Pass pass, PassData& data, Effort effort,
               const Checkpoint& checkpoint) const override {
        solve_(instance, pass, data, effort, checkpoint);
    }
    bool has_host_library() const override { return run_on_host_ != nullptr; }
    void run_host_library(const ProblemInstance& instance, const PassData& inputs,
                          std::vector<std::vector<std::byte>>& outputs) const override {
        if (run_on_host_ == nullptr) return ReferenceSolver::run_host_library(instance, inputs, outputs);
        run_on_host_(instance, inputs, outputs);
    }

private:
    MakeInputs* make_inputs_;
    Solve* solve_;
    RunHostLibrary* run_on_host_;
};

}  // namespace

std::string_view ReferenceSolver::describe_inputs(Pass pass) const {
    return pass == Pass::Exact ? "small integer" : "random";
}

const ReferenceSolver* find_solver(std::string_view problem) {
    static const std::map<std::string_view, ShippedSolver> solvers = {
        {"matmul", {matmul_inputs, solve_matmul, multiply_on_host}},
        {"transpose", {transpose_inputs, solve_transpose, transpose_on_host}},
        {"sum", {sum_inputs, solve_sum}},
        {"max", {max_inputs, solve_max}},
        {"scan", {scan_inputs, solve_scan}},
        {"histogram", {histogram_inputs, solve_histogram}},
        {"convolution", {convolution_inputs, solve_convolution}},
        {"stencil", {stencil_inputs, solve_stencil}},
        {"vector_add", {vector_add_inputs, solve_vector_add}},
        {"saxpy", {saxpy_inputs, solve_saxpy}},
        {"copy", {copy_inputs, solve_copy, copy_on_host}},
        {"fma_chain", {fma_chain_inputs, solve_fma_chain}}};
    const auto found = solvers.find(problem);
    return found == solvers.end() ? nullptr : &found->second;
}

Contents make_float_inputs(const ProblemInstance& instance, std::initializer_list<const char*> names,
                           Pass pass, std::uint64_t seed, unsigned magnitude, const Checkpoint& checkpoint) {
    Contents inputs;
    for (const char* name : names)
        inputs.push_back(
            {name, make_float_input(*instance.find_buffer(name), pass, seed, magnitude, checkpoint)});
    return inputs;
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

RandomSumBound::RandomSumBound(double deviation, double sums) {
    expects(deviation > 0 && sums >= 1, "RandomSumBound: argument out of range");
    constexpr double kRefusals = 1e-9;
    per_term_ = std::log(8 * sums / kRefusals) / 1.5 * deviation * 0x1p-24;
}

double RandomSumBound::operator()(double n) const {
    expects(n >= 1, "RandomSumBound: no terms");
    constexpr double kLongest = 0x1p23;  // gamma_bound is valid up to this
    // Two more terms cover the rounding of products, and that the walk takes whole steps.
    const double likely = per_term_ * (n + 2);
    return n <= kLongest ? std::min(likely, gamma_bound(n) * n) : likely;
}

double product_bound(const ProductExtents& e) {
    const RandomSumBound bound(kProductDeviation, static_cast<double>(e.m) * static_cast<double>(e.n));
    return bound(static_cast<double>(e.k));
}

}  // namespace kwb
