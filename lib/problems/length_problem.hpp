// What problems over a row of N numbers have in common.
#pragma once

#include "problems/problem.hpp"

namespace kwb {

class LengthProblem : public Problem {
public:
    std::vector<std::string> size_names() const override { return {"N"}; }
    Sizes default_sizes() const override { return {{"N", 1 << 24}}; }
    /// Each of awkward_lengths().
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override;

protected:
    /// An instance with the sizes and the scalar N alone.
    ProblemInstance start(const Sizes& sizes) const;
    static std::int64_t length_of(const Sizes& sizes);
};

}  // namespace kwb
