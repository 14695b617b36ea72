// SPDX-License-Identifier: Apache-2.0
#include "judge/reference/multiply_add.hpp"

#include "judge/reference/blas_kernels.hpp"

#if defined(__x86_64__)

namespace kwb {
namespace {

/// Independent sums: two units with a latency of four or five cycles need ten.
constexpr int kChains = 12;

// Instead of <immintrin.h>, which has 26,000 lines.
using Vector256 = float __attribute__((vector_size(32)));
using Vector512 = float __attribute__((vector_size(64)));

/// The compiler must take the vector for unknown, and for used.
#define KWB_OPAQUE(vector) asm volatile("" : "+m"(vector))

/// Inlined, so that it is compiled for the CPU of its caller.
template <class Vector>
[[gnu::always_inline]] inline void add(std::uint64_t steps) {
    Vector sums[kChains];
    Vector factor = Vector{} + 0.5F;
    for (Vector& sum : sums) sum = factor;
    KWB_OPAQUE(factor);
    for (std::uint64_t i = 0; i < steps; ++i)
#pragma GCC unroll 12
        for (int chain = 0; chain < kChains; ++chain) sums[chain] = sums[chain] * factor + factor;
    for (Vector& sum : sums) KWB_OPAQUE(sum);
}

__attribute__((target("avx512f"))) void add_512(std::uint64_t steps) {
    add<Vector512>(steps);
}

__attribute__((target("avx2,fma"))) void add_256(std::uint64_t steps) {
    add<Vector256>(steps);
}

#undef KWB_OPAQUE

}  // namespace

std::uint64_t perform_multiply_adds(std::uint64_t count) {
    const VectorLevel level = processor_vectors().value_or(VectorLevel::Sse);
    if (level < VectorLevel::Avx2) return 0;
    const std::uint64_t width = level == VectorLevel::Avx512 ? 16 : 8;
    const std::uint64_t steps = count / (kChains * width) + 1;
    (level == VectorLevel::Avx512 ? add_512 : add_256)(steps);
    return 2 * steps * kChains * width;
}

}  // namespace kwb
#else
namespace kwb {

std::uint64_t perform_multiply_adds(std::uint64_t) {
    return 0;
}

}  // namespace kwb
#endif
