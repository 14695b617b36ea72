/*+++
title   = "Asks for more local memory than the device has"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
local_mem = {tile = "device.local_mem_bytes // 4 + 16"}
+++*/
// kwb check --size 17x19x23
// verdict constraint
// reason *local memory*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K, __local float* tile) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    tile[get_local_id(0)] = 0.0f;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
