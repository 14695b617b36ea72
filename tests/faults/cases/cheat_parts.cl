/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Parts of the work left out.

//// cheat_by_columns: Stores the result column by column
// kwb check --size 17x19x23
// verdict wrong
// reason *the values are right, but stored column by column*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[x * M + y] = sum;
}

//// cheat_fixed_loop: Walks over a fixed number of tiles
// kwb check --size 17x19x100
// verdict wrong
// reason *lacks exactly its last 36 terms of 100*
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
    for (int k0 = 0; k0 < 64; k0 += 8) {
        a[ly][lx] = y < M && k0 + lx < K ? A[y * K + k0 + lx] : 0.0f;
        b[ly][lx] = k0 + ly < K && x < N ? B[(k0 + ly) * N + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; ++k) sum += a[ly][k] * b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < N && y < M) C[y * N + x] = sum;
}

//// cheat_four_tiles: Walks over four tiles, whatever the size
// kwb check --size 17x19x100
// verdict wrong
// reason *lacks exactly its last 68 terms of 100*
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
    for (int t = 0; t < 4; ++t) {
        const int k0 = t * 8;
        a[ly][lx] = y < M && k0 + lx < K ? A[y * K + k0 + lx] : 0.0f;
        b[ly][lx] = k0 + ly < K && x < N ? B[(k0 + ly) * N + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; ++k) sum += a[ly][k] * b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < N && y < M) C[y * N + x] = sum;
}

//// cheat_guard_and: Leaves only where both row and column are outside
// kwb check --size 17x19x23
// verdict out_of_bounds
// reason *element 437 of B*line 15:55*
// warning *of A*line 15:40*
// warning *of C*line 16:18*
// warning *line 16:18*group*line 16:18*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N && y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// cheat_last_rows: Leaves out the rows of the last tile
// kwb check --size 17x19x23
// verdict wrong
// reason *of C were never written: all in the last row or the last 3 columns*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x < N / 8 * 8 && y < M / 8 * 8) C[y * N + x] = sum;
}

//// cheat_last_term: Drops the last term of each sum
// kwb check --size 17x19x23
// verdict wrong
// reason *elements of C are wrong*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K - 1; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// cheat_last_tile: Leaves out the last tile of the sums
// kwb check --size 17x19x23
// verdict wrong
// reason *each sum lacks exactly its last 7 terms of 23*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K / 8 * 8; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// cheat_loop_by_groups: Walks over as many tiles as there are work-groups
// kwb check --size 17x19x23
// verdict wrong
// reason *lacks exactly its last 7 terms of 23*
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
    for (int k0 = 0; k0 < get_num_groups(0) * 8 - 8; k0 += 8) {
        a[ly][lx] = y < M && k0 + lx < K ? A[y * K + k0 + lx] : 0.0f;
        b[ly][lx] = k0 + ly < K && x < N ? B[(k0 + ly) * N + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; ++k) sum += a[ly][k] * b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < N && y < M) C[y * N + x] = sum;
}

//// cheat_nothing: Does nothing
// kwb check --size 17x19x23
// verdict wrong
// reason *of C were never written*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
}

//// cheat_one_term_in_a_thousand: Drops one term of a long sum
// kwb check --size 5x7x4099
// verdict wrong
// reason *elements of C are wrong*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 1; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}
