/*+++
title   = "Vectors: one work-item copies several numbers at once"
problem = "copy"
source  = "P. Micikevicius, GPU performance analysis and optimization, 2012: more bytes in flight"

[params]
WIDTH = [4, 8, 16]       # numbers moved by one vload and one vstore

[launch]
kernel = "copy_vectors"
local  = [256]
global = ["round_up(ceil_div(N, WIDTH), local.x)"]
+++*/

// Y[i … i + WIDTH - 1] = X[i … i + WIDTH - 1],   i = WIDTH * (global id of the work-item)
//
//      X  | 0   1   2   3 | 4   5   6   7 | 8   9 |           WIDTH = 4, N = 10
//           |   |   |   |   |   |   |   |   |   |
//           v   v   v   v   v   v   v   v   v   v             whole vectors with one vload and one vstore,
//      Y  | 0   1   2   3 | 4   5   6   7 | 8   9 |           the rest at the end one by one
//
// Each work-item has more bytes in flight, so fewer work-items keep the memory busy. A vload16 is one instruction where
// registers hold sixteen floats (AVX-512), two with AVX2, four with SSE or NEON, and four on most GPUs.

#ifndef WIDTH
#define WIDTH 4  // 4, 8 or 16
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define load JOIN(vload, WIDTH)
#define store JOIN(vstore, WIDTH)

__kernel void copy_vectors(__global const float* X, __global float* Y, const int N) {
    const int vector = get_global_id(0);
    const int whole = N / WIDTH;  // vectors that are completely inside X
    if (vector < whole) {
        store(load(vector, X), vector, Y);
    } else if (vector == whole) {
        for (int i = whole * WIDTH; i < N; ++i) Y[i] = X[i];
    }
}
// SPDX-License-Identifier: Apache-2.0
