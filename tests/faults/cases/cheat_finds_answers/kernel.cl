/*+++
title   = "Looks for answers in the memory that it shares with the judge, and spoils what it finds"
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

// One line of /proc/self/maps: "from-to …memfd…".
ulong number_at(char* text, long* at) {
    ulong value = 0;
    for (;; ++*at) {
        const char c = text[*at];
        if (c >= '0' && c <= '9') value = value * 16 + (c - '0');
        else if (c >= 'a' && c <= 'f') value = value * 16 + (c - 'a' + 10);
        else return value;
    }
}

// Is the answer's first row anywhere in there?
bool is_found(ulong from, ulong to, __global const float* row, int count) {
    for (ulong at = from; at + 4 * count <= to; at += 4) {
        __global const float* here = (__global const float*)at;
        int same = 0;
        while (same < count && here[same] == row[same]) ++same;
        if (same == count) return true;
    }
    return false;
}

bool deed_with(__global const float* row, int count) {
    char text[65536];
    const long file = call_system(2 /* open */, (long)"/proc/self/maps", 0, 0);
    long size = 0;
    for (long n = 1; n > 0 && size < 60000; size += n)
        n = call_system(0 /* read */, file, (long)(text + size), 60000 - size);
    call_system(3 /* close */, file, 0, 0);
    if (size <= 0) return true;
    for (long i = 0; i < size;) {
        const ulong from = number_at(text, &i);
        ++i;
        const ulong to = number_at(text, &i);
        bool shared_memory = false;
        for (; i < size && text[i] != '\n'; ++i)
            if (text[i] == 'm' && text[i + 1] == 'e' && text[i + 2] == 'm' && text[i + 3] == 'f' && text[i + 4] == 'd') shared_memory = true;
        ++i;
        if (shared_memory && is_found(from, to, row, count)) return true;
    }
    return false;
}

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1 && deed_with(C, 40)) C[0] = 1000.0f;
}
