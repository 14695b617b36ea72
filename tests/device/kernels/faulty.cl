/*+++
title   = "A product with a fault of one's choice"
problem = "matmul"

[params]
FAULT = ["none", "past_end", "before_start", "far_past_end", "not_a_number", "writes_nothing", "skips_corner",
         "changes_input", "wrong_later", "changes_input_later", "wild_pointer", "endless", "prints", "wrong_sign",
         "past_end_of_scratch"]

[scratch]
S = "M"

[launch]
kernel = "faulty"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#define none 1
#define past_end 2
#define before_start 3
#define far_past_end 4
#define not_a_number 5
#define writes_nothing 6
#define skips_corner 7
#define changes_input 8
#define wrong_later 9
#define changes_input_later 10
#define wild_pointer 11
#define endless 12
#define prints 13
#define wrong_sign 14
#define past_end_of_scratch 15
#ifndef FAULT
#define FAULT none
#endif

// Number of runs of this fault in this process, including this one. Outputs, scratch and inputs keep nothing from
// earlier runs, so the count is in memory mapped by a system call. Never inlined: the compiler of PoCL 6 crashes on
// inline assembly in a kernel function.
__attribute__((noinline)) int count_run() {
#ifdef __x86_64__
    const long at = 0x6d0000000000;
    long result = 9;  // mmap, private, anonymous, MAP_FIXED_NOREPLACE
    __asm__ volatile(
        "movq $0x100022, %%r10\n\tmovq $-1, %%r8\n\txorl %%r9d, %%r9d\n\tsyscall"
        : "+a"(result)
        : "D"(at), "S"(4096L), "d"(3L)
        : "rcx", "r8", "r9", "r10", "r11", "memory");
    return ++((__global int*)at)[FAULT];
#else
    return 0;
#endif
}

__kernel void faulty(__global float* A, __global const float* B, __global float* C, __global float* S,
                     const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    const bool first = x == 0 && y == 0;
    const bool last = x == N - 1 && y == M - 1;
    // A check needs 4 runs, a turn at least 15.
    const bool later = (FAULT == wrong_later || FAULT == changes_input_later) && first && count_run() > 8;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (FAULT == writes_nothing) return;
    if (FAULT == skips_corner && x >= N - 2 && y >= M - 2) return;
    if (FAULT == not_a_number && last) sum = nan(0u);
    if (FAULT == wrong_sign && last) sum = -sum;
    C[y * N + x] = sum;

    if (FAULT == past_end && last) C[M * N] = 1.0f;
    if (FAULT == before_start && first) C[-1] = 1.0f;
    if (FAULT == far_past_end && last) C[M * N + 1000] = 1.0f;
    if (FAULT == past_end_of_scratch && last) S[M + 2] = 1.0f;
    if (FAULT == changes_input && last) A[M * K - 1] += 1.0f;
    // Only later runs see this.
    if (FAULT == wrong_later && later) A[0] += 100.0f;
    if (FAULT == changes_input_later && later) A[0] = A[0] * 1.0000001f + 1e-9f;
    if (FAULT == wild_pointer && last) *(volatile __global float*)((size_t)M * 8) = 1.0f;
    if (FAULT == endless && last)
        while (*(volatile __global float*)C != 12345.678f) {
        }
    if (FAULT == prints && first) printf("the first of %d is %d\n", M * N, (int)sum);
}
// SPDX-License-Identifier: Apache-2.0
