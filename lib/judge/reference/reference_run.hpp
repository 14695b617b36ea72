// The kernel that a person takes as the truth, run like any other: it may crash, hang, or be wrong itself.
#pragma once

#include <stdexcept>
#include <string>

#include "judge/processes/device_bench.hpp"
#include "judge/reference/reference.hpp"
#include "model/declared_instance.hpp"

namespace kwb {

/// There is no truth to compare with. what() is a sentence for the person that names the reference.
class ReferenceFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Build the reference and run it on the inputs of `data`; fast ones run twice, to see whether they agree
/// with themselves.
/// @param bench  for this alone; loses what it holds
/// @param data   inputs of this pass
/// @return  what it wrote into each output, in the order of declared.outputs
/// @throws ReferenceFailed  it does not compile, does not fit, crashes, hangs, writes outside of its buffers
///         or into its inputs, leaves elements unwritten, or gives different answers
NamedList<std::vector<std::byte>> run_reference(DeviceBench& bench, const DeclaredInstance& declared,
                                                const ReferenceSolver& solver, const PassData& data,
                                                const Checkpoint& checkpoint);

}  // namespace kwb
