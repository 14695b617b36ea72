// SPDX-License-Identifier: Apache-2.0
// Random numbers that no other process can know.
#pragma once

#include <unistd.h>

#include <cstdint>

#include "base/error.hpp"

namespace kwb {

/// A random number from the system's generator; never 0.
inline std::uint64_t draw_secret() {
    std::uint64_t secret = 0;
    while (secret == 0)
        if (::getentropy(&secret, sizeof secret) != 0)
            throw EnvironmentError("the system provides no random numbers (getentropy)");
    return secret;
}

}  // namespace kwb
