#include "problems/length_problem.hpp"

#include "base/error.hpp"
#include "problems/element_types.hpp"
#include "problems/extents.hpp"

namespace kwb {

std::vector<Sizes> LengthProblem::awkward_sizes(std::int64_t tile) const {
    std::vector<Sizes> all;
    for (const std::int64_t length : awkward_lengths(tile)) all.push_back({{"N", length}});
    return all;
}

std::int64_t LengthProblem::length_of(const Sizes& sizes) {
    const std::int64_t* const n = find_named(sizes, "N");
    expects(n != nullptr && *n >= 1, "LengthProblem: N is missing or below 1");
    return *n;
}

ProblemInstance LengthProblem::start(const Sizes& sizes) const {
    ProblemInstance instance;
    instance.problem = name();
    instance.sizes = sizes;
    instance.scalars = {{"N", kInt, length_of(sizes)}};
    return instance;
}

}  // namespace kwb
