#include "base/version.hpp"

namespace kwb {

std::string kwb_version() {
    return KWB_VERSION;
}

}  // namespace kwb
