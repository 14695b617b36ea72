// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.hpp"

#include <sys/types.h>

#include <sha2.h>

#include <cstdint>

namespace kwb {

std::string sha256_hex(std::string_view data) {
    char hex[SHA256_DIGEST_STRING_LENGTH];
    SHA256Data(reinterpret_cast<const std::uint8_t*>(data.data()), data.size(), hex);
    return hex;
}

}  // namespace kwb
