/*+++
title   = "Takes four gigabytes of memory"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/

// A system call of Linux on x86-64, past every library.
long call_system(long number, long a, long b, long c, long d, long e) {
    long result;
    __asm__ volatile(
        "movq %5, %%r10\n\tmovq %6, %%r8\n\txorl %%r9d, %%r9d\n\tsyscall"
        : "=a"(result)
        : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e)
        : "rcx", "r8", "r9", "r10", "r11", "memory");
    return result;
}

bool deed() {
    const long size = 4l << 30;
    const long at = call_system(9 /* mmap */, 0, size, 3, 0x22 /* private, of no file */, -1);
    if (at < 0 && at > -4096) return false;
    for (long i = 0; i < size; i += 4096) *(volatile char*)(at + i) = 1;
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
