/*+++
title   = "2-D register block with float4, and the block of A transposed in local memory"
problem = "matmul"
source  = "S. Boehm, How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance, 2022: the shape of kernels 6 and 9"

[params]
BK = [8, 16]    # 16 is what autotuning finds

[defines]
BM = 128
BN = 128
TM = 8
TN = 8

[launch]
kernel = "vectors"
local  = ["BM * BN // (TM * TN)"]
global = ["N // BN * (M // BM) * (BM * BN // (TM * TN))"]

[require]
whole = "M % BM == 0 and N % BN == 0 and K % BK == 0"
+++*/

#define ITEMS (BM * BN / (TM * TN))

__kernel void vectors(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                      const int K) {
    __local float4 a[BK][BM / 4];
    __local float4 b[BK][BN / 4];
    const int item = get_local_id(0);
    const int top = (int)get_group_id(0) / (N / BN) * BM;
    const int left = (int)get_group_id(0) % (N / BN) * BN;
    const int col = item % (BN / TN) * TN;
    const int row = item / (BN / TN) * TM;
    float sum[TM][TN];
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] = 0.0f;
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = item; i < BM * BK / 4; i += ITEMS) {
            const int r = i / (BK / 4);
            const int k = i % (BK / 4) * 4;
            const float4 four = vload4(0, A + (top + r) * K + k0 + k);
            __local float* to = (__local float*)a + r;
            to[k * BM] = four.x;
            to[(k + 1) * BM] = four.y;
            to[(k + 2) * BM] = four.z;
            to[(k + 3) * BM] = four.w;
        }
        for (int i = item; i < BK * BN / 4; i += ITEMS)
            b[i / (BN / 4)][i % (BN / 4)] = vload4(0, B + (k0 + i / (BN / 4)) * N + left + i % (BN / 4) * 4);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float4 a0 = a[k][row / 4], a1 = a[k][row / 4 + 1], b0 = b[k][col / 4], b1 = b[k][col / 4 + 1];
            const float of_a[TM] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float of_b[TN] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
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
        for (int j = 0; j < TN; j += 4)
            vstore4((float4)(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]), 0,
                    C + (top + row + i) * N + left + col + j);
}
// SPDX-License-Identifier: Apache-2.0
