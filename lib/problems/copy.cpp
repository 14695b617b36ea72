#include "problems/copy.hpp"

#include "problems/element_types.hpp"

namespace kwb {

ProblemInstance CopyProblem::at(const Sizes& sizes) const {
    ProblemInstance instance = start(sizes);
    const auto n = static_cast<std::uint64_t>(length_of(sizes));
    instance.buffers = {{"X", kFloat, Access::Read, {n}}, {"Y", kFloat, Access::Write, {n}}};
    // Each number is read once and written once; nothing is computed.
    instance.cost = {0, 8 * static_cast<double>(n)};
    return instance;
}

}  // namespace kwb
