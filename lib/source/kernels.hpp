// SPDX-License-Identifier: Apache-2.0
// Lists the kernel functions of a source before it is built.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/kernel_spec.hpp"
#include "source/read.hpp"
#include "source/syntax.hpp"

namespace kwb {

/// A __local variable of a kernel function: each work-group has its own.
struct LocalArray {
    std::string name;
    std::vector<std::uint64_t> extents;  ///< elements, the outermost first; empty: a single variable
    std::uint64_t bytes = 0;

    friend bool operator==(const LocalArray&, const LocalArray&) = default;
};

struct SourceKernel {
    std::string name;
    std::uint32_t line = 1;  ///< in the user's main file; for an included function, the line of the #include
    std::vector<KernelParameter> parameters;
    NamedList<std::size_t> records;  ///< parameters that are structures of only numbers: how many numbers
    NamedList<source::Record> structures;  ///< pointers to structures of only numbers
    std::vector<std::string> read;         ///< pointers to non-const through which it may read
    std::optional<std::array<std::uint64_t, 3>> work_group;  ///< reqd_work_group_size
    unsigned dimensions = 0;   ///< the highest dimension used in get_global_id() and similar calls, plus one
    bool uses_groups = false;  ///< it queries its work-group or its position there, or has a barrier
    std::array<std::string, 3>
        bounds;  ///< what its guards or loops compare its index in the NDRange with: an expression over
                 ///< parameters and macros, "n" or "M * N"; may be empty
    std::vector<LocalArray> local_arrays;  ///< those that it uses and whose sizes the compiler knows
};

/// @return  in source order, each name once; nullopt if the source cannot be parsed
/// Blocks like read_source(); never throws, whatever the text.
std::optional<std::vector<SourceKernel>> find_kernel_functions(const SourceText& source);

/// For a source that has already been parsed.
std::vector<SourceKernel> kernel_functions_of(const source::Program& program);

/// The first call of `name`, in source order, inside a function's body.
/// @return  line in the user's main file, from 1 (for an included file: that of its #include)
std::optional<std::uint32_t> find_first_call(const source::Program& program, std::string_view name);

/// True if a condition of the preprocessor depends on a name that compilers define (`#ifdef cl_khr_fp64`):
/// another compiler may see a different source.
bool depends_on_compiler(const SourceText& source);

// The local memory that kernel functions declare, for drivers that do not report it.

/// The size in bytes of all `__local` variables that each kernel function uses after their declaration;
/// compilers drop the others. Arguments are not counted.
/// @return  only functions whose sum is certain: the compiler knows every type and extent, and the sum does
///          not depend on a name that compilers define (`#ifdef cl_khr_fp64`)
/// Blocks like read_source(). Never throws, whatever the text.
std::map<std::string, std::uint64_t> find_local_memory(const SourceText& source);

}  // namespace kwb
