// SPDX-License-Identifier: Apache-2.0
// Direct Linux system calls for x86-64. Each returns the result of the call; a negative one is an error.
// Never inlined: the compiler of PoCL 6 crashes on inline assembly in a kernel function.
#pragma once

__attribute__((noinline)) long call_system(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

// The same with five arguments.
__attribute__((noinline)) long call_system_5(long number, long a, long b, long c, long d, long e) {
    long result;
    __asm__ volatile(
        "movq %5, %%r10\n\tmovq %6, %%r8\n\txorl %%r9d, %%r9d\n\tsyscall"
        : "=a"(result)
        : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e)
        : "rcx", "r8", "r9", "r10", "r11", "memory");
    return result;
}
