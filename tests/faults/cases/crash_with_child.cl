/*+++
title   = "Starts a process that holds on to all that it inherits, and crashes"
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

#include "neighbours/call_system.h"

// Never inlined: see call_system.h.
__attribute__((noinline)) bool deed() {
    const long child = call_system(57 /* fork */, 0, 0, 0);
    if (child == 0) {
        call_system(112 /* setsid */, 0, 0, 0);
        long ten_minutes[2] = {600, 0};
        call_system(35 /* nanosleep */, (long)ten_minutes, 0, 0);
        call_system(231 /* exit_group */, 0, 0, 0);
    }
    __asm__ volatile("ud2");
    return true;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
