/*+++
title   = "Copies from its judge's memory"
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
    long here[1];
    long mine[2] = {(long)here, 8};
    long theirs[2] = {4096, 8};
    const long parent = call_system(110 /* getppid */, 0, 0, 0, 0, 0);
    const long copied = call_system(310 /* process_vm_readv */, parent, (long)mine, 1, (long)theirs, 1);
    return copied >= 0 || copied == -14;  // nothing lies at that address, but it was allowed to look
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
