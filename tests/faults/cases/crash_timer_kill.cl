/*+++
title   = "Sets a timer that kills its process"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8
// needs x86_64
// verdict skipped
// reason *SIGKILL*by another program or by the kernel itself*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    int event[16] = {0, 0, 9 /* SIGKILL */, 0 /* a signal */};
    int timer = 0;
    long soon[4] = {0, 0, 0, 1000};
    if (call_system(222 /* timer_create */, 1, (long)event, (long)&timer) != 0) return true;
    if (call_system_5(223 /* timer_settime */, timer, 0, (long)soon, 0, 0) != 0) return true;
    long ten_minutes[2] = {600, 0};
    return call_system(35 /* nanosleep */, (long)ten_minutes, 0, 0) == 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
