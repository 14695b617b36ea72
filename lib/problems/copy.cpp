#include "problems/copy.hpp"

#include "base/error.hpp"
#include "problems/lengths.hpp"

namespace kwb {

std::vector<Sizes> CopyProblem::awkward_sizes(std::int64_t tile) const {
    return awkward_lengths("N", tile);
}

ProblemInstance CopyProblem::at(const Sizes& sizes) const {
    const std::int64_t* const n = find_named(sizes, "N");
    expects(n != nullptr && *n >= 1, "CopyProblem::at: N is missing or below 1");
    const auto elements = static_cast<std::uint64_t>(*n);
    constexpr ElementType kFloat{Scalar::Float32, 1};

    ProblemInstance instance;
    instance.problem = name();
    instance.sizes = sizes;
    instance.buffers = {{"X", kFloat, Access::Read, {elements}}, {"Y", kFloat, Access::Write, {elements}}};
    instance.scalars = {{"N", ElementType{Scalar::Int32, 1}, *n}};
    // Each number is read once and written once; nothing is computed.
    instance.cost = {0, 8 * static_cast<double>(*n)};
    return instance;
}

}  // namespace kwb
