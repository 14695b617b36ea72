/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Kernels that never end.

//// hang_barrier_some_items: A barrier that only some work-items reach
// kwb check --size 16 --timeout 4s
// verdict timeout
// reason *launch*exceeded*
// warning *line 20:12*
// warning *line 17:9*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __local float tile[64];
    const int i = get_local_id(1) * 8 + get_local_id(0);
    float sum = 0.0f;
    if (get_local_id(0) < 4) {
        tile[i] = A[y * K];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += tile[i] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// hang_endless: A loop that never ends
// kwb check --size 16 --timeout 4s --no-xray
// verdict timeout
// reason *launch*never ends*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) while (*(volatile __global float*)C != 12345.678f) {
    }
}

//// hang_endless_later: A loop that ends in the first run only
// kwb run --size 16 --rounds 3 --timeout 4s --no-xray
// needs x86_64
// verdict timeout
// reason *launch*never ends*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    __global int* runs = (__global int*)kept_memory(0x6b2000000000) + y * N + x;
    ++*runs;
    while (*runs > 1 && *(volatile __global float*)C != 12345.678f) {
    }
}

//// hang_endless_with_barrier: A loop with a barrier that never ends
// kwb check --size 16 --timeout 4s --no-xray
// verdict timeout
// reason *launch*never ends*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    do {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (x < N && y < M) C[y * N + x] = sum;
    } while (*(volatile __global float*)C != 12345.678f);
}

//// hang_exit_thread: Ends the thread that it runs in
// kwb check --size 8 --timeout 4s --no-xray
// needs x86_64
// verdict timeout
// reason *launch*exceeded*
// exit 1

#include "neighbours/call_system.h"

bool deed() { return call_system(60 /* exit */, 0, 0, 0); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// hang_huge_unroll: A loop unrolled 200,000 times
// kwb check --size 16 --timeout 2s --no-xray
// verdict timeout
// reason *Allow a longer time limit*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    float more = sum;
#pragma unroll 200000
    for (int i = 0; i < 200000; ++i) more = more * A[(i * 7) % K] + B[i % N];
    if (more == 12345.678f) C[0] = more;
}

//// hang_macro_bomb: Macros that grow to a hundred million statements
// kwb check --size 16 --timeout 2s --no-xray
// verdict timeout
// reason *the compiler did not finish*
// exit 1

#define A0 more = more * sum + 1.0f;
#define A1 A0 A0 A0 A0 A0 A0 A0 A0 A0 A0
#define A2 A1 A1 A1 A1 A1 A1 A1 A1 A1 A1
#define A3 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2
#define A4 A3 A3 A3 A3 A3 A3 A3 A3 A3 A3
#define A5 A4 A4 A4 A4 A4 A4 A4 A4 A4 A4
#define A6 A5 A5 A5 A5 A5 A5 A5 A5 A5 A5
#define A7 A6 A6 A6 A6 A6 A6 A6 A6 A6 A6
#define A8 A7 A7 A7 A7 A7 A7 A7 A7 A7 A7

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    float more = sum;
    A8
    C[y * N + x] = more;
}

//// hang_signal_stop: Stops its process
// kwb check --size 8 --timeout 4s --no-xray
// needs x86_64
// verdict timeout
// reason *launch*exceeded*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    const long self = call_system(39 /* getpid */, 0, 0, 0);
    return call_system(62 /* kill */, self, 20 /* SIGTSTP */, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"
