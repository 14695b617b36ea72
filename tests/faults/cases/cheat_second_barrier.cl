/*+++
title   = "Overwrites a tile that others may still read"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict undefined
// reason *line 29:55*
// warning *line 29:44*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __local float a[8][8];
    __local float b[8][8];
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 8) {
        a[ly][lx] = y < M && k0 + lx < K ? A[y * K + k0 + lx] : 0.0f;
        b[ly][lx] = k0 + ly < K && x < N ? B[(k0 + ly) * N + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; ++k) sum += a[ly][k] * b[k][lx];
    }
    if (x < N && y < M) C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
