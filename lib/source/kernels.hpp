// The kernel functions of a source, before it is built.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "source/read.hpp"

namespace kwb {

struct SourceParameter {
    enum class Kind {
        Buffer,  ///< a pointer to __global or __constant
        Local,   ///< a pointer to __local
        Value,   ///< a number or a vector of them
        Other    ///< an image, a sampler, …
    };
    std::string name;
    std::string type;  ///< of the value, or of what the pointer points to: "float", "uint", "float4";
                       ///< typedefs of the source followed
    Kind kind = Kind::Value;
    bool is_const = false;     ///< of a pointer: what it points to is only read (const, or __constant)
    bool in_constant = false;  ///< a buffer in __constant memory

    friend bool operator==(const SourceParameter&, const SourceParameter&) = default;
};

struct SourceKernel {
    std::string name;
    std::uint32_t line = 1;  ///< in the person's own file; of an included function: that of its #include
    std::vector<SourceParameter> parameters;
    std::optional<std::array<std::uint64_t, 3>> work_group;  ///< reqd_work_group_size
    unsigned dimensions = 0;   ///< one more than the highest that get_global_id() and the like are asked for
    bool uses_groups = false;  ///< it asks for its work-group or its place in it, or has a barrier
    std::array<std::string, 3>
        bounds;  ///< what its guards or loops compare its place in the NDRange with, as
                 ///< an expression over parameters and macros: "n", "M * N"; may be empty
};

/// @return  in the order of the text, each name once; nothing for source that cannot be read
/// Blocks as read_source() does; never throws on any text.
std::optional<std::vector<SourceKernel>> find_kernel_functions(const SourceText& source);

/// Of a source that has been read.
std::vector<SourceKernel> kernel_functions_of(const source::Program& program);

/// The first call of `name`, in the order of the text, inside a function's body.
/// @return  line of the person's own file, from 1 (in an included file: that of its #include)
std::optional<std::uint32_t> find_first_call(const source::Program& program, std::string_view name);

}  // namespace kwb
