/*+++
title   = "Vectors: each work-item moves sixteen floats at once"
problem = "vector_add"

[launch]
kernel = "add_vectors"
local  = [64]
global = ["round_up(ceil_div(N, 16), local.x)"]
+++*/

// C[16 i … 16 i + 15] = A[16 i … 16 i + 15] + B[16 i … 16 i + 15]
//
//   work-item   0                1                2 …
//   element     0 ………………… 15     16 ………………… 31    32 …
//
// One instruction moves as many of the sixteen as a register holds: all with AVX-512, eight with AVX2, four with SSE or
// NEON and on most GPUs. The last work-item may have fewer than sixteen elements left, and adds them one by one. Fewer
// instructions for the same bytes: does that help where bandwidth is the limit?

__kernel void add_vectors(__global const float* A, __global const float* B, __global float* C, const int N) {
    const size_t first = (size_t)get_global_id(0) * 16;
    if (first + 16 <= (size_t)N) {
        vstore16(vload16(0, A + first) + vload16(0, B + first), 0, C + first);
    } else {
        for (size_t i = first; i < (size_t)N; ++i) C[i] = A[i] + B[i];
    }
}
// SPDX-License-Identifier: Apache-2.0
