/*+++
title   = "Starts a thousand processes"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *started more than 64 processes*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    for (int i = 0; i < 1000; ++i)
        if (call_system(57 /* fork */, 0, 0, 0) == 0)
            for (;;) call_system(34 /* pause */, 0, 0, 0);
    for (;;) call_system(34 /* pause */, 0, 0, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
