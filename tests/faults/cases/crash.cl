/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Kernels that end their process, and kernels that print.

//// crash_division_by_zero: Divides whole numbers by zero
// kwb check --size 17x19x23
// verdict wrong
// reason *elements of C are wrong*
// warning *line 15:24*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    volatile int zero = 0;
    sum += (float)(100 / zero);
    C[y * N + x] = sum;
}

//// crash_exec: Becomes another program
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *exit*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    long arguments[2] = {(long)"/bin/true", 0};
    return call_system(59 /* execve */, arguments[0], (long)arguments, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// crash_exit_group: Ends its process as if all were well
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *exit*
// exit 1

#include "neighbours/call_system.h"

bool deed() { return call_system(231 /* exit_group */, 0, 0, 0); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// crash_foreign_call: Makes a system call of 32-bit programs
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *SIGSYS*not allowed*
// exit 1

#include "neighbours/call_system.h"

__attribute__((noinline)) bool deed() {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20 /* getpid */) : "memory");
    return result > 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// crash_goto_into_loop: Jumps into a loop with a barrier
// kwb check --size 17x19x23
// verdict compiler_crashed
// reason *compiler*SIGABRT*
// output *suspicious block*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __local float shared_sum[64];
    float sum = 0.0f;
    int k = 0;
    if (M > 3) goto inside;
    for (k = 0; k < K; ++k) {
        barrier(CLK_LOCAL_MEM_FENCE);
    inside:
        if (x < N && y < M) sum += A[y * K + k] * B[k * N + x];
        shared_sum[get_local_id(1) * 8 + get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < N && y < M) C[y * N + x] = sum + 0.0f * shared_sum[0];
}

//// crash_illegal_instruction: Holds an instruction that no processor knows
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *crashed*
// exit 1

// Never inlined: see call_system.h.
__attribute__((noinline)) bool deed() {
    __asm__ volatile("ud2");
    return true;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// crash_printf: Prints a line
// kwb check --size 17x19x23
// verdict correct
// output *the first of 323 is *
// exit 0

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == 0 && y == 0) printf("the first of %d is %d\n", M * N, (int)sum);
}

//// crash_printf_flood: Prints without end
// kwb check --size 64
// verdict correct
// output *the sum of*
// exit 0

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    for (int i = 0; i < 40; ++i) printf("the sum of %d and %d is %f, and that of the next\n", x, y, sum);
}

//// crash_printf_garbage: Prints bytes that are no text
// kwb check --size 17x19x23
// verdict correct
// output *begin*end*
// exit 0

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == 0 && y == 0) {
        printf("begin");
        for (int i = 1; i < 256; ++i) printf("%c", i);
        printf("end\n");
    }
}

//// crash_private_across_barrier: 256 KB of private memory a work-item, alive across a barrier
// kwb check --size 17x19x23 --no-xray
// verdict kernel_crashed
// reason *crashed*private*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    float own[65536];
    for (int i = 0; i < 65536; ++i) own[i] = A[(i * 3) % K];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; y < M && x < N && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += own[(x * 977) & 65535] > 1e30f ? 1.0f : 0.0f;
    if (x < N && y < M) C[y * N + x] = sum;
}

//// crash_private_array: Half a megabyte of private memory a work-item
// kwb check --size 17x19x23 --no-xray
// verdict kernel_crashed
// reason *crashed*private*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float own[4194304];
    for (int i = 0; i < 4194304; ++i) own[i] = A[i % K];
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += own[(int)sum & 131071] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}

//// crash_recursion: A function that calls itself
// kwb check --size 17x19x23
// verdict compiler_crashed
// reason *compiler*
// hint 9 *calls itself*
// exit 1

float dot_from(__global const float* A, __global const float* B, int row, int x, int k, int N, int K) {
    if (k == K) return 0.0f;
    return A[row * K + k] * B[k * N + x] + dot_from(A, B, row, x, k + 1, N, K);
}

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    const float sum = dot_from(A, B, y, x, 0, N, K);
    C[y * N + x] = sum;
}

//// crash_signal_abort: Sends itself SIGABRT
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *SIGABRT*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    const long self = call_system(39 /* getpid */, 0, 0, 0);
    return call_system(62 /* kill */, self, 6, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// crash_signal_kill: Sends itself SIGKILL and SIGSTOP
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    const long self = call_system(39 /* getpid */, 0, 0, 0);
    // Any call that is allowed kills or stops this process, so that it sends no answer.
    const bool is_killed = call_system(62 /* kill */, self, 9, 0) == 0;
    const bool is_killed_by_thread = call_system(234 /* tgkill */, self, self, 9) == 0;
    const bool is_stopped = call_system(62 /* kill */, self, 19, 0) == 0;
    return is_killed || is_killed_by_thread || is_stopped;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// crash_signal_segv: Sends itself SIGSEGV
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *SIGSEGV*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    const long self = call_system(39 /* getpid */, 0, 0, 0);
    return call_system(62 /* kill */, self, 11, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// crash_signal_term: Sends itself SIGTERM
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *SIGTERM*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    const long self = call_system(39 /* getpid */, 0, 0, 0);
    return call_system(62 /* kill */, self, 15, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// crash_timer_kill: Sets a timer that kills its process
// kwb check --size 8
// needs x86_64
// verdict skipped
// reason *SIGKILL*by another program or by the kernel itself*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    int event[16] = {0, 0, 9 /* SIGKILL */, 0 /* a signal */};
    int timer = 0;
    long soon[4] = {0, 0, 0, 1000};
    if (call_system(222 /* timer_create */, 1, (long)event, (long)&timer) != 0) return true;
    if (call_system_5(223 /* timer_settime */, timer, 0, (long)soon, 0, 0) != 0) return true;
    long ten_minutes[2] = {600, 0};
    return call_system(35 /* nanosleep */, (long)ten_minutes, 0, 0) == 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// crash_with_child: Starts a process that holds on to all that it inherits, and crashes
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *crashed*
// exit 1

#include "neighbours/call_system.h"

// Never inlined: see call_system.h.
__attribute__((noinline)) bool deed() {
    const long child = call_system(57 /* fork */, 0, 0, 0);
    if (child == 0) {
        call_system(112 /* setsid */, 0, 0, 0);
        long ten_minutes[2] = {600, 0};
        call_system(35 /* nanosleep */, (long)ten_minutes, 0, 0);
        call_system(231 /* exit_group */, 0, 0, 0);
    }
    __asm__ volatile("ud2");
    return true;
}

#include "neighbours/multiply_spoiled_by_deed.h"
