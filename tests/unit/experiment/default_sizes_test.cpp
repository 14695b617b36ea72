// SPDX-License-Identifier: Apache-2.0
#include "experiment/default_sizes.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace kwb;

namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

DeviceInfo cpu_with(std::uint64_t cache_bytes, std::uint64_t compute_units) {
    DeviceInfo device;
    device.kind = DeviceKind::Cpu;
    device.second_level_cache_bytes = cache_bytes;
    device.compute_units = compute_units;
    return device;
}

std::int64_t edge_on(const char* problem, const DeviceInfo& device) {
    return default_sizes_on(get_problem(problem), &device).front().value;
}

}  // namespace

TEST_CASE("a CPU's cache chooses the size at which its misses show") {
    // Second-level caches of processors from 2010 to 2026, with 8 cores.
    CHECK(edge_on("matmul", cpu_with(256 * kKiB, 8)) == 512);
    CHECK(edge_on("matmul", cpu_with(512 * kKiB, 8)) == 512);
    CHECK(edge_on("matmul", cpu_with(1 * kMiB, 8)) == 768);
    CHECK(edge_on("matmul", cpu_with(1280 * kKiB, 8)) == 1024);
    CHECK(edge_on("matmul", cpu_with(2 * kMiB, 8)) == 1024);
    CHECK(edge_on("matmul", cpu_with(4 * kMiB, 8)) == 1536);
    CHECK(edge_on("matmul", cpu_with(32 * kMiB, 8)) == 1536);  // as much as a first run may take
    CHECK(edge_on("matmul", cpu_with(32 * kMiB, 1)) == 768);
    CHECK(edge_on("matmul:double", cpu_with(2 * kMiB, 8)) == 768);
    CHECK(edge_on("transpose", cpu_with(2 * kMiB, 8)) == 2048);
    CHECK(edge_on("transpose", cpu_with(32 * kMiB, 8)) == 4096);
    CHECK(edge_on("scan", cpu_with(32 * kMiB, 2)) == 1 << 24);
    CHECK(edge_on("fma_chain", cpu_with(32 * kMiB, 2)) == 1 << 20);  // arithmetic, not memory
}

TEST_CASE("each default is the usual size or an affordable larger one, and says so truly") {
    for (const Problem* problem : all_problems()) {
        for (std::uint64_t cache = 256 * kKiB; cache <= 32 * kMiB; cache *= 2) {
            INFO(problem->name() << " with a cache of " << cache);
            const DeviceInfo device = cpu_with(cache, 4);
            const Sizes usual = problem->default_sizes(), sizes = default_sizes_on(*problem, &device);
            REQUIRE(sizes.size() == usual.size());
            for (std::size_t i = 0; i < sizes.size(); ++i) CHECK(sizes[i].value >= usual[i].value);
            std::uint64_t largest = 0;
            for (const BufferSpec& buffer : problem->at(sizes).buffers)
                if (buffer.access != Access::Write) largest = std::max(largest, buffer.bytes());
            const std::string words = describe_default_sizes(*problem, sizes, device);
            CHECK(words.empty() == (sizes == usual || largest <= cache));
        }
    }
}

TEST_CASE("without a known cache, the usual size") {
    const Problem& matmul = get_problem("matmul");
    CHECK(default_sizes_on(matmul, nullptr) == matmul.default_sizes());
    DeviceInfo gpu = cpu_with(0, 100);
    gpu.kind = DeviceKind::Gpu;
    CHECK(default_sizes_on(matmul, &gpu) == matmul.default_sizes());
    const DeviceInfo cpu = cpu_with(2 * kMiB, 2);
    CHECK(describe_default_sizes(matmul, default_sizes_on(matmul, &cpu), cpu) ==
          "inputs of 4 MiB exceed the 2 MiB second-level cache");
}
