// Y = X: N floats, moved and not changed. The best time tells how fast the device's memory is.
#include "problems/shipped.hpp"

namespace kwb {
namespace {

class CopyProblem final : public RowProblem {
public:
    CopyProblem() : RowProblem("copy", "Copy, Y = X") {}

    ProblemInstance at(const Sizes& sizes) const override {
        ProblemInstance instance = start(sizes);
        const auto n = static_cast<std::uint64_t>(extent_of(sizes, "N"));
        instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::Write, {n}}};
        // Each number is read once and written once; nothing is computed.
        instance.cost = {0, 8 * static_cast<double>(n)};
        return instance;
    }

    bool has_host_library() const override { return true; }
};

}  // namespace

const Problem& copy_problem() {
    static const CopyProblem problem;
    return problem;
}

}  // namespace kwb
