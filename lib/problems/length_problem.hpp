// What problems over a row of N numbers have in common.
#pragma once

#include "problems/problem.hpp"

namespace kwb {

class LengthProblem : public Problem {
public:
    std::vector<std::string> size_names() const override { return {"N"}; }
    Sizes default_sizes() const override { return {{"N", 1 << 24}}; }
    /// 1, primes, and one below and above each of: a vector, a work-group, and a work-group whose work-items
    /// take several vectors each; all at most 100003.
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override;

protected:
    /// An instance with the sizes and the scalar N alone.
    ProblemInstance start(const Sizes& sizes) const;
    static std::int64_t length_of(const Sizes& sizes);
};

}  // namespace kwb
