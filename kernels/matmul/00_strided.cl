/*+++
title   = "Strided: as naive, but the first dimension runs down the rows of C"
problem = "matmul"

[launch]
kernel = "matmul_strided"
local  = [16, 16]
global = ["round_up(M, local.x)", "round_up(N, local.y)"]
+++*/

// C[row][col] = sum over k of A[row][k] * B[k][col], as in 01_naive, with row and col exchanged
//
//   work-items 0, 1, 2 … of a work-group
//     01_naive:    C[r][0], C[r][1], C[r][2] …     neighbours in memory
//     here:        C[0][c], C[1][c], C[2][c] …     N floats apart
//
// A GPU runs neighbours in the first dimension together as a sub-group, and fetches whole cache lines: here each
// of them needs another line, so the accesses are not coalesced. The arithmetic is the same to the last bit. Does
// it matter on a CPU, which runs one work-item after the other?

__kernel void matmul_strided(__global const float* A, __global const float* B, __global float* C, const int M,
                             const int N, const int K) {
    const int row = get_global_id(0);
    const int col = get_global_id(1);
    if (row >= M || col >= N) return;  // no barrier follows

    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[(size_t)row * K + k] * B[(size_t)k * N + col];
    C[(size_t)row * N + col] = sum;
}
