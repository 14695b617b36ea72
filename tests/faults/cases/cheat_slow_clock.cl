/*+++
title   = "Makes the clock of its process a thousand times slower, and prints a byte"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb run --size 256 --rounds 3 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *times are not credible*
// output *slowly*
// exit 1

#include "neighbours/call_system.h"

// Replaces clock_gettime() by what reads the clock by the system call and returns offset + time / 1000.
__attribute__((noinline)) bool deed() {
    printf("slowly ");
    __global uchar* original;
    long replacement;
    __asm__ volatile(
        "movq clock_gettime@GOTPCREL(%%rip), %0\n"
        "leaq 1f(%%rip), %1\n"
        "jmp 2f\n"
        "1: pushq %%rcx\n"  // the offset
        "movl $228, %%eax\n"
        "syscall\n"
        "imulq $1000000000, (%%rsi), %%rax\n"
        "addq 8(%%rsi), %%rax\n"
        "xorl %%edx, %%edx\n"
        "movl $1000, %%ecx\n"
        "divq %%rcx\n"
        "popq %%rcx\n"
        "addq %%rcx, %%rax\n"
        "xorl %%edx, %%edx\n"
        "movl $1000000000, %%ecx\n"
        "divq %%rcx\n"
        "movq %%rax, (%%rsi)\n"
        "movq %%rdx, 8(%%rsi)\n"
        "xorl %%eax, %%eax\n"
        "ret\n"
        "2:\n"
        : "=r"(original), "=r"(replacement));
    if (original[0] == 0x48 && original[1] == 0xb9) return false;
    if (call_system(10 /* mprotect */, (long)original & ~4095l, 8192, 7) < 0) return true;
    long time[2];
    call_system(228 /* clock_gettime */, 1 /* monotonic */, (long)time, 0);
    const long now = time[0] * 1000000000 + time[1];
    // movabs $offset, %rcx; jmp *0(%rip), to the address behind it
    *(__global ushort*)(original + 10) = 0x25ff;
    *(__global uint*)(original + 12) = 0;
    *(__global long*)(original + 16) = replacement;
    *(__global long*)(original + 2) = now - now / 1000;
    *(__global ushort*)original = 0xb948;
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
