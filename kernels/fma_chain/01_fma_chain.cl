/*+++
title   = "Registers full: one work-item interleaves several independent vectors of chains"
problem = "fma_chain"
source  = "V. Volkov, Better performance at lower occupancy, 2010: independent operations hide latency"

[params]
WIDTH  = [16, 8, 4, 2, 1]      # chains in one vector
CHAINS = [8, 16, 4, 2, 1]      # vectors of a work-item

[launch]
kernel = "fma_chain"
local  = [64]
global = ["round_up(ceil_div(N, WIDTH * CHAINS), local.x)"]
+++*/

// Y[i] = x after S steps of  x = A x + B  from  x = X[i]                     i = 0 … N - 1
//
//      step         1         2         3                         a single chain: each step waits for the
//      x[0]   X ->[fma]---->[fma]---->[fma]----> … -> Y           one before it, and the unit idles
//      x[1]   X -->[fma]---->[fma]---->[fma]---> … -> Y
//      x[2]   X --->[fma]---->[fma]---->[fma]--> … -> Y           CHAINS of them fill the gaps;
//      x[3]   X ---->[fma]---->[fma]---->[fma]-> … -> Y           each is a vector of WIDTH numbers
//
// A work-item takes WIDTH * CHAINS neighbouring numbers. Everything stays in registers, and a number of 8 bytes
// (read and written) takes 2 S operations: memory does not matter.

#ifndef WIDTH
#define WIDTH 16  // 1, 2, 4, 8 or 16
#endif
#ifndef CHAINS
#define CHAINS 8  // at least 1
#endif

#if WIDTH == 1
typedef float Vector;
#define load(i, p) (p)[i]
#define store(v, i, p) (p)[i] = (v)
#else
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(float, WIDTH) Vector;
#define load JOIN(vload, WIDTH)
#define store JOIN(vstore, WIDTH)
#endif

#define ITEMS (WIDTH * CHAINS)

__kernel void fma_chain(__global const float* X, __global const float* A, __global const float* B,
                        __global float* Y, const int N, const int S) {
    const size_t first = get_global_id(0) * ITEMS;
    if (first >= (size_t)N) return;
    const bool whole = first + ITEMS <= (size_t)N;

    // Elements past the end are computed from zeros and never stored to Y.
    float edge[ITEMS];
    Vector x[CHAINS];
    if (whole) {
#pragma unroll
        for (int c = 0; c < CHAINS; ++c) x[c] = load(c, X + first);
    } else {
        for (int i = 0; i < ITEMS; ++i) edge[i] = first + i < (size_t)N ? X[first + i] : 0.0f;
#pragma unroll
        for (int c = 0; c < CHAINS; ++c) x[c] = load(c, edge);
    }

    const Vector a = A[0];
    const Vector b = B[0];
    for (int s = 0; s < S; ++s) {
#pragma unroll
        for (int c = 0; c < CHAINS; ++c) x[c] = fma(x[c], a, b);
    }

    if (whole) {
#pragma unroll
        for (int c = 0; c < CHAINS; ++c) store(x[c], c, Y + first);
    } else {
#pragma unroll
        for (int c = 0; c < CHAINS; ++c) store(x[c], c, edge);
        for (int i = 0; first + i < (size_t)N; ++i) Y[first + i] = edge[i];
    }
}
// SPDX-License-Identifier: Apache-2.0
