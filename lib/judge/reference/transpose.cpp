// The transposed matrix.
#include "judge/reference/solvers.hpp"

#include <cblas.h>

#include <utility>

#include "judge/reference/inputs.hpp"
#include "judge/reference/large_arrays.hpp"

namespace kwb {
namespace {

/// Number of rows that are transposed together: their cache lines stay in the cache while columns are
/// written.
constexpr std::size_t kRows = 16;

class TransposeSolver final : public ReferenceSolver {
public:
    PassData make(const ProblemInstance& instance, Pass pass, std::uint64_t seed,
                  const Checkpoint& checkpoint) const override {
        const BufferSpec& buffer = *instance.find_buffer("A");
        PassData data;
        data.inputs.push_back({"A", make_float_input(buffer, pass, seed, kLargestInteger, checkpoint)});
        const std::span<const float> a = floats(std::as_const(data.inputs[0].value));
        const std::size_t rows = buffer.shape[0];
        const std::size_t columns = buffer.shape[1];
        std::vector<double> b = make_zeros<double>(a.size(), checkpoint);
        for (std::size_t top = 0; top < rows; top += kRows) {
            checkpoint();
            const std::size_t bottom = std::min(top + kRows, rows);
            for (std::size_t column = 0; column < columns; ++column)
                for (std::size_t row = top; row < bottom; ++row)
                    b[column * rows + row] = static_cast<double>(a[row * columns + column]);
        }
        data.outputs.push_back({"B", OutputReference{std::move(b), {}}});
        return data;
    }
    bool has_host_library() const override { return true; }
    void run_host_library(const ProblemInstance& instance, const PassData& inputs,
                          std::vector<std::vector<std::byte>>& outputs) const override {
        const BufferSpec& a = *instance.find_buffer("A");
        const auto rows =
            static_cast<int>(a.shape[0]);  // extents are at most INT32_MAX (problems/problem.cpp)
        const auto columns = static_cast<int>(a.shape[1]);
        cblas_somatcopy(CblasRowMajor, CblasTrans, rows, columns, 1.0f,
                        floats(*find_named(inputs.inputs, "A")).data(), columns, floats(outputs[0]).data(),
                        rows);
    }
    bool every_input_matters() const override { return true; }
};

}  // namespace

const ReferenceSolver& transpose_solver() {
    static const TransposeSolver solver;
    return solver;
}

}  // namespace kwb
