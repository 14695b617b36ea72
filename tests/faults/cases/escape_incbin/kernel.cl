/*+++
title   = "Has the assembler put a file of the system into the program"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/


bool deed() {
    long size = 0;
    __asm__ volatile(
        ".pushsection .rodata\n"
        "771:\n\t.incbin \"/etc/passwd\"\n"
        "772:\n\t.popsection\n\t"
        "movq $(772b - 771b), %0"
        : "=r"(size));
    return size > 0;
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
