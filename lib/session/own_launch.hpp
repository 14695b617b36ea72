// Chooses the NDRange of a kernel function whose file has no [launch].
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

/// Global and local sizes: from the options if given. Otherwise the local size is that of
/// reqd_work_group_size, and the global size is taken from the guards of the kernel (`if (row < M)`), else
/// one work-item per element of the problem's output, innermost extent first; a one-dimensional kernel gets
/// the number of its elements. Global sizes that are not from an option are rounded up to whole work-groups.
/// A kernel that never queries its position in the NDRange gets one work-group.
/// @param arguments  from tell_arguments()
/// @throws BadInput  the global size cannot be deduced, there are more than three sizes, or the numbers of
///                   local and global sizes differ
ToldExtents tell_extents(const std::string& file, const SourceKernel& kernel,
                         const std::vector<ToldArgument>& arguments, const Problem& problem,
                         const OwnOptions& options);

/// The extents of the first output whose extents are all sizes of the problem, else of the first such input,
/// as names of the sizes, innermost first; empty if there is none.
/// @param buffer  receives the name of that buffer
std::vector<std::string> natural_extents(const Problem& problem, std::string& buffer);

}  // namespace kwb
