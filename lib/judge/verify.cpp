#include "judge/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "judge/in_steps.hpp"

namespace kwb {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
double read_as(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
}

double read_half(const std::byte* at) {
    return static_cast<double>(read_as<_Float16>(at));
}

using Reader = double (*)(const std::byte*);

Reader reader_of(Scalar scalar) {
    switch (scalar) {
        case Scalar::Int8:
            return read_as<std::int8_t>;
        case Scalar::UInt8:
            return read_as<std::uint8_t>;
        case Scalar::Int16:
            return read_as<std::int16_t>;
        case Scalar::UInt16:
            return read_as<std::uint16_t>;
        case Scalar::Int32:
            return read_as<std::int32_t>;
        case Scalar::UInt32:
            return read_as<std::uint32_t>;
        case Scalar::Int64:
            return read_as<std::int64_t>;
        case Scalar::UInt64:
            return read_as<std::uint64_t>;
        case Scalar::Float16:
            return read_half;
        case Scalar::Float32:
            return read_as<float>;
        case Scalar::Float64:
            return read_as<double>;
    }
    throw ContractError("reader_of: unknown scalar");
}

/// The error of one element as share of its bound: 0 is exact, above 1 is wrong.
double error_share(double got, double expected, const OutputReference& reference, std::size_t i) {
    if (got == expected) return 0;
    const double error = std::fabs(got - expected);
    if (!std::isfinite(error)) return kInfinity;
    return reference.bound.empty() ? kInfinity : error / static_cast<double>(reference.bound[i]);
}

}  // namespace

std::vector<std::uint64_t> index_of(std::uint64_t element, const std::vector<std::uint64_t>& shape) {
    std::vector<std::uint64_t> index(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        index[d] = element % shape[d];
        element /= shape[d];
    }
    return index;
}

OutputCheck check_output(const BufferSpec& spec, std::span<const std::byte> got,
                         const OutputReference& reference, std::span<const std::uint8_t> poison,
                         const Checkpoint& checkpoint) {
    expects(spec.type.width == 1, "check_output: vector elements are checked as scalars");
    expects(got.size() == spec.bytes() && reference.expected.size() == spec.elements(),
            "check_output: sizes differ");
    const Reader read = reader_of(spec.type.scalar);
    const std::size_t step = spec.type.bytes();
    OutputCheck check;
    const auto look_at = [&](std::size_t i) {
        const std::byte* at = got.data() + i * step;
        const double value = read(at);
        const double expected = reference.expected[i];
        const double share = error_share(value, expected, reference, i);
        check.worst_share = std::max(check.worst_share, share);
        if (!(std::fabs(value - expected) <= 1e-8 + 1e-5 * std::fabs(expected))) check.numpy_allclose = false;
        if (share <= 1) return;
        ++check.wrong;
        const bool unwritten = std::memcmp(at, poison.data(), std::min(step, poison.size())) == 0;
        if (unwritten)
            ++check.unwritten;
        else if (!std::isfinite(value))
            ++check.not_a_number;
        if (check.first_wrong.size() < kFirstWrong)
            check.first_wrong.push_back({index_of(i, spec.shape), expected, value, spec.name});
    };
    in_steps(reference.expected.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) look_at(i);
    });
    return check;
}

ErrorMap make_error_map(const BufferSpec& spec, std::span<const std::byte> got,
                        const OutputReference& reference, const Checkpoint& checkpoint) {
    constexpr std::uint64_t kMostCells = 256;
    const std::uint64_t columns = spec.shape.back();
    const std::uint64_t rows = spec.elements() / columns;
    ErrorMap map;
    map.buffer = spec.name;
    map.rows = static_cast<std::uint32_t>(std::min(rows, kMostCells));
    map.columns = static_cast<std::uint32_t>(std::min(columns, kMostCells));
    map.extents = MapExtents{rows, columns};
    map.worst_share.assign(std::size_t{map.rows} * map.columns, 0.0f);
    const Reader read = reader_of(spec.type.scalar);
    const std::size_t step = spec.type.bytes();
    in_steps(spec.elements(), checkpoint, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            const double share =
                error_share(read(got.data() + i * step), reference.expected[i], reference, i);
            const std::uint64_t cell_row = i / columns * map.rows / rows;
            const std::uint64_t cell_column = i % columns * map.columns / columns;
            float& cell = map.worst_share[cell_row * map.columns + cell_column];
            cell = std::max(cell, static_cast<float>(share));
        }
    });
    return map;
}

std::optional<std::size_t> first_difference(std::span<const std::byte> a, std::span<const std::byte> b,
                                            const Checkpoint& checkpoint) {
    expects(a.size() == b.size(), "first_difference: sizes differ");
    std::optional<std::size_t> found;
    in_steps(a.size(), checkpoint, [&](std::size_t first, std::size_t count) {
        if (found || std::memcmp(&a[first], &b[first], count) == 0) return;
        const auto begin = a.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(count);
        const auto other = b.begin() + static_cast<std::ptrdiff_t>(first);
        found = static_cast<std::size_t>(std::mismatch(begin, end, other).first - a.begin());
    });
    return found;
}

}  // namespace kwb
