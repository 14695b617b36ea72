// SPDX-License-Identifier: Apache-2.0
// Chooses the arguments and the NDRange of a kernel function whose file has no [launch].
#pragma once

#include <array>
#include <string>
#include <vector>

#include "experiment/own_options.hpp"
#include "model/kernel_spec.hpp"
#include "model/problem.hpp"
#include "model/result.hpp"
#include "problems/problem.hpp"
#include "source/kernels.hpp"

namespace kwb {

/// The extents of a work-group in expressions.
inline constexpr std::array<const char*, 3> kLocalNames = {"local.x", "local.y", "local.z"};

/// An argument that is not a __local pointer, and its value.
struct BoundArgument {
    KernelParameter parameter;
    Written value;                ///< a buffer's name or an expression; empty text: not known yet
    bool by_elimination = false;  ///< no name matches it, but nothing else is left
};

/// Match the arguments of `kernel` with the buffers and numbers of `problem`: by `--args`, else by name, else
/// by elimination.
///
/// A piece of `--args` is `argument=value`, or only a value. Unnamed values are assigned in the order of the
/// source to the first of these groups that has as many members and fits best: all arguments; all buffers;
/// all numbers; the arguments whose names match nothing; those and the ones matched only by a synonym.
/// __local pointers and arguments with `argument=value` are not counted.
/// @param file  for messages
/// @throws BadInput  an argument matches nothing, a value is unknown, too many or too few values, a buffer
///                   for a number, a buffer of another element type, an output that is not bound to an
///                   argument
std::vector<BoundArgument> bind_arguments(const std::string& file, const SourceKernel& kernel,
                                          const ProblemInstance& problem, const OwnOptions& options);

/// Advice on a type that is not known, in brackets; empty if it cannot be a macro's name.
std::string advise_on_type(const std::string& type);

/// The sizes of the __local pointers, in elements.
/// @throws BadInput  a size is missing, or is given for an argument that is not a __local pointer
NamedList<Written> size_local_memory(const std::string& file, const SourceKernel& kernel,
                                     const OwnOptions& options);

struct ChosenExtents {
    std::vector<Written> global;
    std::optional<std::vector<Written>> local;  ///< none: the driver chooses
    std::string global_how;                     ///< "--global", "one work-item per element of C", …
    std::string local_how;
};

/// Global and local sizes: from the options if given. Otherwise the local size is that of
/// reqd_work_group_size, and the global size is taken from the guards of the kernel (`if (row < M)`), else
/// one work-item per element of the problem's output, innermost extent first; a one-dimensional kernel gets
/// the number of its elements. Global sizes that are not from an option are rounded up to whole work-groups.
/// A kernel that never queries its position in the NDRange gets one work-group.
/// @param arguments  from bind_arguments()
/// @throws BadInput  the global size cannot be deduced, there are more than three sizes, or the numbers of
///                   local and global sizes differ
ChosenExtents choose_extents(const std::string& file, const SourceKernel& kernel,
                             const std::vector<BoundArgument>& arguments, const Problem& problem,
                             const OwnOptions& options);

/// Advice on a bad verdict for a launch whose global size was guessed; empty if it was not, or if another
/// launch would not change this verdict.
std::string advise_on_guess(const KernelResult& result, const KernelSpec& kernel);

/// Guess the other order: rows along x, where columns were.
/// @return  false if the launch was not guessed, or is not over two dimensions
bool swap_guess(KernelSpec& kernel);

/// The extents of a buffer, outermost first; one that is not a size of the problem is empty.
struct NamedShape {
    std::string buffer;
    Access access = Access::Read;
    std::vector<std::string> extents;
};

/// @return  empty if the problem has none at the sizes that this tries
std::vector<NamedShape> named_shapes(const Problem& problem);

/// The extents of the first output whose extents are all sizes of the problem, else of the first such input,
/// as names of the sizes, innermost first; empty if there is none.
/// @param buffer  receives the name of that buffer
std::vector<std::string> natural_extents(const Problem& problem, std::string& buffer);

/// The only size of the problem that is passed to a kernel, if rows of one of its buffers have another
/// length: with N alone, it cannot find a row of A, which has K elements, unless K is N.
/// @param file  with a launch
/// @return empty: the kernel gets each length, or there is none; it has a [require], which states its needs;
///          or the size is unknown, e.g. because the kernel queries the NDRange's size, or the source cannot
///          be read
/// Blocks like read_source().
std::string only_size_of(const KernelFile& file, const Problem& problem);

}  // namespace kwb
