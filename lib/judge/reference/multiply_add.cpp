#include "judge/reference/multiply_add.hpp"

#include "judge/reference/blas_kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace kwb {
namespace {

/// Enough to keep two units busy that take four or five cycles.
constexpr int kChains = 12;

/// The compiler must take the vector for unknown, and for used.
#define KWB_OPAQUE(vector) asm volatile("" : "+v"(vector))

__attribute__((target("avx512f"))) void add_512(std::uint64_t steps) {
    __m512 sums[kChains];
    __m512 factor = _mm512_set1_ps(0.5F);
    for (__m512& sum : sums) sum = factor;
    KWB_OPAQUE(factor);
    for (std::uint64_t i = 0; i < steps; ++i)
#pragma GCC unroll 12
        for (int chain = 0; chain < kChains; ++chain)
            sums[chain] = _mm512_fmadd_ps(sums[chain], factor, factor);
    for (__m512& sum : sums) KWB_OPAQUE(sum);
}

__attribute__((target("avx2,fma"))) void add_256(std::uint64_t steps) {
    __m256 sums[kChains];
    __m256 factor = _mm256_set1_ps(0.5F);
    for (__m256& sum : sums) sum = factor;
    KWB_OPAQUE(factor);
    for (std::uint64_t i = 0; i < steps; ++i)
#pragma GCC unroll 12
        for (int chain = 0; chain < kChains; ++chain)
            sums[chain] = _mm256_fmadd_ps(sums[chain], factor, factor);
    for (__m256& sum : sums) KWB_OPAQUE(sum);
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
