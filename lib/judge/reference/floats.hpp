// The bytes of a buffer, seen as floats.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kwb {

inline std::span<const float> floats(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

inline std::span<float> floats(std::vector<std::byte>& bytes) {
    return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

}  // namespace kwb
