// SPDX-License-Identifier: Apache-2.0
#include "base/version.hpp"

namespace kwb {

std::string kwb_version() {
    return KWB_VERSION;
}

}  // namespace kwb
