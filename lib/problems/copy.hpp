// Y = X: N floats, moved and not changed. Its best time tells how fast a device's memory is.
#pragma once

#include "problems/length_problem.hpp"

namespace kwb {

class CopyProblem final : public LengthProblem {
public:
    std::string name() const override { return "copy"; }
    std::string title() const override { return "Copy, Y = X"; }
    ProblemInstance at(const Sizes& sizes) const override;
    bool has_host_library() const override { return true; }
};

}  // namespace kwb
