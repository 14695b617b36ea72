/*+++
title   = "Has the assembler put a file of the system into the program"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict correct
// exit 0

// Never inlined: see call_system.h.
__attribute__((noinline)) bool deed() {
    long size = 0;
    __asm__ volatile(
        ".pushsection .rodata\n"
        "771:\n\t.incbin \"/etc/passwd\"\n"
        "772:\n\t.popsection\n\t"
        "movq $(772b - 771b), %0"
        : "=r"(size));
    return size > 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
