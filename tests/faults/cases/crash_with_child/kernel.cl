/*+++
title   = "Starts a process that holds on to all that it inherits, and crashes"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/

// A system call of Linux on x86-64, past every library.
long call_system(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

bool deed() {
    const long child = call_system(57 /* fork */, 0, 0, 0);
    if (child == 0) {
        call_system(112 /* setsid */, 0, 0, 0);
        long half_a_minute[2] = {30, 0};
        call_system(35 /* nanosleep */, (long)half_a_minute, 0, 0);
        call_system(231 /* exit_group */, 0, 0, 0);
    }
    __asm__ volatile("ud2");
    return true;
}

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    // Whoever succeeds spoils the answer.
    if (x == 0 && y == 0 && deed()) sum += 1000.0f;
    C[y * N + x] = sum;
}
