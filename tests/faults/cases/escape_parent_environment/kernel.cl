/*+++
title   = "Opens the environment of its judge"
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

// "/proc/<parent>/what"
bool open_of_parent(__constant char* what, long flags) {
    char path[64];
    int n = 0;
    for (__constant char* p = "/proc/"; *p; ++p) path[n++] = *p;
    const long parent = call_system(110 /* getppid */, 0, 0, 0);
    for (long scale = 1000000000; scale > 0; scale /= 10)
        if (parent >= scale) path[n++] = '0' + parent / scale % 10;
    for (__constant char* p = what; *p; ++p) path[n++] = *p;
    path[n] = 0;
    const long file = call_system(2 /* open */, (long)path, flags, 0);
    if (file >= 0) call_system(3 /* close */, file, 0, 0);
    return file >= 0;
}

bool deed() { return open_of_parent("/environ", 0); }

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
