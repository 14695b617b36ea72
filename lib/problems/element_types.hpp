// Element types that problems use, by short names.
#pragma once

#include "model/element.hpp"

namespace kwb {

inline constexpr ElementType kFloat{Scalar::Float32, 1};
inline constexpr ElementType kInt{Scalar::Int32, 1};
inline constexpr ElementType kUInt{Scalar::UInt32, 1};

}  // namespace kwb
