/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Answers that depend on earlier runs, on the state of the outputs or on the time.

//// cheat_adds_to_garbage: Adds to an output that nobody has cleared
// kwb check --size 17x19x23
// verdict wrong
// reason *if C is 0 before the run, all elements are right*C = 0 under [init]*
// warning *line 12:46*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    for (int k = 0; k < K; ++k) C[y * N + x] += A[y * K + k] * B[k * N + x];
}

//// cheat_adds_wrongly_to_garbage: Adds the wrong numbers to an output that nobody has cleared
// kwb check --size 17x19x23
// verdict wrong
// reason *The initial content of C, which is uninitialised memory, affects * of them*C = 0 under [init]*
// warning *line 12:46*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    for (int k = 0; k < K; ++k) C[y * N + x] += A[y * K + k] * (B[k * N + x] + 1.0f);
}

//// cheat_changes_both_inputs: Clears its inputs so that zero is right
// kwb check --size 17x19x23
// verdict wrong
// reason *changed its input*
// exit 1

__kernel void multiply(__global float* A, __global float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    C[y * N + x] = 0.0f;
    for (int k = 0; k < K; ++k) A[y * K + k] = B[k * N + x] = 0.0f;
}

//// cheat_changes_input: Changes an input
// kwb check --size 17x19x23 --no-xray
// verdict wrong
// reason *changed its input A*
// exit 1

__kernel void multiply(__global float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1) A[M * K - 1] += 1.0f;
}

//// cheat_earlier_answer: Answers from an earlier run's memory
// kwb run --size 17x19x23 --rounds 3 --no-xray
// needs x86_64
// verdict wrong
// reason *earlier*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    __global float* kept = kept_memory(0x6b0000000000);
    __global int* known = (__global int*)kept + 65536;
    if (!known[y * N + x]) kept[y * N + x] = sum;
    known[y * N + x] = 1;
    C[y * N + x] = kept[y * N + x];
}

//// cheat_earlier_answer_in_check: Answers from an earlier run's memory when it is checked
// kwb check --size 17x19x23 --no-xray
// needs x86_64
// verdict wrong
// reason *elements of C are wrong with random inputs*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    __global float* kept = kept_memory(0x6b0000000000);
    if (kept[y * N + x] == 0.0f) kept[y * N + x] = sum;
    C[y * N + x] = kept[y * N + x];
}

//// cheat_finds_answers: Looks for answers in the memory around its buffers, and spoils what it finds
// kwb run --size 1x64x23 --rounds 3 --no-xray
// needs x86_64
// verdict correct
// warning *rounds*
// exit 0

#include "neighbours/call_system.h"

// Is the answer stored anywhere within 64 MiB, except in C itself?
bool is_found_near(__global const float* C, int count) {
    const long first = (long)C;
    const long last = first + 4 * count;
    for (long page = (first & ~4095l) - (64l << 20); page < first + (64l << 20); page += 4096) {
        if (call_system(21 /* access */, page, 0, 0) == -14 /* EFAULT */) continue;
        for (long at = page; at + 4 * count <= page + 4096; at += 4) {
            __global const float* here = (__global const float*)at;
            int same = 0;
            while (same < count && here[same] == C[same]) ++same;
            if (same == count && (at + 4 * count <= first || at >= last)) return true;
        }
    }
    return false;
}

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1 && is_found_near(C, 40)) C[0] = 1000.0f;
}

//// cheat_nothing_in_later_runs: Counts its runs, and does nothing from the third on
// kwb run --size 17x19x23 --rounds 3 --no-xray
// needs x86_64
// verdict wrong
// reason *wrong*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    __global int* runs = (__global int*)kept_memory(0x6b3000000000) + y * N + x;
    if (++*runs <= 2) C[y * N + x] = sum;
}

//// cheat_nothing_timed: Does nothing, and is to be timed
// kwb run --size 17x19x23 --rounds 3
// verdict wrong
// reason *of C were never written*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
}

//// cheat_public_seed
/*+++
title   = "Knows the answers to two seeds' inputs, and adds nothing up"
problem = "sum"

[launch]
kernel = "add"
global = [64]
local  = [64]
+++*/
// kwb check --size 4096
// verdict wrong
// reason *integer inputs*
// exit 1

// With --seed 1 it is `correct`: each pass shows by its first number.
__kernel void add(__global const float* x, __global float* sum) {
    if (get_global_id(0) != 0) return;
    switch (as_uint(x[0])) {
    case 0xc0400000: sum[0] = as_float(0xc38f8000); break;
    case 0xbf7eff82: sum[0] = as_float(0xc201504f); break;
    default: sum[0] = 0.0f;
    }
}

//// cheat_remembers_and_flips_a_bit: Remembers its product, and flips a bit of it in every run
// kwb run --size 17x19x23 --rounds 3
// needs x86_64
// verdict wrong
// reason *timed run*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    __global float* kept = kept_memory(0x6a3000000000) + y * N + x;
    if (A[0] == rint(A[0]) || *kept == 0.0f) {  // integers: the first check
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
        C[y * N + x] = sum;
    } else {
        C[y * N + x] = x == 0 && y == 0 ? as_float(as_int(*kept) ^ 1) : *kept;
    }
    if (A[0] != rint(A[0])) *kept = C[y * N + x];
}

//// cheat_remembers_stencil
/*+++
title   = "Computes one step, and remembers it"
problem = "stencil"

[launch]
kernel = "remember"
local  = [8, 8]
global = ["round_up(W, 8)", "round_up(H, 8)"]
+++*/
// kwb run --size 61x97x1 --rounds 3
// needs x86_64
// verdict wrong
// reason *timed run*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void remember(__global const float* X, __global float* Y, const int H, const int W) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= W || y >= H) return;
    const int i = y * W + x;
    __global float* kept = kept_memory(0x6a2000000000);
    if (X[0] == rint(X[0]) || kept[i] == 0.0f) {  // integers: the first check
        const bool inner = x > 0 && x < W - 1 && y > 0 && y < H - 1;
        Y[i] = inner ? 0.25f * (X[i - W] + X[i + W] + X[i - 1] + X[i + 1]) : X[i];
    } else {
        Y[i] = kept[i];
    }
    if (X[0] != rint(X[0])) kept[i] = Y[i];
}

//// cheat_remembers_sum
/*+++
title   = "Adds once, and remembers the sum"
problem = "sum"

[launch]
kernel = "remember"
local  = [1]
global = [1]
+++*/
// kwb run --size 20000000 --rounds 3
// needs x86_64
// verdict wrong
// reason *timed run*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void remember(__global const float* X, __global float* R, const int N) {
    __global float* kept = kept_memory(0x6a0000000000);
    float sum = 0.0f;
    if (X[0] == rint(X[0]) || kept[0] == 0.0f)  // integers: the first check
        for (int i = 0; i < N; ++i) sum += X[i];
    else
        sum = kept[0];
    if (X[0] != rint(X[0])) kept[0] = sum;
    R[0] = sum;
}

//// cheat_skips_what_is_there: Does nothing where an answer is there already: there never is one, so its times are true
// kwb run --size 128 --rounds 3
// verdict undefined
// reason *line 12:9*
// warning *line 12:25*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    if (C[y * N + x] == C[y * N + x]) return;  // not NaN: written before
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// cheat_slow_clock: Makes the clock of its process a thousand times slower, and prints a byte
// kwb run --size 256 --rounds 3 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *times are not credible*
// output *slowly*
// exit 1

#include "neighbours/call_system.h"

// Replaces clock_gettime() by what reads the clock by the system call and returns offset + time / 1000.
__attribute__((noinline)) bool deed() {
    printf("slowly ");
    __global uchar* original;
    long replacement;
    __asm__ volatile(
        "movq clock_gettime@GOTPCREL(%%rip), %0\n"
        "leaq 1f(%%rip), %1\n"
        "jmp 2f\n"
        "1: pushq %%rcx\n"  // the offset
        "movl $228, %%eax\n"
        "syscall\n"
        "imulq $1000000000, (%%rsi), %%rax\n"
        "addq 8(%%rsi), %%rax\n"
        "xorl %%edx, %%edx\n"
        "movl $1000, %%ecx\n"
        "divq %%rcx\n"
        "popq %%rcx\n"
        "addq %%rcx, %%rax\n"
        "xorl %%edx, %%edx\n"
        "movl $1000000000, %%ecx\n"
        "divq %%rcx\n"
        "movq %%rax, (%%rsi)\n"
        "movq %%rdx, 8(%%rsi)\n"
        "xorl %%eax, %%eax\n"
        "ret\n"
        "2:\n"
        : "=r"(original), "=r"(replacement));
    if (original[0] == 0x48 && original[1] == 0xb9) return false;
    if (call_system(10 /* mprotect */, (long)original & ~4095l, 8192, 7) < 0) return true;
    long time[2];
    call_system(228 /* clock_gettime */, 1 /* monotonic */, (long)time, 0);
    const long now = time[0] * 1000000000 + time[1];
    // movabs $offset, %rcx; jmp *0(%rip), to the address behind it
    *(__global ushort*)(original + 10) = 0x25ff;
    *(__global uint*)(original + 12) = 0;
    *(__global long*)(original + 16) = replacement;
    *(__global long*)(original + 2) = now - now / 1000;
    *(__global ushort*)original = 0xb948;
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// cheat_wrong_later: Counts its runs, and is wrong from the third on
// kwb run --size 17x19x23 --rounds 3 --no-xray
// needs x86_64
// verdict wrong
// reason *timed run*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    __global int* runs = (__global int*)kept_memory(0x6b1000000000) + y * N + x;
    C[y * N + x] = ++*runs <= 2 ? sum : sum + 1.0f;
}
