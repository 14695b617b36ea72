/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Writes outside of buffers.

//// bounds_write_1e9_past: Writes a thousand million elements past the end of C
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element 1000000323 of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) C[(size_t)M * N + 1000000000] = 1.0f;
}

//// bounds_write_400kb_before: Writes 400 KB before the first element of C
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element -100000 of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == 0 && y == 0) C[-100000] = 1.0f;
}

//// bounds_write_400kb_past: Writes 400 KB past the end of C, where no guard zone reaches
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element 100323 of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) C[M * N + 100000] = 1.0f;
}

//// bounds_write_input_1e9_past: Writes a thousand million elements past the end of an input
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element 1000000391 of A*
// exit 1

__kernel void multiply(__global float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) A[(size_t)M * K + 1000000000] = 1.0f;
}

//// bounds_write_input_400kb_past: Writes 400 KB past the end of an input
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element 100437 of B*
// exit 1

__kernel void multiply(__global const float* A, __global float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) B[K * N + 100000] = 1.0f;
}

//// bounds_write_input_one_before: Writes the element before the first of an input
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element -1 of B*
// exit 1

__kernel void multiply(__global const float* A, __global float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == 0 && y == 0) B[-1] = 1.0f;
}

//// bounds_write_input_one_past: Writes one element past the end of an input
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element 391 of A*
// exit 1

__kernel void multiply(__global float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) A[M * K] = 1.0f;
}

//// bounds_write_one_before: Writes the element before the first of C
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element -1 of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == 0 && y == 0) C[-1] = 1.0f;
}

//// bounds_write_one_past: Writes one element past the end of C
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element 323 of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) C[M * N] = 1.0f;
}

//// bounds_run_write_1e9_past: Writes far past the end of C without unreadable pages
// kwb run --size 17x19x23 --rounds 3 --no-xray
// verdict kernel_crashed
// reason *crashed*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) C[(size_t)M * N + 100000000000] = 1.0f;
}

//// bounds_run_write_before: Writes before the first element of C, in a timed run
// kwb run --size 17x19x23 --rounds 3 --no-xray
// verdict out_of_bounds
// reason *element -3 of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == 0 && y == 0) C[-3] = 1.0f;
}

//// bounds_run_write_one_past: Writes one element past the end of C, in a timed run
// kwb run --size 17x19x23 --rounds 3 --no-xray
// verdict out_of_bounds
// reason *element 323 of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) C[M * N] = 1.0f;
}

//// bounds_no_guard: Forgets that the NDRange is rounded up
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element * of *
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}
