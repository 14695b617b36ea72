// How many work-items somebody's kernel function is launched over, where nobody says it.
#pragma once

#include <string>
#include <vector>

#include "model/kernel_spec.hpp"
#include "problems/problem.hpp"
#include "session/own_arguments.hpp"
#include "session/own_options.hpp"
#include "source/kernels.hpp"

namespace kwb {

struct ToldExtents {
    std::vector<Written> global;
    std::optional<std::vector<Written>> local;  ///< none: the driver chooses
    std::string global_how;                     ///< "--global", "one work-item an element of C", …
    std::string local_how;
};

/// Global and local sizes: from the options, else local from reqd_work_group_size, and global from the guards
/// of the kernel (`if (row < M)`), else one work-item an element of what the problem writes, innermost extent
/// first; for a kernel of one dimension, of all its elements in a row. Rounded up to whole work-groups.
/// @param arguments  from tell_arguments()
/// @throws BadInput  nothing tells it, more than three sizes, local and global that differ in number
ToldExtents tell_extents(const std::string& file, const SourceKernel& kernel,
                         const std::vector<ToldArgument>& arguments, const Problem& problem,
                         const OwnOptions& options);

/// The extents of the buffer that a problem writes, else of one that it reads, as the problem's size names,
/// innermost first; empty if they are no sizes.
std::vector<std::string> natural_extents(const Problem& problem, std::string& buffer);

}  // namespace kwb
