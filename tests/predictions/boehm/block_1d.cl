/*+++
title   = "1-D register block: a work-item computes TM elements of a column of C"
problem = "matmul"
source  = "S. Boehm, How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance, 2022: the shape of kernel 4"

[defines]
BM = 64
BN = 64
BK = 8
TM = 8

[launch]
kernel = "block_1d"
local  = ["BN * BM // TM"]
global = ["N // BN * (M // BM) * (BN * BM // TM)"]

[require]
whole = "M % BM == 0 and N % BN == 0 and K % BK == 0"
+++*/

// A group computes BM x BN elements of C. It has BM * BK = BK * BN work-items, so that each loads one element of both
// blocks.
__kernel void block_1d(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                       const int K) {
    __local float a[BM][BK];
    __local float b[BK][BN];
    const int item = get_local_id(0);
    const int top = (int)get_group_id(0) / (N / BN) * BM;
    const int left = (int)get_group_id(0) % (N / BN) * BN;
    const int col = item % BN;
    const int row = item / BN * TM;
    float sum[TM];
#pragma unroll
    for (int i = 0; i < TM; ++i) sum[i] = 0.0f;
    for (int k0 = 0; k0 < K; k0 += BK) {
        a[item / BK][item % BK] = A[(top + item / BK) * K + k0 + item % BK];
        b[item / BN][item % BN] = B[(k0 + item / BN) * N + left + item % BN];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float right = b[k][col];
#pragma unroll
            for (int i = 0; i < TM; ++i) sum[i] = fma(a[row + i][k], right, sum[i]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int i = 0; i < TM; ++i) C[(top + row + i) * N + left + col] = sum[i];
}
// SPDX-License-Identifier: Apache-2.0
