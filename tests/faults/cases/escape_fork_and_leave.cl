/*+++
title   = "Starts a process that is to live on in a session of its own"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8
// needs x86_64
// verdict kernel_crashed
// reason *started *process* still running when it ended*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    const long child = call_system(57 /* fork */, 0, 0, 0);
    if (child == 0) {
        call_system(112 /* setsid */, 0, 0, 0);
        long ten_minutes[2] = {600, 0};
        call_system(35 /* nanosleep */, (long)ten_minutes, 0, 0);
        call_system(231 /* exit_group */, 0, 0, 0);
    }
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
