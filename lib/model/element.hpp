// What a buffer or a scalar argument is made of.
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

    /// Size in memory; three components take the room of four (OpenCL C 6.1.5).
    std::size_t bytes() const;
    bool is_floating() const { return scalar >= Scalar::Float16; }

    friend bool operator==(const ElementType&, const ElementType&) = default;
};

std::size_t scalar_bytes(Scalar scalar);

/// "float", "uint4": the name in OpenCL C.
std::string to_string(const ElementType& type);

/// @param name  as OpenCL C or clGetKernelArgInfo write it ("unsigned int" too)
/// @return  nothing for a name that is none of these types
std::optional<ElementType> parse_element_type(std::string_view name);

/// @return  the type of one component; vectors are arrays with one more axis
NpyType npy_type(const ElementType& type);

}  // namespace kwb
