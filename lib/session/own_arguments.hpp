// What each argument of somebody's kernel function is given.
#pragma once

#include <string>
#include <vector>

#include "model/kernel_spec.hpp"
#include "model/problem.hpp"
#include "session/own_options.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// One argument that is no __local pointer, and what it is given.
struct ToldArgument {
    SourceParameter parameter;
    Written value;              ///< a buffer's name or an expression
    std::string how;            ///< "its name", "its name, usually spelled so", "--args"
    bool needs_binding = true;  ///< false: it has the name itself
};

/// Match the arguments of `kernel` with what `problem` has: by `--args`, else by name.
///
/// A piece of `--args` is `argument=value`, or a value alone. Values alone are for, whichever has as many:
/// all arguments; all buffers; all numbers; those that the names do not tell; in the order of the source.
/// __local pointers do not count.
/// @param file  for messages
/// @param macros  names that expressions may use beside the problem's
/// @throws BadInput  an argument that fits nothing, a value that is nothing, too many or too few of them, a
///                   buffer for a number, a buffer of another type
std::vector<ToldArgument> tell_arguments(const std::string& file, const SourceKernel& kernel,
                                         const ProblemInstance& problem, const OwnOptions& options);

/// The sizes of the __local pointers.
/// @throws BadInput  a missing one, one for an argument that is none
NamedList<Written> tell_local_memory(const std::string& file, const SourceKernel& kernel,
                                     const OwnOptions& options);

// What a person could write where nothing tells what an argument is given.

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
