#include "judge/reference/inputs.hpp"

#include <bit>
#include <cstring>

namespace kwb {

namespace {

/// The bits that make every scalar within 64 bits a quiet NaN, whatever the others are (IEEE 754, 6.2.1).
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

std::uint64_t derive_seed(std::uint64_t seed, std::string_view purpose) {
    std::uint64_t derived = random_at(seed, purpose.size());
    for (const char c : purpose) derived = random_at(derived, static_cast<unsigned char>(c));
    return derived;
}

void fill_uniform(std::span<float> values, std::uint64_t seed, std::uint64_t first) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        // 24 bits are what a float's significand holds: every value is exact.
        const auto bits = static_cast<std::int32_t>(random_at(seed, first + i) >> 40);
        values[i] = static_cast<float>(bits - (1 << 23)) * 0x1p-23f;
    }
}

void fill_integers(std::span<float> values, std::uint64_t seed, unsigned magnitude, std::uint64_t first) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t random = random_at(seed, first + i);
        const auto size = static_cast<float>(1 + (random >> 32) % magnitude);
        values[i] = (random & 1u) != 0 ? size : -size;
    }
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
            return {0xAD, 0xDE, 0xC0, 0x7F};  // a quiet NaN that no arithmetic makes
        case Scalar::Float64:
            return {0xAD, 0xDE, 0, 0, 0, 0, 0xF8, 0x7F};
        default:
            return std::vector<std::uint8_t>(bytes, pass == Pass::Exact ? 0xA5 : 0x5A);
    }
}

}  // namespace kwb
