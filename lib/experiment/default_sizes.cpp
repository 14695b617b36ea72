// SPDX-License-Identifier: Apache-2.0
#include "experiment/default_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/text.hpp"

namespace kwb {
namespace {

/// A buffer of the cache's size still hits it mostly: measured on a core with 2 MiB, the inputs of matmul
/// cost a naive kernel nothing at 768 (2.25 MiB), and half of its time at 1024 (4 MiB).
constexpr std::uint64_t kTimesCache = 2;

/// The most operations for each compute unit. A naive kernel takes one to two seconds for them: measured on
/// two cores with 2 MiB, 1.5 s for matmul at 1024.
constexpr double kFlopsOfUnit = 1.2e9;

constexpr std::uint64_t kMostBufferBytes = 512 << 20;  ///< of all buffers

std::uint64_t largest_input(const ProblemInstance& instance) {
    std::uint64_t bytes = 0;
    for (const BufferSpec& buffer : instance.buffers)
        if (buffer.access != Access::Write) bytes = std::max(bytes, buffer.bytes());
    return bytes;
}

bool is_affordable(const ProblemInstance& instance, const DeviceInfo& device) {
    std::uint64_t bytes = 0;
    for (const BufferSpec& buffer : instance.buffers) bytes += buffer.bytes();
    return bytes <= kMostBufferBytes &&
           instance.cost.flops <= kFlopsOfUnit * static_cast<double>(device.compute_units);
}

}  // namespace

Sizes default_sizes_on(const Problem& problem, const DeviceInfo* device) {
    Sizes sizes = problem.default_sizes();
    // The author of a problem knows its sizes. Of other devices than CPUs the cache is unknown.
    if (!problem.file().empty() || device == nullptr || device->second_level_cache_bytes == 0) return sizes;
    while (largest_input(problem.at(sizes)) < kTimesCache * device->second_level_cache_bytes) {
        const auto edge = static_cast<std::uint64_t>(sizes.front().value);
        const std::uint64_t step = std::max<std::uint64_t>(256, std::bit_floor(edge) / 4);
        Sizes larger = problem.square(static_cast<std::int64_t>(edge + step));
        if (!is_affordable(problem.at(larger), *device)) break;
        sizes = std::move(larger);
    }
    return sizes;
}

std::string describe_default_sizes(const Problem& problem, const Sizes& sizes, const DeviceInfo& device) {
    if (sizes == problem.default_sizes()) return "";
    const std::uint64_t bytes = largest_input(problem.at(sizes));
    if (bytes <= device.second_level_cache_bytes) return "";
    return fmt::format("inputs of {} exceed the {} second-level cache", format_bytes(bytes),
                       format_bytes(device.second_level_cache_bytes));
}

}  // namespace kwb
