#include "judge/verify/output_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/half.hpp"
#include "judge/reference/large_arrays.hpp"
#include "judge/verify/output_check.hpp"
#include "model/error_map.hpp"

namespace kwb {
namespace {

/// 2^exponent for -1022 … 1023. Called for every element, and much faster than std::ldexp.
double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// The e for which |value| is in [2^e, 2^(e+1)); -1023 for subnormal numbers.
int exponent_of(double value) {
    return static_cast<int>((std::bit_cast<std::uint64_t>(value) >> 52) & 0x7ff) - 1023;
}

/// `value` as meant in a declaration: 0.1 for a float means 0.1f, which is slightly larger.
/// @param most  the type's largest finite number
template <class T>
double at_least_as(double value, double most) {
    return value > most ? value : std::max(value, static_cast<double>(static_cast<T>(value)));
}

constexpr std::uint64_t kMostComparedCells = 256;

float share_of_bound(double expected, double got, double bound) {
    if (got == expected) return 0;
    const double share = std::fabs(got - expected) / bound;
    return share <= static_cast<double>(std::numeric_limits<float>::max())
               ? static_cast<float>(share)
               : std::numeric_limits<float>::infinity();  // also if `share` is NaN
}

}  // namespace

double unit_in_last_place(double value, Scalar scalar) {
    // Smallest exponent and relative spacing of IEEE 754 binary16, binary32 and binary64.
    int least = 0;
    double spacing = 0;
    switch (scalar) {
        case Scalar::Float16:
            least = -14, spacing = 0x1p-10;
            break;
        case Scalar::Float32:
            least = -126, spacing = 0x1p-23;
            break;
        case Scalar::Float64:
            least = -1022, spacing = 0x1p-52;
            break;
        default:
            return 1;
    }
    return power_of_two(std::isfinite(value) ? std::max(least, exponent_of(value)) : least) * spacing;
}

double allowed_error(const Tolerance& tolerance, double expected, Scalar scalar) {
    const double bound = tolerance.absolute + tolerance.relative * std::fabs(expected);
    if (tolerance.ulp == 0) return bound;
    return std::max(bound, tolerance.ulp * unit_in_last_place(expected, scalar));
}

OutputReference make_output_reference(const BufferSpec& buffer, std::span<const std::byte> right,
                                      const Tolerance& tolerance, const Checkpoint& checkpoint) {
    const BufferSpec flat = as_scalars(buffer);
    const Scalar scalar = flat.type.scalar;
    OutputReference reference;
    reference.expected = make_zeros<double>(flat.elements(), checkpoint);
    reference.tolerance = tolerance;
    double& absolute = reference.tolerance.absolute;
    if (scalar == Scalar::Float32) absolute = at_least_as<float>(absolute, 0x1.fffffep127);
    if (scalar == Scalar::Float16) absolute = at_least_as<Half>(absolute, 65504);
    const bool is_wide = scalar == Scalar::Int64 || scalar == Scalar::UInt64;
    if (is_wide) reference.content = copy_in_steps(right, checkpoint);
    const std::size_t step = flat.type.bytes();
    in_steps(reference.expected.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i)
            reference.expected[i] = read_scalar(scalar, &right[i * step]);
    });
    return reference;
}

std::vector<std::string> describe_unchecked(const PassData& data, const Checkpoint& checkpoint) {
    std::vector<std::string> sentences;
    for (const auto& [name, reference] : data.outputs) {
        std::ptrdiff_t unfinite = 0;
        in_steps(reference.expected.size(), checkpoint,
                 [&, &values = reference.expected](std::size_t first, std::size_t count) {
                     const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
                     unfinite += std::count_if(begin, begin + static_cast<std::ptrdiff_t>(count),
                                               [](double value) { return !std::isfinite(value); });
                 });
        if (unfinite > 0)
            sentences.push_back(fmt::format(
                "{} of {} expected values of {} are not finite: only that is checked there; fill the "
                "inputs with other numbers to see more",
                unfinite, reference.expected.size(), name));
    }
    return sentences;
}

ComparedElements::ComparedElements(const BufferSpec& spec, std::span<const float> got) : got_(got) {
    expects(spec.shape.size() == 2 && got.size() == spec.elements(), "ComparedElements: not a matrix");
    map_.buffer = spec.name;
    map_.rows = static_cast<std::uint32_t>(std::min(spec.shape[0], kMostComparedCells));
    map_.columns = static_cast<std::uint32_t>(std::min(spec.shape[1], kMostComparedCells));
    map_.extents = MapExtents{spec.shape[0], spec.shape[1]};
    map_.worst_share.assign(std::size_t{map_.rows} * map_.columns, -1);  // less than every share
    map_.worst_elements.resize(map_.worst_share.size());
}

void ComparedElements::compare(std::uint64_t element, double expected, double bound) {
    ++compared_;
    const auto got = static_cast<double>(got_[element]);
    const float share = share_of_bound(expected, got, bound);
    if (share > 1) wrong_.push_back({element, expected});
    const std::size_t cell = cell_of(map_, element);
    if (share <= map_.worst_share[cell]) return;
    map_.worst_share[cell] = share;
    map_.worst_elements[cell] = {element, static_cast<double>(static_cast<float>(expected)), got};
}

const std::vector<ComparedElements::Wrong>& ComparedElements::sorted_wrong() {
    std::ranges::sort(wrong_, {}, &Wrong::element);
    const auto is_same = [](const Wrong& a, const Wrong& b) { return a.element == b.element; };
    wrong_.erase(std::unique(wrong_.begin(), wrong_.end(), is_same), wrong_.end());
    return wrong_;
}

}  // namespace kwb
