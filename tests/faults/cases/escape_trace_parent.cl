/*+++
title   = "Traces its judge"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    const long parent = call_system_5(110 /* getppid */, 0, 0, 0, 0, 0);
    const bool seized = call_system_5(101 /* ptrace */, 0x4206 /* PTRACE_SEIZE */, parent, 0, 0, 0) == 0;
    if (seized) {  // let it go again: only what has stopped can be left
        call_system_5(101 /* ptrace */, 0x4207 /* PTRACE_INTERRUPT */, parent, 0, 0, 0);
        call_system_5(61 /* wait4 */, parent, 0, 0x40000000 /* __WALL */, 0, 0);
        call_system_5(101 /* ptrace */, 17 /* PTRACE_DETACH */, parent, 0, 0, 0);
    }
    return seized;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
