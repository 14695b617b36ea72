/*+++
title   = "Watches a folder"
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

__constant char path[] = "/";

bool deed() {
    const long old = call_system(253 /* inotify_init */, 0, 0, 0);
    const long watcher = call_system(294 /* inotify_init1 */, 0, 0, 0);
    if (old < 0 && watcher < 0) return false;
    return call_system(254 /* inotify_add_watch */, old >= 0 ? old : watcher, (long)path, 0xfff) >= 0;
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
