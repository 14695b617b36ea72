// Convolution in double precision, with an error bound for each element.
#include "judge/reference/solvers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "judge/reference/inputs.hpp"
#include "judge/reference/large_arrays.hpp"
#include "judge/reference/reference.hpp"

namespace kwb {
namespace {

/// The largest factor for which no sum over the filter exceeds 2^24, so that a float represents it exactly.
unsigned exact_magnitude(std::size_t edge) {
    unsigned magnitude = 16;
    while (magnitude > 1 && edge * edge * magnitude * magnitude > (1u << 24)) --magnitude;
    return magnitude;
}

/// to[x] += weight · from[x] for a whole row, a loop that compilers vectorize.
void add_row(std::span<double> to, const double* from, double weight) {
    for (std::size_t x = 0; x < to.size(); ++x) to[x] += weight * from[x];
}

std::vector<double> convolve(const BufferSpec& result, std::size_t edge, const std::vector<double>& image,
                             const std::vector<double>& filter, const Checkpoint& checkpoint) {
    const std::size_t rows = result.shape[0];
    const std::size_t columns = result.shape[1];
    const std::size_t pitch = columns + edge - 1;
    std::vector<double> sums = make_zeros<double>(rows * columns, checkpoint);
    for (std::size_t y = 0; y < rows; ++y) {
        checkpoint();
        const std::span<double> row = std::span(sums).subspan(y * columns, columns);
        for (std::size_t i = 0; i < edge; ++i)
            for (std::size_t j = 0; j < edge; ++j)
                add_row(row, &image[(y + i) * pitch + j], filter[i * edge + j]);
    }
    return sums;
}

class ConvolutionSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        const BufferSpec& result = *instance.find_buffer("result");
        const std::size_t edge = instance.find_buffer("filter")->shape[0];
        PassData data;
        for (const char* name : {"image", "filter"})
            data.inputs.push_back({name, make_float_input(*instance.find_buffer(name), pass, seed,
                                                          exact_magnitude(edge), checkpoint)});
        const std::span<const float> image = floats(std::as_const(data.inputs[0].value));
        const std::span<const float> filter = floats(std::as_const(data.inputs[1].value));
        const auto widen = [](float x) { return static_cast<double>(x); };
        const auto magnitude = [](float x) { return std::fabs(static_cast<double>(x)); };

        OutputReference reference;
        reference.expected = convolve(result, edge, convert_in_steps<double>(image, checkpoint, widen),
                                      convert_in_steps<double>(filter, checkpoint, widen), checkpoint);
        if (pass == Pass::Real) {
            const std::vector<double> sums =
                convolve(result, edge, convert_in_steps<double>(image, checkpoint, magnitude),
                         convert_in_steps<double>(filter, checkpoint, magnitude), checkpoint);
            // The last factor covers the rounding of this product itself.
            const double gamma = gamma_bound(static_cast<double>(edge * edge)) * (1 + 0x1p-20);
            reference.bound = convert_in_steps<float>(std::span(sums), checkpoint, [&](double sum) {
                return std::max(static_cast<float>(gamma * sum), 0x1p-126f);
            });
        }
        data.outputs.push_back({"result", std::move(reference)});
        return data;
    }
    bool every_input_matters() const override { return true; }
};

}  // namespace

const ReferenceSolver& convolution_solver() {
    static const ConvolutionSolver solver;
    return solver;
}

}  // namespace kwb
