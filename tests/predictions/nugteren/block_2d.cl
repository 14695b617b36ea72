/*+++
title   = "2-D register block: a work-item computes 8 x 8 elements of C, 16 apart"
problem = "matmul"
source  = "C. Nugteren, OpenCL matrix-multiplication SGEMM tutorial, 2014: the shape of kernel 6"

[defines]
TS = 128     # edge of the block of C
TK = 16      # depth of the blocks of A and B
EACH = 8     # elements of C of a work-item in each dimension
APART = 16   # their distance: TS / EACH

[launch]
kernel = "block_2d"
local  = ["APART", "APART"]
global = ["N // EACH", "M // EACH"]

[require]
whole = "M % TS == 0 and N % TS == 0 and K % TK == 0"
+++*/

__kernel void block_2d(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                       const int K) {
    __local float a[TK][TS];
    __local float b[TK][TS];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int left = get_group_id(0) * TS;
    const int top = get_group_id(1) * TS;
    float sum[EACH][EACH], of_b[EACH];
#pragma unroll
    for (int i = 0; i < EACH; ++i)
#pragma unroll
        for (int j = 0; j < EACH; ++j) sum[i][j] = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TK) {
        for (int i = y * APART + x; i < TK * TS; i += APART * APART) {
            a[i % TK][i / TK] = A[(top + i / TK) * K + k0 + i % TK];
            b[i / TS][i % TS] = B[(k0 + i / TS) * N + left + i % TS];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TK; ++k) {
#pragma unroll
            for (int j = 0; j < EACH; ++j) of_b[j] = b[k][x + j * APART];
#pragma unroll
            for (int i = 0; i < EACH; ++i) {
                const float of_a = a[k][y + i * APART];
#pragma unroll
                for (int j = 0; j < EACH; ++j) sum[i][j] = fma(of_a, of_b[j], sum[i][j]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int i = 0; i < EACH; ++i)
#pragma unroll
        for (int j = 0; j < EACH; ++j) C[(top + y + i * APART) * N + left + x + j * APART] = sum[i][j];
}
// SPDX-License-Identifier: Apache-2.0
