// --save-outputs: what kernels wrote, as arrays for NumPy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "options.hpp"
#include "session/experiment.hpp"
#include "session/snapshot.hpp"

namespace kwb::cli {

/// Find out before anything runs whether arrays can be written to --save-outputs, and make the folder if it
/// is missing. Does nothing without this option.
/// @throws BadInput  it is no folder or cannot be written; one of the names that will be written is that of a
///         file of the experiment or of another output, or is taken by a link, a folder, a pipe or a device;
///         an output is too large to be sent
void prepare_outputs(const Options& options, const Experiment& experiment, const ProblemInstance& instance);

/// What became of them.
struct SavedOutputs {
    std::string told;   ///< what was written, as a sentence for people; empty if nothing was
    std::string error;  ///< what could not be, and why; empty if everything was
};

/// Write `DIR/<kernel>.<buffer>.npy` for each output: `matmul/tiled` becomes `matmul_tiled`, a file
/// `mine.cl` becomes `mine`, the second of one name gets a number. Vectors have their components as last
/// axis. Does nothing without --save-outputs.
SavedOutputs save_outputs(const Options& options, const Experiment& experiment,
                          const std::vector<WrittenOutput>& outputs);

}  // namespace kwb::cli
