/*+++
title   = "2-D register block: a work-item computes TM x TN elements of C"
problem = "matmul"
source  = "S. Boehm, How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance, 2022: the shape of kernel 5"

[defines]
BM = 128
BN = 128
BK = 8
TM = 8
TN = 8

[launch]
kernel = "block_2d"
local  = ["BM * BN // (TM * TN)"]
global = ["N // BN * (M // BM) * (BM * BN // (TM * TN))"]

[require]
whole = "M % BM == 0 and N % BN == 0 and K % BK == 0"
+++*/

#define ITEMS (BM * BN / (TM * TN))

__kernel void block_2d(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                       const int K) {
    __local float a[BM][BK];
    __local float b[BK][BN];
    const int item = get_local_id(0);
    const int top = (int)get_group_id(0) / (N / BN) * BM;
    const int left = (int)get_group_id(0) % (N / BN) * BN;
    const int col = item % (BN / TN) * TN;
    const int row = item / (BN / TN) * TM;
    float sum[TM][TN], of_a[TM], of_b[TN];
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] = 0.0f;
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = item; i < BM * BK; i += ITEMS) a[i / BK][i % BK] = A[(top + i / BK) * K + k0 + i % BK];
        for (int i = item; i < BK * BN; i += ITEMS) b[i / BN][i % BN] = B[(k0 + i / BN) * N + left + i % BN];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < BK; ++k) {
#pragma unroll
            for (int i = 0; i < TM; ++i) of_a[i] = a[row + i][k];
#pragma unroll
            for (int j = 0; j < TN; ++j) of_b[j] = b[k][col + j];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) sum[i][j] = fma(of_a[i], of_b[j], sum[i][j]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) C[(top + row + i) * N + left + col + j] = sum[i][j];
}
// SPDX-License-Identifier: Apache-2.0
