#include "problems/scan.hpp"

#include "problems/element_types.hpp"

namespace kwb {

ProblemInstance ScanProblem::at(const Sizes& sizes) const {
    ProblemInstance instance = start(sizes);
    const auto n = static_cast<std::uint64_t>(length_of(sizes));
    instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::Write, {n}}};
    // N - 1 additions, one after the other; each number is read once and each sum written once.
    instance.cost = {static_cast<double>(n - 1), 8 * static_cast<double>(n)};
    return instance;
}

}  // namespace kwb
