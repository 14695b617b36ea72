// The shipped problems over rows of numbers: elementwise operations, sums, scans, counts, chains.
#include <cblas.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "judge/reference/solvers.hpp"

namespace kwb {
namespace {

/// For integers up to this, and alpha a multiple of 1/2 below 4, alpha x + y is exact in float.
constexpr unsigned kExactVectorMagnitude = 1u << 20;

/// Random signs keep every partial sum far below 2^24, up to which floats represent every integer: 2^30 such
/// numbers reach about 2^17.
constexpr unsigned kExactSumMagnitude = 4;

/// alpha · x + y, with the error bound for this number of roundings.
OutputReference multiply_add(double alpha, std::span<const float> x, std::span<const float> y, Pass pass,
                             int roundings, const Checkpoint& checkpoint) {
    OutputReference reference;
    reference.expected = make_zeros<double>(x.size(), checkpoint);
    if (pass == Pass::Real) reference.bound = make_zeros<float>(x.size(), checkpoint);
    const double gamma =
        gamma_bound(roundings) * (1 + 0x1p-20);  // covers the rounding of this product itself
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            const double product = alpha * static_cast<double>(x[i]);
            const auto term = static_cast<double>(y[i]);
            reference.expected[i] = product + term;
            if (pass == Pass::Real)
                reference.bound[i] =
                    std::max(static_cast<float>(gamma * (std::fabs(product) + std::fabs(term))), 0x1p-126f);
        }
    });
    return reference;
}

/// Exact pass: uniform over the bins. Real pass: the smallest of three uniform numbers; the low bins are hit
/// more often, which also tests colliding increments.
std::uint32_t number_at(Pass pass, std::uint64_t stream, std::uint64_t index, std::uint64_t bins) {
    const std::uint64_t random = random_at(stream, index);
    if (pass == Pass::Exact) return static_cast<std::uint32_t>(random % bins);
    const auto part = [&](int shift) { return (random >> shift & 0xFFFFu) * bins >> 16; };
    return static_cast<std::uint32_t>(std::min({part(0), part(16), part(32)}));
}

// fma_chain: Y = X after S steps of x ← A · x + B, by repeated squaring in double precision.
// Exact pass: A = 1, all other numbers are small integers, so every step is exact.
// Real pass: A is slightly below 1 and |B| at most 1 / S, so that a change of X is still visible after S
// steps and no intermediate number is large or denormal.

/// Exact pass: |X| ≤ 1000, |B| ≤ 4, A = 1. No sum exceeds 1000 + 4 S, which a float represents exactly.
constexpr unsigned kExactX = 1000;
constexpr unsigned kExactB = 4;
constexpr std::int64_t kMostExactSteps = ((1 << 24) - kExactX) / kExactB;

/// Real pass: all X are multiples of this. Different values still differ after S = 4096 steps: the difference
/// is at least a^S / 256 > e^-1 / 256 = 1.4e-3, and 2 S roundings of numbers below 2 in each of the two
/// chains change it by at most 2 * 2 S u = 9.8e-4.
constexpr float kGrid = 0x1p-8f;

struct Step {
    float a, b;
};

Step make_step(Pass pass, std::uint64_t seed, std::int64_t steps) {
    const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + "AB");
    if (pass == Pass::Exact) {
        float b = 0;
        fill_integers({&b, 1}, stream, kExactB);
        return {1, b};
    }
    // a = 1 - c / S with c in [1/4, 1): a^S is in (e^-1, e^-1/4]. |b| in [1/2, 1) / S.
    const auto s = static_cast<double>(steps);
    const double c = 0.25 + 0.75 * share_at(derive_seed(stream, "a"), 0);
    const double b = (0.5 + 0.5 * share_at(derive_seed(stream, "b"), 0)) / s;
    return {static_cast<float>(1 - c / s), static_cast<float>((random_at(stream, 1) & 1u) != 0 ? b : -b)};
}

std::int64_t steps_of(const ProblemInstance& instance) {
    const std::int64_t steps = std::get<std::int64_t>(instance.find_scalar("S")->value);
    expects(steps >= 1 && steps <= kMostExactSteps, "fma_chain: steps out of range");
    return steps;
}

std::vector<std::byte> one_float(float value) {
    std::vector<std::byte> bytes(sizeof value);
    floats(bytes)[0] = value;
    return bytes;
}

}  // namespace

Contents copy_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                     const Checkpoint& checkpoint) {
    return make_float_inputs(instance, {"X"}, pass, seed, kLargestInteger, checkpoint);
}

void solve_copy(const ProblemInstance&, Pass, PassData& data, Effort, const Checkpoint& checkpoint) {
    data.outputs.push_back(
        {"Y", {convert_in_steps<double>(floats_of_input(data, 0), checkpoint, to_double), {}}});
}

void copy_on_host(const ProblemInstance&, const PassData& inputs,
                  std::vector<std::vector<std::byte>>& outputs) {
    const std::span<const float> x = floats_of_input(inputs, 0);
    // A length is at most INT32_MAX (problems/problem.cpp).
    cblas_scopy(static_cast<int>(x.size()), x.data(), 1, floats(outputs[0]).data(), 1);
}

Contents vector_add_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                           const Checkpoint& checkpoint) {
    return make_float_inputs(instance, {"A", "B"}, pass, seed, kExactVectorMagnitude, checkpoint);
}

void solve_vector_add(const ProblemInstance&, Pass pass, PassData& data, Effort,
                      const Checkpoint& checkpoint) {
    data.outputs.push_back(
        {"C", multiply_add(1, floats_of_input(data, 0), floats_of_input(data, 1), pass, 1, checkpoint)});
}

Contents saxpy_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                      const Checkpoint& checkpoint) {
    return make_float_inputs(instance, {"X", "Y"}, pass, seed, kExactVectorMagnitude, checkpoint);
}

void solve_saxpy(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                 const Checkpoint& checkpoint) {
    const double alpha = std::get<double>(instance.find_scalar("alpha")->value);
    data.outputs.push_back(
        {"Y", multiply_add(alpha, floats_of_input(data, 0), floats_of_input(data, 1), pass, 2, checkpoint)});
}

Contents sum_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                    const Checkpoint& checkpoint) {
    return make_float_inputs(instance, {"X"}, pass, seed, kExactSumMagnitude, checkpoint);
}

void solve_sum(const ProblemInstance&, Pass pass, PassData& data, Effort, const Checkpoint& checkpoint) {
    const std::span<const float> x = floats_of_input(data, 0);
    double sum = 0;
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (const float value : x.subspan(first, count)) sum += to_double(value);
    });
    OutputReference reference{{sum}, {}};
    if (pass == Pass::Real)
        reference.tolerance.absolute = RandomSumBound(kUniformDeviation, 1)(static_cast<double>(x.size()));
    data.outputs.push_back({"R", std::move(reference)});
}

/// Exact pass: the last element is the largest, because the end is what kernels miss most often.
/// Real pass: floats of any magnitude between 2^-40 and 2^40. Uniform numbers in [-1, 1) would have the same
/// largest element in almost every run.
Contents max_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                    const Checkpoint& checkpoint) {
    Contents inputs = make_float_inputs(instance, {"X"}, pass, seed, kLargestInteger, checkpoint);
    const std::span<float> x = floats(inputs[0].value);
    if (pass == Pass::Exact) {
        x.back() = 2.0f * kLargestInteger;
        return inputs;
    }
    constexpr std::uint64_t kExponents = 80;
    constexpr std::uint64_t kLeastExponent = 127 - 40;
    const std::uint64_t stream = derive_seed(seed, "magnitudes of X");
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            const std::uint64_t random = random_at(stream, i);
            const std::uint64_t exponent = kLeastExponent + (random >> 32) % kExponents;
            const std::uint64_t sign = random >> 31 & 1u;
            x[i] = std::bit_cast<float>(
                static_cast<std::uint32_t>(sign << 31 | exponent << 23 | (random & 0x7FFFFFu)));
        }
    });
    return inputs;
}

void solve_max(const ProblemInstance&, Pass, PassData& data, Effort, const Checkpoint& checkpoint) {
    const std::span<const float> x = floats_of_input(data, 0);
    float largest = x[0];
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (const float value : x.subspan(first, count)) largest = std::max(largest, value);
    });
    data.outputs.push_back({"R", {{to_double(largest)}, {}}});
}

Contents scan_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                     const Checkpoint& checkpoint) {
    return make_float_inputs(instance, {"X"}, pass, seed, kExactSumMagnitude, checkpoint);
}

void solve_scan(const ProblemInstance&, Pass pass, PassData& data, Effort, const Checkpoint& checkpoint) {
    const std::span<const float> x = floats_of_input(data, 0);
    OutputReference reference;
    reference.expected = make_zeros<double>(x.size(), checkpoint);
    if (pass == Pass::Real) reference.bound = make_zeros<float>(x.size(), checkpoint);
    const RandomSumBound bound(kUniformDeviation, static_cast<double>(x.size()));
    double sum = 0;
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            sum += to_double(x[i]);
            reference.expected[i] = sum;
            if (pass == Pass::Real)
                reference.bound[i] = static_cast<float>(bound(static_cast<double>(i + 1)));
        }
    });
    data.outputs.push_back({"Y", std::move(reference)});
}

Contents histogram_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                          const Checkpoint& checkpoint) {
    const BufferSpec& buffer = *instance.find_buffer("X");
    const std::uint64_t bins = instance.find_buffer("H")->elements();
    const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + "X");
    auto bytes = make_zeros<std::byte>(buffer.bytes(), checkpoint);
    const std::span<std::uint32_t> x{reinterpret_cast<std::uint32_t*>(bytes.data()), buffer.elements()};
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) x[i] = number_at(pass, stream, i, bins);
    });
    return {{"X", std::move(bytes)}};
}

void solve_histogram(const ProblemInstance& instance, Pass, PassData& data, Effort,
                     const Checkpoint& checkpoint) {
    const std::vector<std::byte>& bytes = data.inputs[0].value;
    const std::span<const std::uint32_t> x{reinterpret_cast<const std::uint32_t*>(bytes.data()),
                                           bytes.size() / sizeof(std::uint32_t)};
    std::vector<double> counts(instance.find_buffer("H")->elements());
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (const std::uint32_t value : x.subspan(first, count)) ++counts[value];
    });
    data.outputs.push_back({"H", {std::move(counts), {}}});
}

Contents fma_chain_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                          const Checkpoint& checkpoint) {
    const Step step = make_step(pass, seed, steps_of(instance));
    Contents inputs = make_float_inputs(instance, {"X"}, pass, seed, kExactX, checkpoint);
    if (pass == Pass::Real) {
        const std::span<float> values = floats(inputs[0].value);
        in_steps(values.size(), checkpoint, [&](std::size_t first, std::size_t count) {
            for (float& value : values.subspan(first, count)) value = std::floor(value / kGrid) * kGrid;
        });
    }
    inputs.push_back({"A", one_float(step.a)});
    inputs.push_back({"B", one_float(step.b)});
    return inputs;
}

void solve_fma_chain(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                     const Checkpoint& checkpoint) {
    const std::int64_t steps = steps_of(instance);
    const std::span<const float> x = floats_of_input(data, 0);
    const double a = to_double(floats_of_input(data, 1)[0]);
    const double b = to_double(floats_of_input(data, 2)[0]);
    const AffineMap truth = repeat_map({a, b}, steps);
    OutputReference y;
    y.expected =
        convert_in_steps<double>(x, checkpoint, [&](float value) { return truth(to_double(value)); });
    if (pass == Pass::Real) {
        // A chain is Horner's rule for the polynomial x a^S + b a^(S-1) + … + b. Its error is at most
        // gamma_2S times the same polynomial of magnitudes (Higham 2002, section 5.1), with or without
        // fused operations. The last factor covers the rounding of this product itself.
        const AffineMap magnitude = repeat_map({std::fabs(a), std::fabs(b)}, steps);
        const double gamma = gamma_bound(2 * static_cast<double>(steps)) * (1 + 0x1p-20);
        y.bound = convert_in_steps<float>(x, checkpoint, [&](float value) {
            return static_cast<float>(gamma * magnitude(magnitude_of(value)));
        });
    }
    data.outputs.push_back({"Y", std::move(y)});
}

AffineMap repeat_map(AffineMap step, std::int64_t steps) {
    expects(steps >= 0, "repeat_map: steps below 0");
    const auto after = [](const AffineMap& second, const AffineMap& first) {
        return AffineMap{second.scale * first.scale, second.scale * first.shift + second.shift};
    };
    AffineMap all;
    for (; steps > 0; steps /= 2) {
        if (steps % 2 != 0) all = after(step, all);
        step = after(step, step);
    }
    return all;
}

}  // namespace kwb
