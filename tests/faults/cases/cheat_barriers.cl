/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Barriers and local memory used wrongly.

//// cheat_barrier_after_return: Some work-items leave before the barrier
// kwb check --size 17x19x23
// verdict out_of_bounds
// reason *element * of *past the end*
// warning *line 14:5*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    C[y * N + x] = sum;
}

//// cheat_barrier_if_else
/*+++
title   = "One barrier for the even work-items, another for the odd ones"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [64]
global = ["round_up(M * N, 64)"]
+++*/
// kwb check --size 17x19x23
// verdict undefined
// reason *line 24:9*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int i = get_global_id(0);
    const int x = i % N;
    const int y = i / N;
    float sum = 0.0f;
    for (int k = 0; y < M && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (i % 2 == 0) {
        sum += 1.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
    } else {
        sum += 2.0f;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    sum -= 1.0f + i % 2;
    if (y < M) C[y * N + x] = sum;
}

//// cheat_barrier_if_some
/*+++
title   = "A barrier for the first work-items alone"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [64]
global = ["round_up(M * N, 64)"]
+++*/
// kwb check --size 17x19x23
// verdict undefined
// reason *line 24:9*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int i = get_global_id(0);
    const int x = i % N;
    const int y = i / N;
    float sum = 0.0f;
    for (int k = 0; y < M && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (i < 8) {
        sum *= 2.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum *= 0.5f;
    }
    if (y < M) C[y * N + x] = sum;
}

//// cheat_barrier_not_reached: A barrier for a few work-items, at sizes that nobody checks
// kwb check --size 17x19x23
// verdict correct
// hint 12 *line 12*X-ray did not see it run*
// exit 0

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int lx = get_local_id(0);
    float sum = 0.0f;
    if (K > 1000 && lx < 4) barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; x < N && y < M && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x < N && y < M) C[y * N + x] = sum;
}

//// cheat_barrier_of_divided_id
/*+++
title   = "One dimension divided into rows and columns, with a barrier in the guard"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [64]
global = ["round_up(M * N, 64)"]
+++*/
// kwb check --size 17x19x23
// verdict out_of_bounds
// reason *past the end*
// warning *line 26:9*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0) % N;
    const int y = get_global_id(0) / N;
    __local float sums[64];
    const int lid = get_local_id(0);
    if (y < M) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
        sums[lid] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);  // the last group has work-items beyond the last row
        C[y * N + x] = sums[lid];
    }
}

//// cheat_barrier_trip_counts
/*+++
title   = "A loop with a barrier that some work-items walk through more often"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [64]
global = ["round_up(M * N, 64)"]
+++*/
// kwb check --size 17x19x23
// verdict undefined
// reason *line 23:9*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int i = get_global_id(0);
    const int x = i % N;
    const int y = i / N;
    float sum = 0.0f;
    for (int k = 0; k < K + i % 3; ++k) {
        if (y < M && k < K) sum += A[y * K + k] * B[k * N + x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (y < M) C[y * N + x] = sum;
}

//// cheat_barrier_under_a_guard: The guard of the edge is around the barriers
// kwb check --size 17x19x23
// verdict out_of_bounds
// reason *element * of *past the end*
// warning *line 20:13*
// warning *line 21:62*
// warning *line 22:13*
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

//// cheat_barrier_unobserved: A return before a barrier, without X-ray
// kwb check --size 16 --no-xray
// verdict correct
// hint 13 *after a return under the condition of line 10*
// exit 0

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    C[y * N + x] = sum;
}

//// cheat_second_barrier: Overwrites a tile that others may still read
// kwb check --size 17x19x23
// verdict undefined
// reason *line 20:55*
// warning *line 20:44*
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

//// cheat_tile_without_local
/*+++
title   = "Counts on work-groups of 16 x 16, but leaves them to the driver"
problem = "transpose"

[launch]
kernel = "by_tiles"
global = ["round_up(N, 16)", "round_up(M, 16)"]
+++*/
// kwb check --size 48x48
// verdict wrong
// reason *The driver chose the work-group size, but the source declares tile*16*17* in local memory*
// warning *line 23:66*
// exit 1

#define TILE 16

__kernel void by_tiles(__global const float* A, __global float* B, const int M, const int N) {
    __local float tile[TILE][TILE + 1];
    const int lx = get_local_id(0) % TILE, ly = get_local_id(1) % TILE;
    const int x0 = get_group_id(0) * TILE, y0 = get_group_id(1) * TILE;
    if (x0 + lx < N && y0 + ly < M) tile[ly][lx] = A[(y0 + ly) * N + x0 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x0 + ly < N && y0 + lx < M) B[(x0 + ly) * M + y0 + lx] = tile[lx][ly];
}

//// cheat_uninitialised_local: Reads local memory that nobody stored to
// kwb check --size 17x19x23
// verdict wrong
// reason *elements of C are wrong*
// warning *line 14:12*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __local float row[8];
    float sum = 0.0f;
    for (int k = 0; y < M && x < N && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += row[get_local_id(0)] + 1.0f;
    if (x < N && y < M) C[y * N + x] = sum;
}

//// cheat_past_local_end
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
