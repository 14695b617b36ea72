// Element types as NumPy knows them.
#pragma once

#include "base/npy.hpp"
#include "model/element.hpp"

namespace kwb {

/// @return  the type of one component; vectors are arrays with one more axis
NpyType npy_type(const ElementType& type);

}  // namespace kwb
