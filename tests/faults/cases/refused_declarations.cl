// SPDX-License-Identifier: Apache-2.0
// Declarations with mistakes, and those that do not fit the device.

//// refused_division_by_zero
/*+++
title   = "Divides by zero in an expression"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["N // (M - M)", "M"]
+++*/
// kwb check --size 17x19x23
// refusal *.cl:8:*zero*
// exit 2

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_empty_range
/*+++
title   = "Launches nothing"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["N - N", "8"]
+++*/
// kwb check --size 17x19x23
// refusal *.cl:8:*size is 0*
// exit 2

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_front_matter
/*+++
title   = "Has a mistake in its front matter"
problem = "matmul"

[launch]
kernel = "multiply"
locale = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// refusal *.cl:7:*locale*
// exit 2

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_kernel_name
/*+++
title   = "Names a kernel function that there is not"
problem = "matmul"

[launch]
kernel = "multiplyy"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// refusal *.cl:6:*multiplyy*multiply*clear*
// exit 2

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

__kernel void clear(__global float* C) { C[get_global_id(0)] = 0.0f; }

//// refused_local_argument
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

//// refused_no_front_matter
// kwb check --size 17x19x23
// refusal *does not name the problem that it solves*
// exit 2

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_not_a_multiple
/*+++
title   = "Work-groups that do not divide the NDRange"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [16, 16]
global = ["N", "M"]
+++*/
// kwb check --size 100
// verdict constraint
// reason *16x16*100x100*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_nowhere_else
/*+++
title   = "A work-group that fits few GPUs"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [64, 32]
global = ["round_up(N, 64)", "round_up(M, 32)"]
+++*/
// kwb check --size 17x19x23
// verdict correct
// warning *64x32*1024*
// exit 0

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_overflow
/*+++
title   = "Launches more work-items than numbers can count"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["N * 2 ** 62", "M"]
+++*/
// kwb check --size 17x19x23
// refusal *.cl:8:*
// exit 2

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_range_too_long
/*+++
title   = "More work-items along one dimension than drivers count"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["2 ** 33", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict constraint
// reason *8589934592*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_requirement
/*+++
title   = "A requirement of its own that does not hold"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]

[require]
fits = "M % 8 == 0"
+++*/
// kwb check --size 17x19x23
// verdict constraint
// reason *fits*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_work_group_too_large
/*+++
title   = "More work-items in a group than the device takes"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [256, 256]
global = ["round_up(N, 256)", "round_up(M, 256)"]
+++*/
// kwb check --size 17x19x23
// verdict constraint
// reason *65536*at most*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}
