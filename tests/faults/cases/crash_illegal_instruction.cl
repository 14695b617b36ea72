/*+++
title   = "Holds an instruction that no processor knows"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *crashed*
// exit 1

// Never inlined: see call_system.h.
__attribute__((noinline)) bool deed() {
    __asm__ volatile("ud2");
    return true;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
