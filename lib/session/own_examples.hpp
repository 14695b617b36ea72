// What a person could write where nothing tells what an argument is given.
#pragma once

#include <string>
#include <vector>

#include "model/problem.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// An argument that is no __local pointer.
struct ArgumentToTell {
    SourceParameter parameter;
    std::string value;  ///< a buffer's name or an expression; empty: open
};

/// "a=A", "shape=[M,1]" for each argument that is open, in the order of the source: buffers and sizes that no
/// other argument has, each once, while there are any. What a kernel may write gets outputs, what it only
/// reads gets inputs; an offset is 0.
std::vector<std::string> example_values(const std::vector<ArgumentToTell>& arguments,
                                        const ProblemInstance& problem);

}  // namespace kwb
