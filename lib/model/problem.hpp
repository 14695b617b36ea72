// SPDX-License-Identifier: Apache-2.0
// A problem at one size: the arguments of its kernels and its cost.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/named.hpp"
#include "base/record.hpp"
#include "model/element.hpp"

namespace kwb {

/// Extents by name in the problem's own order, e.g. M=512, N=256, K=1024; each at least 1.
using Sizes = NamedList<std::int64_t>;

/// True if there are several extents and all are equal, so that one number can stand for them.
bool is_square(const Sizes& sizes);

/// "M=512 N=256 K=1024", or "512" if all are equal.
std::string to_string(const Sizes& sizes);

enum class Access { Read, Write, ReadWrite };

template <>
inline constexpr auto kEnumNames<Access> = std::to_array<std::string_view>({"read", "write", "read_write"});

struct BufferSpec {
    std::string name;
    ElementType type;
    Access access = Access::Read;
    std::vector<std::uint64_t> shape;  ///< row-major extents, outermost first
    bool is_normalized = false;        ///< see ImageShape

    std::uint64_t elements() const;
    std::uint64_t bytes() const { return elements() * type.bytes(); }
};

using ScalarValue = std::variant<std::int64_t, double>;

struct ScalarSpec {
    std::string name;
    ElementType type;
    ScalarValue value;
};

struct Cost {
    double flops = 0;               ///< floating-point operations of one run
    double bytes = 0;               ///< minimum number of bytes moved between device memory and the kernel
    bool is_multiply_adds = false;  ///< the operations are multiply-adds, two each
};

struct ProblemInstance {
    std::string problem;
    Sizes sizes;
    std::vector<BufferSpec> buffers;
    std::vector<ScalarSpec> scalars;
    Cost cost;

    const BufferSpec* find_buffer(std::string_view name) const;
    const ScalarSpec* find_scalar(std::string_view name) const;
    std::vector<std::string> argument_names() const;
};

}  // namespace kwb
