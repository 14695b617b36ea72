// SPDX-License-Identifier: Apache-2.0
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

/// Floats: up to this, and for alpha a multiple of 1/2 below 4, alpha x + y is exact.
constexpr unsigned kExactVectorMagnitude = 1u << 20;

/// Floats: random signs keep every partial sum far below 2^24, up to which they represent every integer: 2^30
/// such numbers reach about 2^17.
constexpr unsigned kExactSumMagnitude = 4;

/// Signed integers: some are so large that no float represents them and their sums, and with all others they
/// add up to less than 2^31.
constexpr std::size_t kLargeTerms = 8;
constexpr std::uint64_t kLargestTerm = (1u << 27) - 1;
constexpr std::uint64_t kOtherTerms = (1u << 30) - 1;

void put_large_terms(std::span<std::int32_t> x, std::uint64_t stream) {
    for (std::size_t i = 0; i < kLargeTerms; ++i) {
        const std::uint64_t random = random_at(stream, i);
        x[(random >> 32) % x.size()] =
            static_cast<std::int32_t>(kLargestTerm / 2 + random % (kLargestTerm / 2));
    }
}

/// alpha · x + y, with the error bound for this number of roundings.
template <class T>
OutputReference multiply_add(double alpha, std::span<const T> x, std::span<const T> y, Pass pass,
                             int roundings, const Checkpoint& checkpoint) {
    OutputReference reference;
    reference.expected = make_zeros<double>(x.size(), checkpoint);
    if (!is_exact<T>(pass)) reference.bound = make_zeros<float>(x.size(), checkpoint);
    const double gamma =
        gamma_bound(roundings, kRoundoff<T>) * (1 + 0x1p-20);  // covers the rounding of this product itself
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            const double product = alpha * static_cast<double>(x[i]);
            const auto term = static_cast<double>(y[i]);
            reference.expected[i] = product + term;
            if (!is_exact<T>(pass))
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
constexpr double kGrid = 0x1p-8;

template <class T>
struct Step {
    T a, b;
};

template <class T>
Step<T> make_step(Pass pass, std::uint64_t seed, std::int64_t steps) {
    const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + "AB");
    if (pass == Pass::Exact) {
        T b = 0;
        fill_integers<T>({&b, 1}, stream, kExactB);
        return {1, b};
    }
    // a = 1 - c / S with c in [1/4, 1): a^S is in (e^-1, e^-1/4]. |b| in [1/2, 1) / S.
    const auto s = static_cast<double>(steps);
    const double c = 0.25 + 0.75 * share_at(derive_seed(stream, "a"), 0);
    const double b = (0.5 + 0.5 * share_at(derive_seed(stream, "b"), 0)) / s;
    return {static_cast<T>(1 - c / s), static_cast<T>((random_at(stream, 1) & 1u) != 0 ? b : -b)};
}

std::int64_t steps_of(const ProblemInstance& instance) {
    const std::int64_t steps = std::get<std::int64_t>(instance.find_scalar("S")->value);
    expects(steps >= 1 && steps <= kMostExactSteps, "fma_chain: steps out of range");
    return steps;
}

double alpha_of(const ProblemInstance& instance) {
    return std::visit([](auto value) { return static_cast<double>(value); },
                      instance.find_scalar("alpha")->value);
}

template <class T>
std::vector<std::byte> one_element(T number) {
    std::vector<std::byte> bytes(sizeof number);
    numbers_in<T>(bytes)[0] = number;
    return bytes;
}

/// Random numbers of any magnitude between 2^-40 and 2^40 and either sign. Uniform numbers in [-1, 1) would
/// have the same largest element in almost every run.
template <class T>
void fill_magnitudes(std::span<T> x, std::uint64_t stream, const Checkpoint& checkpoint) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr int kFractionBits = std::numeric_limits<T>::digits - 1;
    constexpr Bits kFraction = (Bits{1} << kFractionBits) - 1;
    constexpr std::uint64_t kExponents = 80;
    constexpr std::uint64_t kLeastExponent = std::numeric_limits<T>::max_exponent - 1 - 40;
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            const std::uint64_t exponent = kLeastExponent + random_at(stream, 2 * i) % kExponents;
            const std::uint64_t random = random_at(stream, 2 * i + 1);
            x[i] = std::bit_cast<T>(static_cast<Bits>(random >> 63 << (8 * sizeof(T) - 1) |
                                                      exponent << kFractionBits | (random & kFraction)));
        }
    });
}

}  // namespace

Contents copy_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                     const Checkpoint& checkpoint) {
    return with_number_type(instance, [&]<class T>(T) {
        return random_inputs<T>(instance, {"X"}, pass, seed, kCopiedMagnitude<T>, checkpoint);
    });
}

void solve_copy(const ProblemInstance& instance, Pass, PassData& data, Effort, const Checkpoint& checkpoint) {
    with_number_type(instance, [&]<class T>(T) {
        data.outputs.push_back(
            {"Y", {convert_in_steps<double>(input_of<T>(data, 0), checkpoint, to_double<T>), {}}});
    });
}

void copy_on_host(const ProblemInstance&, const PassData& inputs,
                  std::vector<std::vector<std::byte>>& outputs) {
    const std::span<const float> x = input_of<float>(inputs, 0);
    // A length is at most INT32_MAX (problems/problem.cpp).
    cblas_scopy(static_cast<int>(x.size()), x.data(), 1, numbers_in<float>(outputs[0]).data(), 1);
}

Contents vector_add_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                           const Checkpoint& checkpoint) {
    return with_number_type(instance, [&]<class T>(T) {
        const unsigned magnitude = std::is_integral_v<T> ? exact_magnitude<T>(2, 1) : kExactVectorMagnitude;
        return random_inputs<T>(instance, {"A", "B"}, pass, seed, magnitude, checkpoint);
    });
}

void solve_vector_add(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                      const Checkpoint& checkpoint) {
    with_number_type(instance, [&]<class T>(T) {
        data.outputs.push_back(
            {"C", multiply_add(1, input_of<T>(data, 0), input_of<T>(data, 1), pass, 1, checkpoint)});
    });
}

Contents saxpy_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                      const Checkpoint& checkpoint) {
    return with_number_type(instance, [&]<class T>(T) {
        const unsigned magnitude = std::is_integral_v<T>
                                       ? exact_magnitude<T>(std::fabs(alpha_of(instance)) + 1, 1)
                                       : kExactVectorMagnitude;
        return random_inputs<T>(instance, {"X", "Y"}, pass, seed, magnitude, checkpoint);
    });
}

void solve_saxpy(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                 const Checkpoint& checkpoint) {
    with_number_type(instance, [&]<class T>(T) {
        data.outputs.push_back({"Y", multiply_add(alpha_of(instance), input_of<T>(data, 0),
                                                  input_of<T>(data, 1), pass, 2, checkpoint)});
    });
}

Contents sum_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                    const Checkpoint& checkpoint) {
    return with_number_type(instance, [&]<class T>(T) {
        const std::uint64_t terms = instance.buffers.front().elements();
        const auto magnitude = std::is_integral_v<T>
                                   ? static_cast<unsigned>(std::max<std::uint64_t>(1, kOtherTerms / terms))
                                   : kExactSumMagnitude;
        Contents inputs = random_inputs<T>(instance, {"X"}, pass, seed, magnitude, checkpoint, Use::Summed);
        if constexpr (std::is_same_v<T, std::int32_t>)
            put_large_terms(numbers_in<T>(inputs[0].value),
                            derive_seed(seed, std::string(to_string(pass)) + "large X"));
        return inputs;
    });
}

void solve_sum(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
               const Checkpoint& checkpoint) {
    with_number_type(instance, [&]<class T>(T) {
        const std::span<const T> x = input_of<T>(data, 0);
        Sum<T> sum = 0;
        in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
            for (const T value : x.subspan(first, count)) sum += to_sum(value);
        });
        OutputReference reference{{from_sum<T>(sum)}, {}};
        if (!is_exact<T>(pass))
            reference.tolerance.absolute =
                RandomSumBound(kUniformDeviation, 1, kRoundoff<T>)(static_cast<double>(x.size()));
        data.outputs.push_back({"R", std::move(reference)});
    });
}

/// Exact pass: the last element is the largest, because the end is what kernels miss most often.
Contents max_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                    const Checkpoint& checkpoint) {
    return with_number_type(instance, [&]<class T>(T) {
        Contents inputs = random_inputs<T>(instance, {"X"}, pass, seed, kCopiedMagnitude<T> - 1, checkpoint);
        const std::span<T> x = numbers_in<T>(inputs[0].value);
        if (pass == Pass::Exact) x.back() = static_cast<T>(kCopiedMagnitude<T>);
        if constexpr (std::is_floating_point_v<T>)
            if (pass == Pass::Real) fill_magnitudes(x, derive_seed(seed, "magnitudes of X"), checkpoint);
        return inputs;
    });
}

void solve_max(const ProblemInstance& instance, Pass, PassData& data, Effort, const Checkpoint& checkpoint) {
    with_number_type(instance, [&]<class T>(T) {
        const std::span<const T> x = input_of<T>(data, 0);
        T largest = x[0];
        in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
            for (const T value : x.subspan(first, count)) largest = std::max(largest, value);
        });
        data.outputs.push_back({"R", {{to_double(largest)}, {}}});
    });
}

void solve_scan(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                const Checkpoint& checkpoint) {
    with_number_type(instance, [&]<class T>(T) {
        const std::span<const T> x = input_of<T>(data, 0);
        OutputReference reference;
        reference.expected = make_zeros<double>(x.size(), checkpoint);
        if (!is_exact<T>(pass)) reference.bound = make_zeros<float>(x.size(), checkpoint);
        const RandomSumBound bound(kUniformDeviation, static_cast<double>(x.size()), kRoundoff<T>);
        Sum<T> sum = 0;
        in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
            for (std::size_t i = first; i < first + count; ++i) {
                sum += to_sum(x[i]);
                reference.expected[i] = from_sum<T>(sum);
                if (!is_exact<T>(pass))
                    reference.bound[i] = static_cast<float>(bound(static_cast<double>(i + 1)));
            }
        });
        data.outputs.push_back({"Y", std::move(reference)});
    });
}

/// The numbers of a histogram are unsigned, or nonnegative integers of the same representation.
Contents histogram_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                          const Checkpoint& checkpoint) {
    const BufferSpec& buffer = *instance.find_buffer("X");
    const std::uint64_t bins = instance.find_buffer("H")->elements();
    const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + "X");
    auto bytes = make_zeros<std::byte>(buffer.bytes(), checkpoint);
    const std::span<std::uint32_t> x = numbers_in<std::uint32_t>(bytes);
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) x[i] = number_at(pass, stream, i, bins);
    });
    return {{"X", std::move(bytes)}};
}

void solve_histogram(const ProblemInstance& instance, Pass, PassData& data, Effort,
                     const Checkpoint& checkpoint) {
    const std::span<const std::uint32_t> x = input_of<std::uint32_t>(data, 0);
    std::vector<double> counts(instance.find_buffer("H")->elements());
    in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (const std::uint32_t value : x.subspan(first, count)) ++counts[value];
    });
    data.outputs.push_back({"H", {std::move(counts), {}}});
}

Contents fma_chain_inputs(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                          const Checkpoint& checkpoint) {
    return with_floating_type(instance, [&]<class T>(T) {
        const Step<T> step = make_step<T>(pass, seed, steps_of(instance));
        Contents inputs = random_inputs<T>(instance, {"X"}, pass, seed, kExactX, checkpoint);
        if (pass == Pass::Real) {
            const std::span<T> values = numbers_in<T>(inputs[0].value);
            constexpr auto kStep = static_cast<T>(kGrid);
            in_steps(values.size(), checkpoint, [&](std::size_t first, std::size_t count) {
                for (T& value : values.subspan(first, count)) value = std::floor(value / kStep) * kStep;
            });
        }
        inputs.push_back({"A", one_element(step.a)});
        inputs.push_back({"B", one_element(step.b)});
        return inputs;
    });
}

void solve_fma_chain(const ProblemInstance& instance, Pass pass, PassData& data, Effort,
                     const Checkpoint& checkpoint) {
    with_floating_type(instance, [&]<class T>(T) {
        const std::int64_t steps = steps_of(instance);
        const std::span<const T> x = input_of<T>(data, 0);
        const double a = to_double(input_of<T>(data, 1)[0]);
        const double b = to_double(input_of<T>(data, 2)[0]);
        const AffineMap truth = repeat_map({a, b}, steps);
        OutputReference y;
        y.expected =
            convert_in_steps<double>(x, checkpoint, [&](T value) { return truth(to_double(value)); });
        if (!is_exact<T>(pass)) {
            // A chain is Horner's rule for the polynomial x a^S + b a^(S-1) + … + b. Its error is at most
            // gamma_2S times the same polynomial of magnitudes (Higham 2002, section 5.1), with or without
            // fused operations. The last factor covers the rounding of this product itself.
            const AffineMap magnitude = repeat_map({std::fabs(a), std::fabs(b)}, steps);
            const double gamma = gamma_bound(2 * static_cast<double>(steps), kRoundoff<T>) * (1 + 0x1p-20);
            y.bound = convert_in_steps<float>(x, checkpoint, [&](T value) {
                return static_cast<float>(gamma * magnitude(magnitude_of(value)));
            });
        }
        data.outputs.push_back({"Y", std::move(y)});
    });
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
