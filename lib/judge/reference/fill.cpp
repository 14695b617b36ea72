#include "judge/reference/fill.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <type_traits>

#include "base/error.hpp"
#include "base/half.hpp"
#include "judge/in_steps.hpp"
#include "judge/reference/inputs.hpp"

namespace kwb {
namespace {

/// In [0, 1), of 53 bits.
double share_at(std::uint64_t stream, std::uint64_t index) {
    return static_cast<double>(random_at(stream, index) >> 11) * 0x1p-53;
}

double normal_at(std::uint64_t stream, std::uint64_t index) {
    const double radius = std::sqrt(-2 * std::log(1 - share_at(stream, 2 * index)));
    return radius * std::cos(2 * std::numbers::pi * share_at(stream, 2 * index + 1));
}

/// first, …, second
std::int64_t integer_at(const Fill& fill, std::uint64_t stream, std::uint64_t index) {
    const auto least = static_cast<std::int64_t>(fill.first);
    const auto count = static_cast<std::uint64_t>(static_cast<std::int64_t>(fill.second) - least) + 1;
    return least + static_cast<std::int64_t>(random_at(stream, index) % count);
}

template <class T>
T whole_at(const Fill& fill, std::uint64_t stream, std::uint64_t index) {
    switch (fill.kind) {
        case FillKind::Integers:
            return static_cast<T>(integer_at(fill, stream, index));
        case FillKind::Ramp:
            return static_cast<T>(static_cast<std::uint64_t>(static_cast<std::int64_t>(fill.first)) +
                                  index * static_cast<std::uint64_t>(static_cast<std::int64_t>(fill.second)));
        case FillKind::Constant:
            return static_cast<T>(fill.first);
        default:
            throw ContractError("make_content: whole numbers are filled with integers, a ramp or a constant");
    }
}

template <class T>
T real_at(const Fill& fill, std::uint64_t stream, std::uint64_t index) {
    switch (fill.kind) {
        case FillKind::Uniform: {
            // Rounding to a short type may reach the end: then the beginning stands in, which is allowed,
            // too.
            const T value = static_cast<T>(fill.first + (fill.second - fill.first) * share_at(stream, index));
            return static_cast<double>(value) < fill.second ? value : static_cast<T>(fill.first);
        }
        case FillKind::Normal:
            return static_cast<T>(fill.first + fill.second * normal_at(stream, index));
        case FillKind::Integers:
            return static_cast<T>(integer_at(fill, stream, index));
        case FillKind::Ramp:
            return static_cast<T>(fill.first + fill.second * static_cast<double>(index));
        case FillKind::Constant:
            return static_cast<T>(fill.first);
        case FillKind::Array:
            break;
    }
    throw ContractError("make_content: an array brings its own content");
}

template <class T>
void fill_with(std::span<std::byte> bytes, const Fill& fill, std::uint64_t stream,
               const Checkpoint& checkpoint) {
    in_steps(bytes.size() / sizeof(T), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            T value;
            if constexpr (std::is_integral_v<T>)
                value = whole_at<T>(fill, stream, i);
            else
                value = real_at<T>(fill, stream, i);
            std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
        }
    });
}

}  // namespace

std::vector<std::byte> make_content(const BufferSpec& buffer, const Fill& fill, std::uint64_t stream,
                                    const Checkpoint& checkpoint) {
    auto bytes = make_zeros<std::byte>(buffer.bytes(), checkpoint);
    const auto with = [&]<class T>(T) { fill_with<T>(bytes, fill, stream, checkpoint); };
    switch (buffer.type.scalar) {
        case Scalar::Int8:
            with(std::int8_t{});
            break;
        case Scalar::UInt8:
            with(std::uint8_t{});
            break;
        case Scalar::Int16:
            with(std::int16_t{});
            break;
        case Scalar::UInt16:
            with(std::uint16_t{});
            break;
        case Scalar::Int32:
            with(std::int32_t{});
            break;
        case Scalar::UInt32:
            with(std::uint32_t{});
            break;
        case Scalar::Int64:
            with(std::int64_t{});
            break;
        case Scalar::UInt64:
            with(std::uint64_t{});
            break;
        case Scalar::Float16:
            with(Half{});
            break;
        case Scalar::Float32:
            with(float{});
            break;
        case Scalar::Float64:
            with(double{});
            break;
    }
    return bytes;
}

}  // namespace kwb
