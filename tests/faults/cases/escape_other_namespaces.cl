/*+++
title   = "Makes a world of its own, in which it is the administrator"
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

// Not by unshare(), which a process with several threads may never do.
bool deed() {
    const long child = call_system_5(56 /* clone */, 0x10000000 /* CLONE_NEWUSER */ | 17 /* SIGCHLD */, 0, 0, 0, 0);
    if (child == 0) call_system(231 /* exit_group */, 0, 0, 0);
    // Without the sandbox, the judge finds a child that outlives the kernel, so that the verdict would depend on time.
    call_system_5(61 /* wait4 */, child, 0, 0, 0, 0);
    return child > 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
