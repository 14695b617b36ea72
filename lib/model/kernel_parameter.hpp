// A parameter of a kernel function, as reported by the driver or declared in the source.
#pragma once

#include <string>

#include "base/record.hpp"

namespace kwb {

/// Address space of a parameter, or of the memory it points to. Other: samplers, pipes, pointers of unknown
/// address space.
enum class AddressSpace { Private, Global, Constant, Local, Image, Other };

template <>
inline constexpr auto kEnumNames<AddressSpace> =
    std::to_array<std::string_view>({"private", "global", "constant", "local", "image", "other"});

struct KernelParameter {
    std::string name;
    std::string type_name;  ///< as clGetKernelArgInfo writes it, without qualifiers: "float*", "uint"
    AddressSpace space = AddressSpace::Private;
    bool is_const = false;  ///< pointer to const

    friend bool operator==(const KernelParameter&, const KernelParameter&) = default;
};

}  // namespace kwb
