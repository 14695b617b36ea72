// The parameters of a kernel function, as a driver tells them.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

enum class AddressSpace { Private, Global, Constant, Local, Image, Other };

struct KernelParameter {
    std::string name;
    std::string type_name;  ///< as clGetKernelArgInfo writes it, without qualifiers: "float*", "uint"
    AddressSpace space = AddressSpace::Private;
    bool is_const = false;  ///< what it points to may not be written

    friend bool operator==(const KernelParameter&, const KernelParameter&) = default;
};

/// "const unsigned  int *" → "uint*": qualifiers and blanks gone, unsigned types by their short names.
std::string plain_type_name(std::string_view type);

}  // namespace kwb
