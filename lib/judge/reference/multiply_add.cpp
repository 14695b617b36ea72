#include "judge/reference/multiply_add.hpp"

#include "judge/reference/blas_kernels.hpp"

#if defined(__x86_64__)

namespace kwb {
namespace {

/// Enough to keep two units busy that take four or five cycles.
constexpr int kChains = 12;

// The header with the processor's own functions has 26,000 lines.
using Vector256 = float __attribute__((vector_size(32)));
using Vector512 = float __attribute__((vector_size(64)));

/// The compiler must take the vector for unknown, and for used.
#define KWB_OPAQUE(vector) asm volatile("" : "+v"(vector))

__attribute__((target("avx512f"))) void add_512(std::uint64_t steps) {
    Vector512 sums[kChains];
    Vector512 factor = Vector512{} + 0.5F;
    for (Vector512& sum : sums) sum = factor;
    KWB_OPAQUE(factor);
    for (std::uint64_t i = 0; i < steps; ++i)
#pragma GCC unroll 12
        for (int chain = 0; chain < kChains; ++chain) sums[chain] = sums[chain] * factor + factor;
    for (Vector512& sum : sums) KWB_OPAQUE(sum);
}

__attribute__((target("avx2,fma"))) void add_256(std::uint64_t steps) {
    Vector256 sums[kChains];
    Vector256 factor = Vector256{} + 0.5F;
    for (Vector256& sum : sums) sum = factor;
    KWB_OPAQUE(factor);
    for (std::uint64_t i = 0; i < steps; ++i)
#pragma GCC unroll 12
        for (int chain = 0; chain < kChains; ++chain) sums[chain] = sums[chain] * factor + factor;
    for (Vector256& sum : sums) KWB_OPAQUE(sum);
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
