/*+++
title   = "Sends itself SIGKILL and SIGSTOP"
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
    const long self = call_system(39 /* getpid */, 0, 0, 0);
    // Any call that is allowed kills or stops this process, so that it sends no answer.
    const bool is_killed = call_system(62 /* kill */, self, 9, 0) == 0;
    const bool is_killed_by_thread = call_system(234 /* tgkill */, self, self, 9) == 0;
    const bool is_stopped = call_system(62 /* kill */, self, 19, 0) == 0;
    return is_killed || is_killed_by_thread || is_stopped;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
