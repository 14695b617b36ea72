// SPDX-License-Identifier: Apache-2.0
// Processes large arrays in steps, with a checkpoint before each step.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace kwb {

/// Called regularly during long computations; throws to stop them.
using Checkpoint = std::function<void()>;

inline const Checkpoint kNoCheckpoint = [] {};

/// Number of elements between two checkpoints: takes a few milliseconds, even if every page is touched for
/// the first time.
inline constexpr std::size_t kElementsPerStep = std::size_t{1} << 20;

/// Calls `step(first, count)` for consecutive parts of `count` elements.
template <class Step>
void in_steps(std::size_t count, const Checkpoint& checkpoint, Step&& step) {
    for (std::size_t first = 0; first < count; first += kElementsPerStep) {
        checkpoint();
        step(first, std::min(kElementsPerStep, count - first));
    }
}

/// Reserves memory for `count` elements, in huge pages where available: allocating and releasing it then
/// takes a tenth of the time.
template <class T>
void reserve_large(std::vector<T>& values, std::size_t count) {
    constexpr std::uintptr_t kHugePageBytes = std::uintptr_t{2} << 20;
    values.reserve(count);
    const auto data = reinterpret_cast<std::uintptr_t>(values.data());
    const std::uintptr_t from = (data + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
    const std::uintptr_t to = (data + count * sizeof(T)) / kHugePageBytes * kHugePageBytes;
    if (from < to) ::madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);  // only a hint
}

/// `count` elements of value zero.
template <class T>
std::vector<T> make_zeros(std::size_t count, const Checkpoint& checkpoint) {
    std::vector<T> values;
    reserve_large(values, count);
    in_steps(count, checkpoint, [&](std::size_t first, std::size_t n) { values.resize(first + n); });
    return values;
}

/// `with(x)` for each x in `from`.
template <class To, class From, class With>
std::vector<To> convert_in_steps(std::span<const From> from, const Checkpoint& checkpoint, With&& with) {
    std::vector<To> to;
    reserve_large(to, from.size());
    in_steps(from.size(), checkpoint, [&](std::size_t first, std::size_t n) {
        to.resize(first + n);
        std::transform(&from[first], &from[first] + n, &to[first], with);
    });
    return to;
}

/// A copy of `from`.
template <class T>
std::vector<T> copy_in_steps(std::span<const T> from, const Checkpoint& checkpoint) {
    std::vector<T> to;
    reserve_large(to, from.size());
    in_steps(from.size(), checkpoint, [&](std::size_t first, std::size_t n) {
        to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first),
                  from.begin() + static_cast<std::ptrdiff_t>(first + n));
    });
    return to;
}

}  // namespace kwb
