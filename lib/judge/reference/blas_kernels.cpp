// SPDX-License-Identifier: Apache-2.0
#include "judge/reference/blas_kernels.hpp"

#include <cblas.h>

#include <algorithm>
#include <cstdlib>

namespace kwb {
namespace {

constexpr const char* kChosenKernels = "OPENBLAS_CORETYPE";
/// Of this program: the kernels that the library had chosen before this program chose others.
constexpr const char* kReplacedKernels = "KWB_BLAS_REPLACED";

/// The x86-64 kernels of OpenBLAS (driver/others/dynamic.c) that make no use of AVX-512. "Sandybridge" has no
/// fused multiply-add, and those that are not listed here are not touched.
constexpr std::pair<std::string_view, VectorLevel> kNarrowKernels[] = {
    {"Katmai", VectorLevel::Sse},       {"Coppermine", VectorLevel::Sse},  {"Northwood", VectorLevel::Sse},
    {"Prescott", VectorLevel::Sse},     {"Banias", VectorLevel::Sse},      {"Atom", VectorLevel::Sse},
    {"Core2", VectorLevel::Sse},        {"Penryn", VectorLevel::Sse},      {"Dunnington", VectorLevel::Sse},
    {"Nehalem", VectorLevel::Sse},      {"Athlon", VectorLevel::Sse},      {"Opteron", VectorLevel::Sse},
    {"Opteron_SSE3", VectorLevel::Sse}, {"Barcelona", VectorLevel::Sse},   {"Nano", VectorLevel::Sse},
    {"Bobcat", VectorLevel::Sse},       {"Sandybridge", VectorLevel::Avx}, {"Bulldozer", VectorLevel::Avx},
    {"Piledriver", VectorLevel::Avx},   {"Steamroller", VectorLevel::Avx}, {"Excavator", VectorLevel::Avx2},
    {"Haswell", VectorLevel::Avx2},     {"Zen", VectorLevel::Avx2},
};

/// The most general kernels of a level.
std::string kernels_of(VectorLevel level) {
    return level == VectorLevel::Avx512 ? "SkylakeX" : level == VectorLevel::Avx2 ? "Haswell" : "Sandybridge";
}

}  // namespace

std::optional<VectorLevel> processor_vectors() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd"))
        return VectorLevel::Avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VectorLevel::Avx2;
    return __builtin_cpu_supports("avx") ? VectorLevel::Avx : VectorLevel::Sse;
#else
    return std::nullopt;
#endif
}

std::optional<std::string> better_blas_kernels(std::string_view taken, std::optional<VectorLevel> processor) {
    const auto* const narrow =
        std::ranges::find(kNarrowKernels, taken, &std::pair<std::string_view, VectorLevel>::first);
    if (narrow == std::end(kNarrowKernels) || !processor || *processor <= narrow->second) return std::nullopt;
    return kernels_of(*processor);
}

std::vector<std::pair<std::string, std::string>> missing_blas_settings(std::string_view taken,
                                                                       std::optional<VectorLevel> processor) {
    std::vector<std::pair<std::string, std::string>> settings;
    // Its threads spin for 30 ms after each call and would take CPU time from the next kernel. 2^4
    // cycles are the least that it accepts.
    if (constexpr const char* kTimeout = "OPENBLAS_THREAD_TIMEOUT"; std::getenv(kTimeout) == nullptr)
        settings.emplace_back(kTimeout, "4");
    if (std::getenv(kChosenKernels) == nullptr)
        if (const auto better = better_blas_kernels(taken, processor)) {
            settings.emplace_back(kChosenKernels, *better);
            settings.emplace_back(kReplacedKernels, taken);
        }
    return settings;
}

std::vector<std::pair<std::string, std::string>> missing_blas_settings() {
    return missing_blas_settings(openblas_get_corename(), processor_vectors());
}

std::string describe_blas_kernels() {
    const std::string used = openblas_get_corename();
    const char* const chosen = std::getenv(kChosenKernels);
    const char* const replaced = std::getenv(kReplacedKernels);
    std::string words = used + " kernels";
    if (chosen == nullptr) return words;
    if (replaced == nullptr) return words + " by OPENBLAS_CORETYPE=" + chosen;
    return used == replaced ? words : words + " instead of " + replaced + ", its own choice";
}

}  // namespace kwb
