/*+++
title   = "Registers: transposes blocks of 16 x 16 in registers, within larger blocks that suit the TLB"
problem = "transpose"
source  = "H. S. Stone, Parallel processing with the perfect shuffle, 1971"

[params]
EDGE = [256, 32, 64, 128]   # edge of the block of A that a work-item transposes; a multiple of 16

[launch]
kernel = "transpose_registers"
local  = [1, 1]
global = ["ceil_div(N, EDGE)", "ceil_div(M, EDGE)"]
+++*/

// B[j + 0 … 15][i … i + 15] = A[i + 0 … 15][j … j + 15], in blocks of EDGE x EDGE
//
//      A                             registers                        B
//      i      ================       r0   four times: rows 0 … 7      j      ================
//      i + 1  ================   →   r1   and 8 … 15 are shuffled  →  j + 1  ================
//      …      ================       …    into each other like        …      ================
//      i + 15 ================       r15  two halves of cards         j + 15 ================
//
// A ==== is a whole cache line where N and M are multiples of 16 (otherwise it crosses into a second one). Each is read
// and written as a whole (with AVX-512 by one instruction), so no line has to stay in the cache until its other fifteen
// numbers arrive. At 4096 columns the lines of a column map to the same cache sets and evict each other, which slows
// down the other kernels. The second change is EDGE: it limits the rows of A and B in use, because each long row is in
// another page, and the TLB holds only some pages. A small EDGE shows almost only the first change.

#ifndef EDGE
#define EDGE 256  // edge of the block of A that a work-item transposes; a multiple of 16
#endif

// Interleave the lower halves, and the upper halves, of two rows.
float16 low(const float16 a, const float16 b) {
    return (float16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
}
float16 high(const float16 a, const float16 b) {
    return (float16)(a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf);
}

void turn_block(__global const float* from, __global float* to, const size_t M, const size_t N) {
    float16 r[16], s[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) r[i] = vload16(0, from + i * N);
#pragma unroll
    for (int times = 0; times < 2; ++times) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            s[2 * i] = low(r[i], r[i + 8]);
            s[2 * i + 1] = high(r[i], r[i + 8]);
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            r[2 * i] = low(s[i], s[i + 8]);
            r[2 * i + 1] = high(s[i], s[i + 8]);
        }
    }
#pragma unroll
    for (int i = 0; i < 16; ++i) vstore16(r[i], 0, to + i * M);
}

__kernel void transpose_registers(__global const float* A, __global float* B, const int M, const int N) {
    const int left = get_global_id(0) * EDGE;
    const int top = get_global_id(1) * EDGE;
    const int right = min(left + EDGE, N);
    const int bottom = min(top + EDGE, M);
    for (int j = left; j < right; j += 16)
        for (int i = top; i < bottom; i += 16) {
            if (i + 16 <= bottom && j + 16 <= right) {
                turn_block(A + (size_t)i * N + j, B + (size_t)j * M + i, M, N);
            } else {
                for (int y = i; y < min(i + 16, bottom); ++y)
                    for (int x = j; x < min(j + 16, right); ++x) B[(size_t)x * M + y] = A[(size_t)y * N + x];
            }
        }
}
// SPDX-License-Identifier: Apache-2.0
