/*+++
title   = "Starts eight processes that never rest"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --timeout 2s --no-xray
// needs x86_64
// verdict timeout
// reason *launch*exceeded*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    for (int i = 0; i < 8; ++i)
        if (call_system(57 /* fork */, 0, 0, 0) == 0) {
            call_system(37 /* alarm */, 600, 0, 0);  // ends them if nobody else does
            for (;;) call_system(24 /* sched_yield */, 0, 0, 0);
        }
    for (;;) call_system(24 /* sched_yield */, 0, 0, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
