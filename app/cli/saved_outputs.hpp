// --save-outputs: what kernels wrote, as arrays for NumPy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/request.hpp"
#include "session/snapshot.hpp"

namespace kwb::cli {

/// Find out whether arrays can be written there, and make the folder if it is missing.
/// @throws BadInput  it is no folder or cannot be written; an output is too large to be sent
void prepare_outputs(const std::filesystem::path& folder, const ProblemInstance& instance);

/// Write `folder/<kernel>.<buffer>.npy` for each output: `matmul/tiled` becomes `matmul_tiled`, a file
/// `mine.cl` becomes `mine`, the second of one name gets a number. Vectors have their components as last
/// axis.
/// @return  what was written, as a sentence for people; empty if nothing was
/// @throws BadInput  naming the file that cannot be written
std::string save_outputs(const std::filesystem::path& folder, const RunRequest& request,
                         const std::vector<WrittenOutput>& outputs);

}  // namespace kwb::cli
