// Y = X after S steps of x ← A · x + B, by repeated squaring in double precision.
#include "judge/reference/solvers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "judge/reference/inputs.hpp"
#include "judge/reference/large_arrays.hpp"
#include "judge/reference/reference.hpp"

namespace kwb {
namespace {

/// Exact pass: |X| ≤ 1000, |B| ≤ 4, A = 1. No sum exceeds 1000 + 4 S, which a float represents exactly.
constexpr unsigned kExactX = 1000;
constexpr unsigned kExactB = 4;
constexpr std::int64_t kMostExactSteps = ((1 << 24) - kExactX) / kExactB;

/// Real pass: all X are multiples of this. Different values still differ after S = 4096 steps: the difference
/// is at least a^S / 256 > e^-1 / 256 = 1.4e-3, and 2 S roundings of numbers below 2 in each of the two
/// chains change it by at most 2 * 2 S u = 9.8e-4.
constexpr float kGrid = 0x1p-8f;

/// Uniform in [0, 1).
double share_at(std::uint64_t seed) {
    return static_cast<double>(random_at(seed, 0) >> 11) * 0x1p-53;
}

void fill_grid(std::span<float> values, std::uint64_t seed, std::uint64_t first) {
    fill_uniform(values, seed, first);
    for (float& value : values) value = std::floor(value / kGrid) * kGrid;
}

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
    const double c = 0.25 + 0.75 * share_at(derive_seed(stream, "a"));
    const double b = (0.5 + 0.5 * share_at(derive_seed(stream, "b"))) / s;
    return {static_cast<float>(1 - c / s), static_cast<float>((random_at(stream, 1) & 1u) != 0 ? b : -b)};
}

std::vector<std::byte> one_float(float value) {
    std::vector<std::byte> bytes(sizeof value);
    floats(bytes)[0] = value;
    return bytes;
}

/// Exact pass: A = 1, all other numbers are small integers, so every step is exact.
/// Real pass: A is slightly below 1 and |B| at most 1 / S, so that a change of X is still visible after S
/// steps and no intermediate number is large or denormal.
class FmaChainSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        const std::int64_t steps = std::get<std::int64_t>(instance.find_scalar("S")->value);
        expects(steps >= 1 && steps <= kMostExactSteps, "FmaChainSolver: steps out of range");
        const Step step = make_step(pass, seed, steps);

        auto bytes = make_zeros<std::byte>(instance.find_buffer("X")->bytes(), checkpoint);
        const std::span<float> x = floats(bytes);
        const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + "X");
        in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
            if (pass == Pass::Exact)
                fill_integers(x.subspan(first, count), stream, kExactX, first);
            else
                fill_grid(x.subspan(first, count), stream, first);
        });

        const double a = static_cast<double>(step.a);
        const double b = static_cast<double>(step.b);
        const AffineMap truth = repeat_map({a, b}, steps);
        OutputReference y;
        y.expected = convert_in_steps<double>(std::span<const float>(x), checkpoint,
                                              [&](float value) { return truth(static_cast<double>(value)); });
        if (pass == Pass::Real) {
            // A chain is Horner's rule for the polynomial x a^S + b a^(S-1) + … + b. Its error is at most
            // gamma_2S times the same polynomial of magnitudes (Higham 2002, section 5.1), with or without
            // fused operations. The last factor covers the rounding of this product itself.
            const AffineMap magnitude = repeat_map({std::fabs(a), std::fabs(b)}, steps);
            const double gamma = gamma_bound(2 * static_cast<double>(steps)) * (1 + 0x1p-20);
            y.bound = convert_in_steps<float>(std::span<const float>(x), checkpoint, [&](float value) {
                return static_cast<float>(gamma * magnitude(std::fabs(static_cast<double>(value))));
            });
        }
        PassData data;
        data.inputs.push_back({"X", std::move(bytes)});
        data.inputs.push_back({"A", one_float(step.a)});
        data.inputs.push_back({"B", one_float(step.b)});
        data.outputs.push_back({"Y", std::move(y)});
        return data;
    }
    bool every_input_matters() const override { return true; }
};

}  // namespace

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

const ReferenceSolver& fma_chain_solver() {
    static const FmaChainSolver solver;
    return solver;
}

}  // namespace kwb
