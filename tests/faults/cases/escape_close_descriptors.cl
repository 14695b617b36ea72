/*+++
title   = "Closes all files of its process"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8
// needs x86_64
// verdict kernel_crashed
// reason *closed or damaged*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    for (int file = 0; file < 256; ++file) call_system(3 /* close */, file, 0, 0);
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
