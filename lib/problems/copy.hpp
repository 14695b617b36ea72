// Y = X: N floats, moved and not changed. Its best time tells how fast a device's memory is.
#pragma once

#include "problems/problem.hpp"

namespace kwb {

class CopyProblem final : public Problem {
public:
    std::string name() const override { return "copy"; }
    std::string title() const override { return "Copy, Y = X"; }
    std::vector<std::string> size_names() const override { return {"N"}; }
    Sizes default_sizes() const override { return {{"N", 1 << 24}}; }
    std::vector<Sizes> awkward_sizes(std::int64_t tile) const override;
    ProblemInstance at(const Sizes& sizes) const override;
};

}  // namespace kwb
