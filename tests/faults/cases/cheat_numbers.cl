/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Wrong numbers, types and precision.

//// cheat_component_repeated
/*+++
title   = "Computes one component, and repeats it"
problem = "vector_add"
type    = "float4"

[launch]
kernel = "add"
global = ["N"]
+++*/
// kwb check --size 100
// verdict wrong
// reason *elements of C are wrong with integer inputs; the first is C[*
// exit 1

__kernel void add(__global const float4* A, __global const float4* B, __global float4* C) {
    int i = get_global_id(0);
    C[i] = (float4)(A[i].x + B[i].x);
}

//// cheat_double_copied_as_float
/*+++
title   = "Copies doubles by way of floats"
problem = "copy"
type    = "double"

[launch]
kernel = "copy_all"
global = ["N"]
+++*/
// kwb check --size 100
// verdict wrong
// reason * of 100 elements of Y are wrong with integer inputs; the first is Y[*]: expected *, got *
// exit 1

__kernel void copy_all(__global const double* X, __global double* Y) {
    int i = get_global_id(0);
    Y[i] = (float)X[i];
}

//// cheat_double_summed_in_float
/*+++
title   = "Sums doubles in a float"
problem = "matmul"
type    = "double"

[launch]
kernel = "multiply"
global = ["N", "M"]
+++*/
// kwb check --size 31
// verdict wrong
// reason 961 of 961 elements of C are wrong with random inputs; the first is C[0][0]: expected *, got *
// exit 1

__kernel void multiply(__global const double* A, __global const double* B, __global double* C, int M, int N, int K) {
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}

//// cheat_half_inputs: Multiplies inputs that are cut to half precision
// kwb check --size 16x16x8192
// verdict wrong
// reason *of C are wrong with random inputs*
// exit 1

float half_of(float x) {
    return as_float((as_uint(x) + 0x1000u) & 0xffffe000u);
}

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += half_of(A[y * K + k]) * half_of(B[k * N + x]);
    C[y * N + x] = sum;
}

//// cheat_half_precision: Sums in half the digits
// kwb check --size 17x19x23
// verdict wrong
// reason *random inputs*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = as_float(as_uint(sum) & 0xffffe000u);
}

//// cheat_infinity: Answers infinity
// kwb check --size 17x19x23
// verdict wrong
// reason *not finite*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = INFINITY;
}

//// cheat_int_read_as_short
/*+++
title   = "Keeps half of each integer"
problem = "matmul"
type    = "int"

[launch]
kernel = "multiply"
global = ["N", "M"]
+++*/
// kwb check --size 128
// verdict wrong
// reason *elements of C are wrong with integer inputs; the first is C[*
// exit 1

__kernel void multiply(__global const int* A, __global const int* B, __global int* C, int M, int N, int K) {
    int column = get_global_id(0), row = get_global_id(1);
    int sum = 0;
    for (int k = 0; k < K; ++k) sum += (short)A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}

//// cheat_int_summed_in_float
/*+++
title   = "Sums integers in a float"
problem = "sum"
type    = "int"

[launch]
kernel = "add"
global = [1]
+++*/
// kwb check --size 100003
// verdict wrong
// reason 1 of 1 element of R is wrong with integer inputs; the first is R[0]: expected *, got *
// exit 1

__kernel void add(__global const int* X, __global int* R, int N) {
    float sum = 0;
    for (int i = 0; i < N; ++i) sum += X[i];
    R[0] = sum;
}

//// cheat_nan: Answers NaN everywhere
// kwb check --size 17x19x23
// verdict wrong
// reason *323 of 323 elements of C*not finite*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = nan(0u);
}

//// cheat_nan_of_poison: Leaves an element out, which keeps the NaN that was there
// kwb check --size 17x19x23
// verdict wrong
// reason *1 of 323 elements of C was never written*C[16][18]*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x != N - 1 || y != M - 1) C[y * N + x] = sum;
}

//// cheat_one_component_wrong
/*+++
title   = "Forgets the last component of each vector"
problem = "vector_add"
type    = "uint4"

[launch]
kernel = "add"
global = ["N"]
+++*/
// kwb check --size 100
// verdict wrong
// reason 100 of 400 elements of C are wrong with integer inputs; the first is C[0][3]: expected *, got *
// exit 1

__kernel void add(__global const uint4* A, __global const uint4* B, __global uint4* C) {
    int i = get_global_id(0);
    C[i] = (uint4)(A[i].xyz + B[i].xyz, A[i].w);
}

//// cheat_zeros: Answers zero everywhere
// kwb check --size 17x19x23
// verdict wrong
// reason * of 323 elements of C are wrong*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = 0.0f;
}
