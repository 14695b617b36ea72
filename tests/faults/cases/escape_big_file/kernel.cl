/*+++
title   = "Makes a file of two gigabytes in its temporary folder"
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

// Open what the environment of this process calls `name`, with `more` behind it.
long open_named(__constant char* name, __constant char* more, long flags) {
    char* const** where;
    __asm__("movq environ@GOTPCREL(%%rip), %0" : "=r"(where));  // of the C library
    char path[1024];
    for (char* const* variable = *where; *variable; ++variable) {
        const char* text = *variable;
        int n = 0;
        while (name[n] != 0 && text[n] == name[n]) ++n;
        if (name[n] != 0) continue;
        int end = 0;
        while (text[n + end] != 0 && end < 900) path[end] = text[n + end], ++end;
        for (__constant char* p = more; *p; ++p) path[end++] = *p;
        path[end] = 0;
        return call_system(2 /* open */, (long)path, flags, 0600);
    }
    return -1;
}

bool deed() {
    const long file = open_named("TMPDIR=", "/large", 0102 /* read and write, create */);
    return file < 0 || call_system(77 /* ftruncate */, file, 2l << 30, 0) == 0;
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
