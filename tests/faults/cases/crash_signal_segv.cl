/*+++
title   = "Sends itself SIGSEGV"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *SIGSEGV*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    const long self = call_system(39 /* getpid */, 0, 0, 0);
    return call_system(62 /* kill */, self, 11, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
