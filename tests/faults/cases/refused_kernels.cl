/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Sources that do not compile, includes that must not be read, and kernels that do not fit their problem.

//// refused_argument_type: Takes a buffer of floats for one of doubles
// kwb check --size 17x19x23
// verdict launch_error
// reason *double*
// exit 1

__kernel void multiply(__global const double* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_buffer_too_large: A size whose matrices fit no device
// kwb check --size 200000
// verdict constraint
// reason *Choose a smaller size*
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

//// refused_compile_error: Does not compile
// kwb check --size 17x19x23
// verdict compile_error
// reason *.cl:15:28*undeclared_thing*
// diagnostic 15 error *undeclared*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    C[y * N + x] += 1.0f * undeclared_thing;
}

//// refused_deep_nesting: Nests parentheses deeper than the compiler goes
// kwb check --size 17x19x23
// verdict compile_error
// reason *.cl:12:*nesting*
// diagnostic 12 error *nesting*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((0.0f))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_exit: Calls exit()
// kwb check --size 17x19x23
// verdict compile_error
// reason *:17:*the function exit is not defined:*avoid it*
// diagnostic 17 error *the function exit is not defined:*
// exit 1

void exit(int code);

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1) exit(0);
}

//// refused_has_include_shadow: Asks whether a file of the system is there
// kwb check --size 17x19x23
// verdict compile_error
// reason */etc/shadow*
// diagnostic 7 error */etc/shadow*Permission denied*
// exit 1

#if __has_include("/etc/shadow")
#error "it is there"
#endif
__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_include_absolute: Includes a file of the system
// kwb check --size 17x19x23
// refusal *.cl:5:*/etc/passwd*absolute*
// exit 2

#include "/etc/passwd"
__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_include_itself: A neighbour that includes itself
// kwb check --size 17x19x23
// verdict compile_error
// reason *nested too deeply*
// diagnostic 2 error *nested too deeply*
// exit 1

#include "neighbours/again.h"
__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_include_outside: Includes a file outside of its folder
// kwb check --size 17x19x23
// refusal *.cl:5:*outside*
// exit 2

#include "../../../README.md"
__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_include_passwd: Includes a file of the system by its full name
// kwb check --size 17x19x23
// verdict compile_error
// reason *passwd*
// diagnostic 7 error */etc/passwd*
// exit 1

#include </etc/passwd>
__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_include_passwd_by_macro: Includes a file of the system by a name made of macros
// kwb check --size 17x19x23
// verdict compile_error
// reason *passwd*
// diagnostic 8 error */etc/passwd*
// exit 1

#define FILE "/etc/passwd"
#include FILE
__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_include_upwards: Includes a file of the system by a path upwards
// kwb check --size 17x19x23
// verdict compile_error
// reason *passwd*
// diagnostic 8 error *etc/passwd*
// exit 1

#define FILE "../../../../../../../../../../etc/passwd"
#include FILE
__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_local_static: More local memory than the device has
// kwb check --size 17x19x23
// verdict constraint
// reason *local memory*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __local float tile[1048576];
    tile[(x * 31 + y) % 1048576] = A[x % K];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; x < N && y < M && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += tile[(y * 17 + x) % 1048576] > 1e30f ? 1.0f : 0.0f;
    if (x < N && y < M) C[y * N + x] = sum;
}

//// refused_memory_too_small: A size whose matrices fit no memory together
// kwb check --size 5000000x1x100000
// verdict constraint
// reason *Choose a smaller size*
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

//// refused_missing_argument: An argument that nothing is bound to
// kwb check --size 17x19x23
// verdict constraint
// reason *bias*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K, __global const float* bias) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum + bias[x];
}

//// refused_other_work_group: Another work-group than the source demands
// kwb check --size 17x19x23
// verdict constraint
// reason *4x4*reqd_work_group_size*8x8*
// exit 1

__attribute__((reqd_work_group_size(4, 4, 1)))
__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_system: Calls a function of the C library
// kwb check --size 17x19x23
// verdict compile_error
// reason *:17:*the function system is not defined:*avoid it*
// diagnostic 17 error *the function system is not defined:*
// exit 1

int system(__constant char* command);

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    system("touch /tmp/kwb_fault");
}

//// refused_too_few_arguments: Calls a function with too few arguments
// kwb check --size 17x19x23
// verdict compile_error
// reason *expected 2, have 1*
// diagnostic 17 error *expected 2, have 1
// exit 1

float twice(float a, int n) { return a * n; }

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    C[y * N + x] = twice(sum);
}

//// refused_two_errors: Two lines that do not compile
// kwb check --size 17x19x23
// verdict compile_error
// reason *first_thing*
// diagnostic 13 error *first_thing*
// diagnostic 14 error *second_thing*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    int a = first_thing;
    int b = second_thing;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}

//// refused_undefined_declared: Declares a function that nobody defines
// kwb check --size 17x19x23
// verdict compile_error
// reason *:17:*the function dot_product is not defined:*avoid it*
// diagnostic 17 error *the function dot_product is not defined:*
// exit 1

float dot_product(__global const float* A, int x);

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    C[y * N + x] += dot_product(A, x);
}

//// refused_undefined_function: Calls a function that there is not
// kwb check --size 17x19x23
// verdict compile_error
// reason *dot_product*
// diagnostic 12 error *dot_product*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = dot_product(A, B, x, y);
    C[y * N + x] = sum;
}
