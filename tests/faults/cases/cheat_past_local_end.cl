/*+++
title   = "Looks one number too far along the rows of a tile"
problem = "matmul"

[params]
TILE = [8]

[launch]
kernel = "multiply"
local  = ["TILE", "TILE"]
global = ["round_up(N, TILE)", "round_up(M, TILE)"]
+++*/
// kwb check --size 17x19x23
// verdict undefined
// reason *line 32:70*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    __local float a[TILE][TILE];
    __local float b[TILE][TILE];
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int x = get_group_id(0) * TILE + lx;
    const int y = get_group_id(1) * TILE + ly;
    float sum = 0.0f, largest = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[ly][lx] = y < M && k0 + lx < K ? A[y * K + k0 + lx] : 0.0f;
        b[ly][lx] = k0 + ly < K && x < N ? B[(k0 + ly) * N + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) sum += a[ly][k] * b[k][lx];
        for (int k = 0; k <= TILE; ++k) largest = fmax(largest, fabs(a[ly][k]));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (largest < 0.0f) sum = 0.0f;  // never: data past the tile does not change the answer
    if (x < N && y < M) C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
