// A parameter of a kernel function, as reported by the driver or read in the source.
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
    std::string type_name;  ///< as clGetKernelArgInfo writes it, without qualifiers: "float*", "uint"; with
                            ///< typedefs resolved if the source was read
    AddressSpace space = AddressSpace::Private;
    bool is_const = false;  ///< pointer to const

    bool is_value() const { return space == AddressSpace::Private; }
    bool is_local() const { return space == AddressSpace::Local; }
    bool is_buffer() const { return space == AddressSpace::Global || space == AddressSpace::Constant; }
    /// The type of the value, or of what the pointer points to: "float" for "float*".
    std::string element_type() const {
        return type_name.substr(0, type_name.size() - (type_name.ends_with('*') ? 1 : 0));
    }

    friend bool operator==(const KernelParameter&, const KernelParameter&) = default;
};

}  // namespace kwb
