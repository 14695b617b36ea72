// SPDX-License-Identifier: Apache-2.0
// Element types of buffers and scalar arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/npy.hpp"

namespace kwb {

enum class Scalar { Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float16, Float32, Float64 };

/// An OpenCL C scalar or vector type, e.g. float, uint4.
struct ElementType {
    Scalar scalar = Scalar::Float32;
    unsigned width = 1;  ///< components: 1, 2, 3, 4, 8 or 16

    /// Size in memory; a vector of three components is as large as one of four (OpenCL C 6.1.5).
    std::size_t bytes() const;
    bool is_floating() const { return scalar >= Scalar::Float16; }

    friend bool operator==(const ElementType&, const ElementType&) = default;
};

std::size_t scalar_bytes(Scalar scalar);

/// The type's name in OpenCL C: "float", "uint4".
std::string to_string(const ElementType& type);

/// @param name  as written in OpenCL C or by clGetKernelArgInfo, e.g. "unsigned int"
/// @return  nullopt if the name is not a supported type
std::optional<ElementType> parse_element_type(std::string_view name);

/// @return  the type of one component; in .npy files a vector is an additional axis
NpyType npy_type(const ElementType& type);

}  // namespace kwb
