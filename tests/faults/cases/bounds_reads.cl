/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Reads outside of buffers.

//// bounds_read_1e9_past: Reads a thousand million elements past the end of an input
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element 1000000391 of A*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += *(volatile __global const float*)&A[(size_t)M * K + 1000000000] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_read_400kb_past: Reads 400 KB past the end of an input
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element 100437 of B*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += *(volatile __global const float*)&B[K * N + 100000] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_read_one_before: Reads the element before the first of an input
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element -1 of B*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == 0 && y == 0) sum += *(volatile __global const float*)&B[-1] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_read_one_past: Reads one element past the end of an input
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element 391 of A*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += *(volatile __global const float*)&A[M * K] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_read_output_far: Reads far past the end of the output
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element 5000323 of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += *(volatile __global const float*)&C[M * N + 5000000] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_read_output_one_before: Reads the element before the first of the output
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element -1 of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == 0 && y == 0) sum += *(volatile __global const float*)&C[-1] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_read_output_one_past: Reads one element past the end of the output
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element 323 of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += *(volatile __global const float*)&C[M * N] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_run_check_read_one_past: Reads one element past the end of an input, and is to be timed
// kwb run --check --size 17x19x23 --rounds 3 --no-xray
// verdict out_of_bounds
// reason *read*element 391 of A*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += *(volatile __global const float*)&A[M * K] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_loop_one_too_far: A loop that ends one term too late
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element * of *past*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k <= K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}
