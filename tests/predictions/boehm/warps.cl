/*+++
title   = "Blocks of sub-groups: the 32 work-items of a sub-group share a block of 64 x 64 of C"
problem = "matmul"
source  = "S. Boehm, How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance, 2022: the shape of kernel 10"

[defines]
BM = 128
BN = 128
BK = 16
WM = 64
WN = 64
TM = 8
TN = 4

[launch]
kernel = "warps"
local  = [128]
global = ["N // BN * (M // BM) * 128"]

[require]
whole = "M % BM == 0 and N % BN == 0 and K % BK == 0"
+++*/

// Four sub-groups of 32 compute 64 x 64 each, in four steps over the columns: 8 rows and 4 columns of work-items, 8 x 4
// elements each, are 64 x 16.
#define ITEMS 128
#define STEPS 4

__kernel void warps(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                    const int K) {
    __local float4 a[BK][BM / 4];
    __local float4 b[BK][BN / 4];
    const int item = get_local_id(0);
    const int top = (int)get_group_id(0) / (N / BN) * BM;
    const int left = (int)get_group_id(0) % (N / BN) * BN;
    const int warp = item / 32;
    const int lane = item % 32;
    const int row = warp / (BN / WN) * WM + lane / 4 * TM;
    const int col = warp % (BN / WN) * WN + lane % 4 * TN;
    float sum[STEPS][TM][TN];
#pragma unroll
    for (int s = 0; s < STEPS; ++s)
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
            for (int j = 0; j < TN; ++j) sum[s][i][j] = 0.0f;
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
        for (int k = 0; k < BK; ++k) {
            const float4 a0 = a[k][row / 4], a1 = a[k][row / 4 + 1];
            const float of_a[TM] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
#pragma unroll
            for (int s = 0; s < STEPS; ++s) {
                const float4 b0 = b[k][(col + s * (WN / STEPS)) / 4];
                const float of_b[TN] = {b0.x, b0.y, b0.z, b0.w};
#pragma unroll
                for (int i = 0; i < TM; ++i)
#pragma unroll
                    for (int j = 0; j < TN; ++j) sum[s][i][j] = fma(of_a[i], of_b[j], sum[s][i][j]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int s = 0; s < STEPS; ++s)
#pragma unroll
        for (int i = 0; i < TM; ++i)
            vstore4((float4)(sum[s][i][0], sum[s][i][1], sum[s][i][2], sum[s][i][3]), 0,
                    C + (top + row + i) * N + left + col + s * (WN / STEPS));
}
// SPDX-License-Identifier: Apache-2.0
