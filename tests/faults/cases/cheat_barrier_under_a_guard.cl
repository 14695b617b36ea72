/*+++
title   = "The guard of the edge is around the barriers"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict out_of_bounds
// reason *element * of *past the end*
// warning *line 29:13*
// warning *line 30:62*
// warning *line 31:13*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __local float row[8][8];
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    float sum = 0.0f;
    if (x < N && y < M) {
        for (int k0 = 0; k0 < K; k0 += 8) {
            row[ly][lx] = k0 + lx < K ? A[y * K + k0 + lx] : 0.0f;
            barrier(CLK_LOCAL_MEM_FENCE);  // the tile is complete
            for (int k = 0; k < 8 && k0 + k < K; ++k) sum += row[ly][k] * B[(k0 + k) * N + x];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    if (x < N && y < M) C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
