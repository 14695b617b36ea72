/*+++
title   = "Tiles in local memory that the launch provides"
problem = "matmul"

[params]
TILE = [8, 4]

[launch]
kernel    = "tiled"
local     = ["TILE", "TILE"]
global    = ["round_up(N, TILE)", "round_up(M, TILE)"]
local_mem = {a = "TILE * TILE", b = "TILE * TILE"}
+++*/
#ifndef TILE
#define TILE 8
#endif

__kernel void tiled(__global const float* A, __global const float* B, __global float* C, const int M,
                    const int N, const int K, __local float* a, __local float* b) {
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[ly * TILE + lx] = y < M && k0 + lx < K ? A[y * K + k0 + lx] : 0.0f;
        b[ly * TILE + lx] = k0 + ly < K && x < N ? B[(k0 + ly) * N + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) sum += a[ly * TILE + k] * b[k * TILE + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < N && y < M) C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
