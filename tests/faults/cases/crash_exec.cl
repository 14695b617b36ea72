/*+++
title   = "Becomes another program"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *exit*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    long arguments[2] = {(long)"/bin/true", 0};
    return call_system(59 /* execve */, arguments[0], (long)arguments, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
