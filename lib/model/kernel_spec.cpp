#include "model/kernel_spec.hpp"

namespace kwb {

std::string to_string(const ParamValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
    return std::get<std::string>(value);
}

}  // namespace kwb
