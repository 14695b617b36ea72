// Chooses the values for the arguments of a kernel function whose file has no [launch].
#pragma once

#include <string>
#include <vector>

#include "model/kernel_spec.hpp"
#include "model/problem.hpp"
#include "session/own_options.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// An argument that is not a __local pointer, and its value.
struct ToldArgument {
    KernelParameter parameter;
    Written value;              ///< a buffer's name or an expression
    std::string how;            ///< where the value is from: "its name", "its name means it", "--args"
    bool needs_binding = true;  ///< false: the argument is named like its value
};

/// Match the arguments of `kernel` with the buffers and numbers of `problem`: by `--args`, else by name.
///
/// A piece of `--args` is `argument=value`, or a value alone. Values alone are assigned in the order of the
/// source to the first of these groups that has as many members and fits best: all arguments; all buffers;
/// all numbers; the arguments whose names match nothing; those and the ones matched only by a synonym.
/// __local pointers and arguments with `argument=value` are not counted.
/// @param file  for messages
/// @throws BadInput  an argument matches nothing, a value is unknown, too many or too few values, a buffer
///                   for a number, a buffer of another element type, an output that no argument is given
std::vector<ToldArgument> tell_arguments(const std::string& file, const SourceKernel& kernel,
                                         const ProblemInstance& problem, const OwnOptions& options);

/// The sizes of the __local pointers, in elements.
/// @throws BadInput  a size is missing, or is given for an argument that is not a __local pointer
NamedList<Written> tell_local_memory(const std::string& file, const SourceKernel& kernel,
                                     const OwnOptions& options);

// Suggestions for arguments whose values are unknown.

/// An argument that is not a __local pointer.
struct ArgumentToTell {
    KernelParameter parameter;
    std::string value;  ///< a buffer's name or an expression; empty: unknown
};

/// Suggest a value for each argument without one, in the order of the source: "a=A", "shape=[M,1]". Buffers
/// and numbers that no other argument has are used first. Pointers that the kernel may write to get outputs,
/// pointers to const get inputs; an offset gets 0.
std::vector<std::string> example_values(const std::vector<ArgumentToTell>& arguments,
                                        const ProblemInstance& problem);

}  // namespace kwb
