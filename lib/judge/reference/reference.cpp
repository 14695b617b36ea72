// SPDX-License-Identifier: Apache-2.0
#include "judge/reference/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "judge/reference/solvers.hpp"
#include "model/device_fit.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace {

/// Above this, only the current pass is kept.
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{1} << 30;

/// The same instance, but of scalars: one component of its vectors.
ProblemInstance component_of(const ProblemInstance& instance) {
    ProblemInstance component = instance;
    for (BufferSpec& buffer : component.buffers) buffer.type.width = 1;
    return component;
}

/// Copies every `from_step`-th element to every `to_step`-th.
template <class T>
void copy_strided(const T* from, std::size_t from_step, T* to, std::size_t to_step, std::size_t count,
                  const Checkpoint& checkpoint) {
    in_steps(count, checkpoint, [&](std::size_t first, std::size_t n) {
        for (std::size_t i = first; i < first + n; ++i) to[i * to_step] = from[i * from_step];
    });
}

std::vector<std::byte> take_component(const std::vector<std::byte>& vectors, const BufferSpec& buffer,
                                      unsigned component, const Checkpoint& checkpoint) {
    auto scalars = make_zeros<std::byte>(vectors.size() / buffer.type.width, checkpoint);
    with_scalar_type(buffer.type.scalar, [&]<class T>(T) {
        copy_strided(numbers_in<T>(vectors).data() + component, buffer.type.width,
                     numbers_in<T>(scalars).data(), 1, buffer.elements(), checkpoint);
    });
    return scalars;
}

void put_component(const std::vector<std::byte>& scalars, const BufferSpec& buffer, unsigned component,
                   std::vector<std::byte>& vectors, const Checkpoint& checkpoint) {
    with_scalar_type(buffer.type.scalar, [&]<class T>(T) {
        copy_strided(numbers_in<T>(scalars).data(), 1, numbers_in<T>(vectors).data() + component,
                     buffer.type.width, buffer.elements(), checkpoint);
    });
}

/// A shipped problem. Each component of vectors is a separate problem.
class ShippedSolver final : public ReferenceSolver {
public:
    ShippedSolver(MakeInputs* inputs, Solve* outputs, RunHostLibrary* on_host = nullptr)
        : make_inputs_(inputs), solve_(outputs), run_on_host_(on_host) {}

    Contents make_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                         const Checkpoint& checkpoint) const override {
        const unsigned width = instance.buffers.front().type.width;
        if (width == 1) return make_inputs_(instance, pass, seed, checkpoint);
        const ProblemInstance scalars = component_of(instance);
        Contents all;
        for (unsigned c = 0; c < width; ++c) {
            const Contents parts =
                make_inputs_(scalars, pass, derive_seed(seed, fmt::format("component {}", c)), checkpoint);
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const auto& [name, part] = parts[i];
                const BufferSpec& buffer = *instance.find_buffer(name);
                if (c == 0) all.push_back({name, make_zeros<std::byte>(buffer.bytes(), checkpoint)});
                put_component(part, buffer, c, all[i].value, checkpoint);
            }
        }
        return all;
    }

    void solve(const ProblemInstance& instance, Pass pass, PassData& data, Effort effort,
               const Checkpoint& checkpoint) const override {
        const unsigned width = instance.buffers.front().type.width;
        if (width == 1) return solve_(instance, pass, data, effort, checkpoint);
        const ProblemInstance scalars = component_of(instance);
        for (unsigned c = 0; c < width; ++c) {
            PassData part;
            for (const auto& [name, vectors] : data.inputs)
                part.inputs.push_back(
                    {name, take_component(vectors, *instance.find_buffer(name), c, checkpoint)});
            solve_(scalars, pass, part, Effort::Whole, checkpoint);
            for (std::size_t i = 0; i < part.outputs.size(); ++i) {
                const OutputReference& output = part.outputs[i].value;
                if (c == 0) data.outputs.push_back({part.outputs[i].name, {}});
                OutputReference& all = data.outputs[i].value;
                all.expected.resize(output.expected.size() * width);
                all.bound.resize(output.bound.size() * width);
                all.tolerance = output.tolerance;  // depends on the sizes alone
                copy_strided(output.expected.data(), 1, all.expected.data() + c, width,
                             output.expected.size(), checkpoint);
                if (!output.bound.empty())
                    copy_strided(output.bound.data(), 1, all.bound.data() + c, width, output.bound.size(),
                                 checkpoint);
            }
        }
    }

    ShippedSolver without_host_library() const { return {make_inputs_, solve_}; }

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
    return pass == Pass::Exact ? "integer" : "random";
}

const ReferenceSolver* find_solver(std::string_view problem) {
    static const std::map<std::string_view, ShippedSolver> solvers = {
        {"matmul", {matmul_inputs, solve_matmul, multiply_on_host}},
        {"transpose", {transpose_inputs, solve_transpose, transpose_on_host}},
        {"sum", {sum_inputs, solve_sum}},
        {"max", {max_inputs, solve_max}},
        {"scan", {sum_inputs, solve_scan}},
        {"histogram", {histogram_inputs, solve_histogram}},
        {"convolution", {convolution_inputs, solve_convolution}},
        {"stencil", {stencil_inputs, solve_stencil}},
        {"vector_add", {vector_add_inputs, solve_vector_add}},
        {"saxpy", {saxpy_inputs, solve_saxpy}},
        {"copy", {copy_inputs, solve_copy, copy_on_host}},
        {"fma_chain", {fma_chain_inputs, solve_fma_chain}}};
    // The host's library is only asked for floats.
    static const std::map<std::string_view, ShippedSolver> typed_solvers = [] {
        std::map<std::string_view, ShippedSolver> typed;
        for (const auto& [name, solver] : solvers) typed.emplace(name, solver.without_host_library());
        return typed;
    }();
    const auto [name, type] = split_typed_name(problem);
    const auto& candidates = type.empty() ? solvers : typed_solvers;
    const auto found = candidates.find(name);
    return found == candidates.end() ? nullptr : &found->second;
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

double gamma_bound(double n, double roundoff) {
    expects(n >= 1 && n <= 0x1p23, "gamma_bound: n out of range");
    return n * roundoff / (1 - n * roundoff);
}

RandomSumBound::RandomSumBound(double deviation, double sums, double roundoff) : roundoff_(roundoff) {
    expects(deviation > 0 && sums >= 1, "RandomSumBound: argument out of range");
    constexpr double kRefusals = 1e-9;
    per_term_ = std::log(8 * sums / kRefusals) / 1.5 * deviation * roundoff;
}

double RandomSumBound::operator()(double n) const {
    expects(n >= 1, "RandomSumBound: no terms");
    constexpr double kLongest = 0x1p23;  // gamma_bound is valid up to this
    // Two more terms cover the rounding of products, and that the walk takes whole steps.
    const double likely = per_term_ * (n + 2);
    return n <= kLongest ? std::min(likely, gamma_bound(n, roundoff_) * n) : likely;
}

double product_bound(const ProductExtents& e, double roundoff) {
    const RandomSumBound bound(kProductDeviation, static_cast<double>(e.m) * static_cast<double>(e.n),
                               roundoff);
    return bound(static_cast<double>(e.k));
}

}  // namespace kwb
