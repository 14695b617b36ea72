// Counts of numbers; exact in both passes.
#include "judge/reference/solvers.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "judge/reference/large_arrays.hpp"

namespace kwb {
namespace {

/// Exact pass: uniform over the bins. Real pass: the smallest of three uniform numbers; the low bins are hit
/// more often, which also tests colliding increments.
std::uint32_t number_at(Pass pass, std::uint64_t stream, std::uint64_t index, std::uint64_t bins) {
    const std::uint64_t random = random_at(stream, index);
    if (pass == Pass::Exact) return static_cast<std::uint32_t>(random % bins);
    const auto part = [&](int shift) { return (random >> shift & 0xFFFFu) * bins >> 16; };
    return static_cast<std::uint32_t>(std::min({part(0), part(16), part(32)}));
}

class HistogramSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        const BufferSpec& buffer = *instance.find_buffer("X");
        const std::uint64_t bins = instance.find_buffer("H")->elements();
        const std::uint64_t stream = derive_seed(seed, std::string(to_string(pass)) + "X");
        auto bytes = make_zeros<std::byte>(buffer.bytes(), checkpoint);
        const std::span<std::uint32_t> x{reinterpret_cast<std::uint32_t*>(bytes.data()), buffer.elements()};
        std::vector<double> counts(bins);
        in_steps(x.size(), checkpoint, [&](std::size_t first, std::size_t count) {
            for (std::size_t i = first; i < first + count; ++i) {
                x[i] = number_at(pass, stream, i, bins);
                ++counts[x[i]];
            }
        });
        PassData data;
        data.inputs.push_back({"X", std::move(bytes)});
        data.outputs.push_back({"H", OutputReference{std::move(counts), {}}});
        return data;
    }
    bool every_input_matters() const override { return true; }
};

}  // namespace

const ReferenceSolver& histogram_solver() {
    static const HistogramSolver solver;
    return solver;
}

}  // namespace kwb
