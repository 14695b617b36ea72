#include "judge/output_reference.hpp"

#include <algorithm>
#include <cmath>

#include "judge/in_steps.hpp"
#include "judge/verify.hpp"

namespace kwb {

double unit_in_last_place(double value, Scalar scalar) {
    // Significand bits and least exponent of IEEE 754's binary16, binary32 and binary64.
    int bits = 0;
    int least = 0;
    switch (scalar) {
        case Scalar::Float16:
            bits = 11, least = -14;
            break;
        case Scalar::Float32:
            bits = 24, least = -126;
            break;
        case Scalar::Float64:
            bits = 53, least = -1022;
            break;
        default:
            return 1;
    }
    const int exponent = value == 0 || !std::isfinite(value) ? least : std::max(least, std::ilogb(value));
    return std::ldexp(1.0, exponent - bits + 1);
}

OutputReference make_output_reference(const BufferSpec& buffer, std::span<const std::byte> right,
                                      const Tolerance& tolerance, const Checkpoint& checkpoint) {
    const BufferSpec flat = as_scalars(buffer);
    OutputReference reference;
    reference.expected = make_zeros<double>(flat.elements(), checkpoint);
    if (!tolerance.is_exact()) reference.bound = make_zeros<float>(flat.elements(), checkpoint);
    const bool is_wide = flat.type.scalar == Scalar::Int64 || flat.type.scalar == Scalar::UInt64;
    if (is_wide) reference.content = copy_in_steps(right, checkpoint);
    const std::size_t step = flat.type.bytes();
    in_steps(reference.expected.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            const double expected = read_scalar(flat.type.scalar, &right[i * step]);
            reference.expected[i] = expected;
            if (tolerance.is_exact()) continue;
            double bound = tolerance.absolute + tolerance.relative * std::fabs(expected);
            if (tolerance.ulp > 0)
                bound = std::max(bound, tolerance.ulp * unit_in_last_place(expected, flat.type.scalar));
            reference.bound[i] = static_cast<float>(bound);
        }
    });
    return reference;
}

}  // namespace kwb
