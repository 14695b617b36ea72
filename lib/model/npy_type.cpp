#include "model/npy_type.hpp"

namespace kwb {

NpyType npy_type(const ElementType& type) {
    const bool is_signed = type.scalar == Scalar::Int8 || type.scalar == Scalar::Int16 ||
                           type.scalar == Scalar::Int32 || type.scalar == Scalar::Int64;
    return {type.is_floating() ? 'f' : is_signed ? 'i' : 'u', scalar_bytes(type.scalar)};
}

}  // namespace kwb
