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
    ShippedSolver(MakePassData* make_data, bool every_input_matters, RunHostLibrary* run_on_host = nullptr)
        : make_data_(make_data), every_input_matters_(every_input_matters), run_on_host_(run_on_host) {}

    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        return make_data_(instance, pass, seed, checkpoint);
    }
    bool has_host_library() const override { return run_on_host_ != nullptr; }
    void run_host_library(const ProblemInstance& instance, const PassData& inputs,
                          std::vector<std::vector<std::byte>>& outputs) const override {
        if (run_on_host_ == nullptr) return ReferenceSolver::run_host_library(instance, inputs, outputs);
        run_on_host_(instance, inputs, outputs);
    }
    bool every_input_matters() const override { return every_input_matters_; }

private:
    MakePassData* make_data_;
    bool every_input_matters_;
    RunHostLibrary* run_on_host_;
};

}  // namespace

std::string_view ReferenceSolver::describe_inputs(Pass pass) const {
    return pass == Pass::Exact ? "small integer" : "random";
}

const ReferenceSolver* find_solver(std::string_view problem) {
    static const std::map<std::string_view, ShippedSolver> solvers = {
        {"matmul", {make_matmul, true, multiply_on_host}},
        {"transpose", {make_transpose, true, transpose_on_host}},
        {"sum", {make_sum, false}},
        {"max", {make_max, false}},
        {"scan", {make_scan, false}},
        {"histogram", {make_histogram, true}},
        {"convolution", {make_convolution, true}},
        {"stencil", {make_stencil, false}},
        {"vector_add", {make_vector_add, true}},
        {"saxpy", {make_saxpy, true}},
        {"copy", {make_copy, true, copy_on_host}},
        {"fma_chain", {make_fma_chain, true}}};
    const auto found = solvers.find(problem);
    return found == solvers.end() ? nullptr : &found->second;
}

PassData make_float_inputs(const ProblemInstance& instance, std::initializer_list<const char*> names,
                           Pass pass, std::uint64_t seed, unsigned magnitude, const Checkpoint& checkpoint) {
    PassData data;
    for (const char* name : names)
        data.inputs.push_back(
            {name, make_float_input(*instance.find_buffer(name), pass, seed, magnitude, checkpoint)});
    return data;
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
