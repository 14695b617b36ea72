// The host's BLAS: what it is.
#pragma once

#include <string>

namespace kwb {

/// "OpenBLAS 0.3.21 (SkylakeX, 2 threads)"
std::string host_blas_name();

}  // namespace kwb
