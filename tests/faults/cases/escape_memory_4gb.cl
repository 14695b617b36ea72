/*+++
title   = "Takes four gigabytes of memory"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *memory*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    const long size = 4l << 30;
    const long at = call_system_5(9 /* mmap */, 0, size, 3, 0x22 /* private, anonymous */, -1);
    if (at < 0 && at > -4096) return false;
    for (long i = 0; i < size; i += 4096) *(volatile char*)(at + i) = 1;
    return true;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
