/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Accesses by vectors and by wrong pointers, and to local, private and scratch memory.

//// bounds_float4_cast_read: Reads an input through a cast to float4, the last one partly past the end
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *of A*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += ((volatile __global const float4*)A)[(M * K + 127) / 4].x > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_float4_cast_write: Writes C through a cast to float4, the last one partly past the end
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
    if (x == N - 1 && y == M - 1) ((__global float4*)C)[M * N / 4] = (float4)(C[M * N - 3], C[M * N - 2], sum, 0.0f);
}

//// bounds_misaligned_read: Reads a float4 at an address that is no multiple of 16
// kwb check --size 17x19x23 --no-xray
// verdict kernel_crashed
// reason *align*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += (*(volatile __global const float4*)(A + 1)).x > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_misaligned_write: Writes a float4 at an address that is no multiple of 16
// kwb check --size 17x19x23 --no-xray
// verdict kernel_crashed
// reason *align*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == 0 && y == 0) *(volatile __global float4*)(C + 1) = (float4)(0.0f);
    C[y * N + x] = sum;
}

//// bounds_vload4_past: Loads four floats, of which the last two lie past the end
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element 39* of A*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += vload4(0, A + (M * K - 2)).w > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_vstore4_past: Stores four floats, of which the last ones lie past the end
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element 32* of C*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) vstore4((float4)(sum), 0, C + (M * N - 1));
}

//// bounds_null: Follows a pointer that points nowhere
// kwb check --size 17x19x23 --no-xray
// verdict kernel_crashed
// reason *NULL*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    __global float* volatile nowhere = 0;
    if (x == N - 1 && y == M - 1) *nowhere = 1.0f;
}

//// bounds_wild_pointer: Follows a number taken for an address
// kwb check --size 17x19x23 --no-xray
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
    if (x == N - 1 && y == M - 1) *(volatile __global float*)((size_t)M * 4096 * 16) = 1.0f;
}

//// bounds_local_far: Writes far outside of its local memory
// kwb check --size 17x19x23 --no-xray
// verdict kernel_crashed
// reason *crashed*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    __local float tile[64];
    tile[get_local_id(1) * 8 + get_local_id(0) + M * 100000000] = 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += tile[0] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_private_far: Writes far outside of a private array
// kwb check --size 17x19x23 --no-xray
// verdict kernel_crashed
// reason *crashed*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    volatile float own[16];
    own[x % 16 + (size_t)M * 100000000] = 1.0f;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// bounds_scratch_bytes
/*+++
title   = "Reads one byte past the end of scratch memory of bytes"
problem = "matmul"

[scratch]
S = {type = "uchar", elements = "M"}

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element 17 of S*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       __global uchar* S, const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += *(volatile __global uchar*)&S[M] > 255 ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// bounds_scratch_one_past
/*+++
title   = "Writes one element past the end of scratch memory"
problem = "matmul"

[scratch]
S = "M"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element 17 of S*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       __global float* S, const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) S[M] = sum;
}

//// bounds_second_launch
/*+++
title   = "The second of two launches reads past the end of what the first made"
problem = "matmul"

[scratch]
T = "N * K"

[[launch]]
kernel = "transpose"
local  = [8, 4]
global = ["round_up(N, 8)", "round_up(K, 4)"]
args   = {src = "B", dst = "T", rows = "K", columns = "N"}

[[launch]]
kernel = "multiply"
local  = [4, 8]
global = ["round_up(N, 4)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element 437 of T*
// exit 1

__kernel void transpose(__global const float* src, __global float* dst, const int rows, const int columns) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < columns && y < rows) dst[x * rows + y] = src[y * columns + x];
}

__kernel void multiply(__global const float* A, __global const float* T, __global float* C, const int M,
                       const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x > N || y >= M) return;  // one column too many
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * T[x * K + k];
    if (x < N) C[y * N + x] = sum;
    else if (sum == 12345.0f) C[0] = sum;
}

//// bounds_rows_and_columns_swapped: Takes N for M where it guards
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element * of *
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= M || y >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// bounds_work_item: One work-item of many writes past the end
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *element 323 of C*work-item (5, 3)*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == 5 && y == 3) C[M * N] = 1.0f;
}
