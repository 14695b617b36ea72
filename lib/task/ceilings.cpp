// SPDX-License-Identifier: Apache-2.0
#include "task/ceilings.hpp"

#include <algorithm>
#include <cstdint>

#include "experiment/opened_experiment.hpp"
#include "problems/problem.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// More than the six rounds that an interval requires (stats::kLeastIntervalSamples), but few, because the
/// complete output is compared after each round.
constexpr std::uint32_t kComputeRounds = 11;
constexpr std::uint32_t kMemoryRounds = 7;

/// Both problems have two buffers of N floats.
constexpr std::uint64_t kBytesPerElement = 8;

Sizes sized(std::uint64_t wanted_bytes, const DeviceInfo& device) {
    const auto known = [](std::uint64_t bytes) { return bytes > 0 ? bytes : UINT64_MAX; };
    const std::uint64_t most_bytes =
        std::min(known(device.global_mem_bytes / 8), known(2 * device.max_alloc_bytes));
    const std::uint64_t bytes = std::min({wanted_bytes, most_bytes, INT32_MAX * kBytesPerElement});
    return {{"N", std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes / kBytesPerElement))}};
}

std::uint64_t units_of(const DeviceInfo& device) {
    return std::max<std::uint64_t>(1, device.compute_units);
}

struct Candidate {
    const char* kernel;
    NamedList<std::string> params;
};

/// For all number types: no multiply-adds are faster than those of floats.
bool is_product(std::string_view problem) {
    return split_typed_name(problem).first == "matmul";
}

NamedList<std::string> chains(const char* width, const char* chains) {
    return {{"WIDTH", width}, {"CHAINS", chains}};
}

/// A CPU core has 16 or 32 vector registers, which must hold all chains of a work-item and two more operands:
/// 8 vectors of 8 floats take 8 registers with AVX and 16 with NEON; 8 or 16 vectors of 16 floats need the 32
/// of AVX-512. A work-item of a GPU can use about 32 registers before occupancy drops.
std::vector<Candidate> compute_candidates(const DeviceInfo& device) {
    constexpr const char* kChain = "fma_chain/fma_chain";
    if (device.kind == DeviceKind::Gpu)
        return {{kChain, chains("1", "8")}, {kChain, chains("4", "4")}, {kChain, chains("4", "8")}};
    return {{kChain, chains("16", "8")}, {kChain, chains("16", "16")}, {kChain, chains("8", "8")}};
}

std::vector<Candidate> memory_candidates() {
    return {{"copy/copy", {}},
            {"copy/vectors", {{"WIDTH", "4"}}},
            {"copy/vectors", {{"WIDTH", "16"}}},
            {"copy/streamed", {}}};
}

RunRequest race(const Catalogue& kernels, const std::vector<Candidate>& candidates,
                const std::string& problem, const Sizes& sizes, std::uint32_t rounds,
                const DeviceInfo& device) {
    RunRequest all;
    for (const Candidate& candidate : candidates) {
        OpenedExperiment experiment;
        experiment.contestants = {kernels.open(candidate.kernel)};
        experiment.choices.params = candidate.params;
        experiment.rounds = rounds;
        experiment.xray = false;
        RunRequest one = make_request(experiment, get_problem(problem), sizes, device);
        if (all.contestants.empty())
            all = std::move(one);
        else
            all.contestants.push_back(std::move(one.contestants.front()));
    }
    return all;
}

/// Replace `best` if `rate` is higher. The rate is work divided by time, so the ends of its interval are
/// swapped.
void keep_better(std::optional<Ceiling>& best, const KernelResult& result, std::optional<double> rate) {
    if (!rate || *rate <= 0 || (best && best->value >= *rate)) return;
    best = Ceiling{*rate, std::nullopt, result.kernel, result.params};
    if (!result.ci95_ms || result.ci95_ms->low <= 0) return;
    const double work = *rate * *result.median_ms;
    best->ci95 = Interval{work / result.ci95_ms->high, work / result.ci95_ms->low};
}

}  // namespace

// A CPU core executes about 2^29 steps of 16 chains per second, so 2^19 chains per core take about 20 ms.
// They are 64 work-groups at the kernel's defaults (PoCL schedules 32 at a time). A compute unit of a GPU is
// about twice as fast: 2^17 chains take a few ms, long compared with the launch overhead of about 10 µs and
// the tail of the last work-groups.
Sizes choose_compute_size(const DeviceInfo& device) {
    const std::uint64_t per_unit = device.kind == DeviceKind::Gpu ? 1u << 17 : 1u << 19;
    return sized(std::min<std::uint64_t>(units_of(device) * per_unit, 1u << 26) * kBytesPerElement, device);
}

// OpenCL does not report the size of the last-level cache. It is rarely above 16 MiB per CPU core, or 128 MiB
// in total on a GPU.
Sizes choose_memory_size(const DeviceInfo& device) {
    if (device.kind == DeviceKind::Gpu) return sized(512 * kMiB, device);
    return sized(std::clamp(units_of(device) * 64 * kMiB, 256 * kMiB, 1024 * kMiB), device);
}

std::vector<RunRequest> make_ceiling_requests(const Catalogue& kernels, const DeviceInfo& device) {
    return {race(kernels, compute_candidates(device), "fma_chain", choose_compute_size(device),
                 kComputeRounds, device),
            race(kernels, memory_candidates(), "copy", choose_memory_size(device), kMemoryRounds, device)};
}

std::vector<RunRequest> make_bound_requests(const Catalogue& kernels, const DeviceInfo& device,
                                            std::string_view problem) {
    constexpr std::uint32_t kRounds = 3;
    const bool is_gpu = device.kind == DeviceKind::Gpu;
    std::vector<RunRequest> requests;
    if (is_product(problem))
        requests.push_back(race(kernels, {compute_candidates(device).front()}, "fma_chain",
                                choose_compute_size(device), kRounds, device));
    // Small enough for the second and for the first level of usual caches, large enough to hide a launch.
    const Candidate copy = {"copy/vectors", {{"WIDTH", is_gpu ? "4" : "16"}}};
    for (const std::uint64_t bytes : {units_of(device) * kMiB, units_of(device) * kMiB / 8})
        requests.push_back(race(kernels, {copy}, "copy", sized(bytes, device), kRounds, device));
    return requests;
}

void bound_rates(RunRequest& request, std::span<const KernelResult> results) {
    constexpr double kMargin = 4;
    if (request.declared) return;
    const auto raise = [](std::optional<double>& most, const KernelResult& result,
                          std::optional<double> rate) {
        if (!rate || result.samples_ms.empty()) return;
        const double fastest = *rate * *result.median_ms / std::ranges::min(result.samples_ms);
        most = std::max(most.value_or(0), kMargin * fastest);
    };
    for (const KernelResult& result : results) {
        if (result.verdict != Verdict::Correct || !result.median_ms) continue;
        if (result.problem == "copy") raise(request.most_gbytes_s, result, result.gbytes_s);
        if (result.problem == "fma_chain" && is_product(request.problem))
            raise(request.most_gflops, result, result.gflops);
    }
}

Ceilings find_ceilings(std::span<const KernelResult> results) {
    Ceilings found;
    for (const KernelResult& result : results) {
        if (result.verdict != Verdict::Correct || !result.median_ms) continue;
        if (result.problem == "fma_chain") keep_better(found.gflops, result, result.gflops);
        if (result.problem == "copy") keep_better(found.gbytes_s, result, result.gbytes_s);
    }
    return found;
}

}  // namespace kwb
