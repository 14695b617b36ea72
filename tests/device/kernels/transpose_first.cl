/*+++
title   = "Two launches: B is transposed into scratch first"
problem = "matmul"

[scratch]
T = "N * K"

[[launch]]
kernel = "transpose"
local  = [8, 4]
global = ["round_up(N, local.x)", "round_up(K, local.y)"]
args   = {src = "B", dst = "T", rows = "K", columns = "N"}

[[launch]]
kernel = "multiply"
local  = [4, 8]
global = ["round_up(N, local.x)", "round_up(M, local.y)"]
+++*/
__kernel void transpose(__global const float* src, __global float* dst, const int rows, const int columns) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < columns && y < rows) dst[x * rows + y] = src[y * columns + x];
}

// Order and types differ from the problem's.
__kernel void multiply(const uint K, __global float* C, __global const float* T, __global const float* A,
                       const long N, const short M) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (uint k = 0; k < K; ++k) sum += A[y * K + k] * T[x * K + k];
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
