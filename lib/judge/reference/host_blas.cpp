#include "judge/reference/host_blas.hpp"

#include <cblas.h>

namespace kwb {

std::string host_blas_name() {
    // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …": the first two words say enough.
    const std::string config = openblas_get_config();
    const std::size_t end = config.find(' ', config.find(' ') + 1);
    return config.substr(0, end) + " (" + openblas_get_corename() + ", " +
           std::to_string(openblas_get_num_threads()) + " threads)";
}

}  // namespace kwb
