/*+++
title   = "Packed panels: a first launch copies B into the order in which the second one reads it"
problem = "matmul"
source  = "K. Goto, R. van de Geijn, Anatomy of high-performance matrix multiplication, 2008"

[params]
ROWS   = [12, 4, 6, 8, 14]      # rows of C that a work-item holds in registers at a time
HEIGHT = [48, 64, 96, 192]     # rows of C that a work-item computes in all
PANELS = [4, 1, 2, 8]          # panels that it computes them in

[scratch]
P = "ceil_div(N, 32) * 32 * K"

[[launch]]
kernel = "pack"
local  = [1, 1]
global = ["ceil_div(N, 32)", "ceil_div(K, 64)"]

[[launch]]
kernel = "matmul_panels"
local  = [1, 1]
global = ["ceil_div(M, HEIGHT)", "ceil_div(N, 32 * PANELS)"]
+++*/

// P[panel][k][0 … 31] = B[k][32 panel … 32 panel + 31], zero beyond the last column
// C[row + r][32 panel …] = sum over k of A[row + r][k] * P[panel][k][0 … 31]
//
//    B, K x N                      P: one panel after the other            C
//   +----+----+----+--+            +----+                            +----+----+----+--+
//   |0   |1   |2   |3 |  launch 1  |0   |  K rows of 32 numbers      |    | == |    |  |  ROWS rows of two vectors
//   |    |    |    |  |     →      |    |  without a gap: what the   |    | == |    |  |  of sixteen, in registers
//   +----+----+----+--+            +----+  second launch reads       |    |    |    |  |  over all of K
//                                  |1   |  is one stream             +----+----+----+--+
//                                  | …  |
//
// 07_vectors jumps N floats from row to row of B: to another page each time, and if N is a power of two, to the same
// cache sets. Here each panel is contiguous. A work-item computes HEIGHT rows of C from PANELS panels, ROWS rows at a
// time: the panels stay in the second-level cache for all HEIGHT rows, ROWS rows of A in the first for all PANELS
// panels. The copy moves K N numbers twice, for 2 M N K operations: predict from which M on it pays.

#ifndef ROWS
#define ROWS 12  // rows of C that a work-item holds in registers at a time, two vectors each
#endif
#ifndef HEIGHT
#define HEIGHT 48  // rows of C that a work-item computes in all
#endif
#ifndef PANELS
#define PANELS 4  // panels that it computes them in
#endif
#define PACK_STEP 64  // rows of B that a work-item packs

__kernel void pack(__global const float* B, __global float* P, const int N, const int K) {
    const int panel = get_global_id(0);
    const int k0 = get_global_id(1) * PACK_STEP;
    const int col = panel * 32;
    const int end = min(k0 + PACK_STEP, K);
    __global float* to = P + ((size_t)panel * K + k0) * 32;
    for (int k = k0; k < end; ++k, to += 32) {
        __global const float* from = B + (size_t)k * N + col;
        if (col + 32 <= N) {
            vstore16(vload16(0, from), 0, to);
            vstore16(vload16(1, from), 1, to);
        } else {
            for (int j = 0; j < 32; ++j) to[j] = col + j < N ? from[j] : 0.0f;
        }
    }
}

// Store a vector or, at the right edge, the part of it inside C.
void store(__global float* C, const float16 v, const int col, const int N) {
    if (col + 16 <= N) {
        vstore16(v, 0, C + col);
    } else {
        float parts[16];
        vstore16(v, 0, parts);
        for (int j = 0; col + j < N; ++j) C[col + j] = parts[j];
    }
}

// A block of ROWS rows and 32 columns of C, from row and col; rows from bottom on are another work-item's.
void multiply_block(__global const float* A, __global const float* b, __global float* C, const int row, const int col,
                    const int bottom, const int N, const int K) {
    __global const float* a[ROWS];
    float16 left[ROWS], right[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        a[r] = A + (size_t)min(row + r, bottom - 1) * K;  // rows beyond the last repeat it, and are not stored
        left[r] = 0.0f;
        right[r] = 0.0f;
    }
    for (int k = 0; k < K; ++k, b += 32) {
        const float16 b0 = vload16(0, b), b1 = vload16(1, b);
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            left[r] = fma((float16)(a[r][k]), b0, left[r]);
            right[r] = fma((float16)(a[r][k]), b1, right[r]);
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        if (row + r < bottom) {
            store(C + (size_t)(row + r) * N, left[r], col, N);
            store(C + (size_t)(row + r) * N, right[r], col + 16, N);
        }
    }
}

__kernel void matmul_panels(__global const float* A, __global const float* P, __global float* C, const int M,
                            const int N, const int K) {
    const int top = get_global_id(0) * HEIGHT;
    const int bottom = min(top + HEIGHT, M);
    const int left = get_global_id(1) * 32 * PANELS;
    const int right = min(left + 32 * PANELS, N);
    for (int row = top; row < bottom; row += ROWS)
        for (int col = left; col < right; col += 32) multiply_block(A, P + (size_t)col * K, C, row, col, bottom, N, K);
}
// SPDX-License-Identifier: Apache-2.0
