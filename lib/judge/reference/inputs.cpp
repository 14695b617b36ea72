// SPDX-License-Identifier: Apache-2.0
#include "judge/reference/inputs.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <type_traits>

#include "base/error.hpp"
#include "base/secret.hpp"
#include "base/sha256.hpp"

namespace kwb {
namespace {

/// The bits that make every scalar within 64 bits a quiet NaN, whatever the other bits are (IEEE 754, 6.2.1).
std::uint64_t quiet_nan_bits(Scalar scalar) {
    switch (scalar) {
        case Scalar::Float16:
            return 0x7E007E007E007E00u;
        case Scalar::Float32:
            return 0x7FC000007FC00000u;
        case Scalar::Float64:
            return 0x7FF8000000000000u;
        default:
            return 0;
    }
}

double normal_at(std::uint64_t stream, std::uint64_t index) {
    const double radius = std::sqrt(-2 * std::log(1 - share_at(stream, 2 * index)));
    return radius * std::cos(2 * std::numbers::pi * share_at(stream, 2 * index + 1));
}

/// A uniform random integer from fill.first to fill.second, both included.
std::int64_t integer_at(const Fill& fill, std::uint64_t stream, std::uint64_t index) {
    const auto least = static_cast<std::int64_t>(fill.first);
    const auto count = static_cast<std::uint64_t>(static_cast<std::int64_t>(fill.second) - least) + 1;
    return least + static_cast<std::int64_t>(random_at(stream, index) % count);
}

template <class T>
T content_at(const Fill& fill, std::uint64_t stream, std::uint64_t index) {
    if (fill.kind == FillKind::Integers) return static_cast<T>(integer_at(fill, stream, index));
    if (fill.kind == FillKind::Constant) return static_cast<T>(fill.first);
    if constexpr (std::is_integral_v<T>) {
        if (fill.kind == FillKind::Ramp)
            return static_cast<T>(static_cast<std::uint64_t>(static_cast<std::int64_t>(fill.first)) +
                                  index * static_cast<std::uint64_t>(static_cast<std::int64_t>(fill.second)));
    } else {
        if (fill.kind == FillKind::Ramp)
            return static_cast<T>(fill.first + fill.second * static_cast<double>(index));
        if (fill.kind == FillKind::Normal)
            return static_cast<T>(fill.first + fill.second * normal_at(stream, index));
        if (fill.kind == FillKind::Uniform) {
            // Rounding to a short type may reach the excluded end of the range; return its start instead.
            const T value = static_cast<T>(fill.first + (fill.second - fill.first) * share_at(stream, index));
            return static_cast<double>(value) < fill.second ? value : static_cast<T>(fill.first);
        }
    }
    throw ContractError(
        "make_content: an array brings its own content; integers are neither uniform nor normal");
}

template <class T>
void fill_with(std::span<std::byte> bytes, const Fill& fill, std::uint64_t stream,
               const Checkpoint& checkpoint) {
    in_steps(bytes.size() / sizeof(T), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            const T value = content_at<T>(fill, stream, i);
            std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
        }
    });
}

}  // namespace

std::string_view to_string(Pass pass) {
    return pass == Pass::Exact ? "exact" : "real";
}

std::uint64_t random_at(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double share_at(std::uint64_t seed, std::uint64_t index) {
    return static_cast<double>(random_at(seed, index) >> 11) * 0x1p-53;
}

std::uint64_t derive_seed(std::uint64_t seed, std::string_view purpose) {
    const std::string digest = sha256_hex(std::to_string(seed) + " " + std::string(purpose));
    std::uint64_t derived = 0;
    std::from_chars(digest.data(), digest.data() + 16, derived, 16);
    return derived;
}

std::uint64_t draw_seed() {
    return draw_secret() >> 11;
}

void fill_guard(std::span<std::byte> zone, const ElementType& type, std::uint64_t seed) {
    const std::uint64_t quiet = quiet_nan_bits(type.scalar);
    for (std::size_t at = 0; at < zone.size(); at += sizeof(std::uint64_t)) {
        const std::uint64_t word = random_at(seed, at) | quiet;
        std::memcpy(&zone[at], &word, std::min(sizeof word, zone.size() - at));
    }
}

std::vector<std::uint8_t> poison_pattern(const ElementType& type, Pass pass) {
    const std::size_t bytes = scalar_bytes(type.scalar);
    switch (type.scalar) {
        case Scalar::Float16:
            return {0xAD, 0x7E};
        case Scalar::Float32:
            return {0xAD, 0xDE, 0xC0, 0x7F};  // a quiet NaN that no arithmetic produces
        case Scalar::Float64:
            return {0xAD, 0xDE, 0, 0, 0, 0, 0xF8, 0x7F};
        default:
            return std::vector<std::uint8_t>(bytes, pass == Pass::Exact ? 0xA5 : 0x5A);
    }
}

std::vector<std::byte> make_content(const BufferSpec& buffer, const Fill& fill, std::uint64_t stream,
                                    const Checkpoint& checkpoint) {
    auto bytes = make_zeros<std::byte>(buffer.bytes(), checkpoint);
    with_scalar_type(buffer.type.scalar, [&]<class T>(T) { fill_with<T>(bytes, fill, stream, checkpoint); });
    return bytes;
}

}  // namespace kwb
