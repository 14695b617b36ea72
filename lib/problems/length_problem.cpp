#include "problems/length_problem.hpp"

#include <set>

#include "base/error.hpp"
#include "problems/element_types.hpp"

namespace kwb {
namespace {

/// Longer ones show nothing new, and cost time on a device that crawls.
constexpr std::int64_t kLongest = 100003;

}  // namespace

std::vector<Sizes> LengthProblem::awkward_sizes(std::int64_t tile) const {
    expects(tile >= 1, "LengthProblem: tile must be at least 1");
    std::set<std::int64_t> lengths = {1,       2, 3, 5, 31, 97, 1009, 4096,  // a power of two
                                      kLongest};                             // a prime
    const auto around = [&](std::int64_t multiple) {
        for (const std::int64_t length : {multiple - 1, multiple, multiple + 1})
            if (length >= 1 && length <= kLongest) lengths.insert(length);
    };
    for (const std::int64_t vector : {4, 16, 128}) around(vector);
    for (const std::int64_t times : {1, 4, 16, 128})
        if (tile <= kLongest / times) around(tile * times);
    std::vector<Sizes> all;
    for (const std::int64_t length : lengths) all.push_back({{"N", length}});
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
