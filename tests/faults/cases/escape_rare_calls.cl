/*+++
title   = "Tries what no kernel needs"
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
    char zeros[256] = {0};
    if (call_system(425 /* io_uring_setup */, 1, (long)zeros, 0) >= 0) return true;
    if (call_system(298 /* perf_event_open */, (long)zeros, 0, -1) >= 0) return true;
    if (call_system(323 /* userfaultfd */, 1, 0, 0) >= 0) return true;
    if (call_system(250 /* keyctl */, 0, -3, 1) >= 0) return true;
    if (call_system(161 /* chroot */, (long)"/usr", 0, 0) >= 0) return true;
    if (call_system_5(13 /* rt_sigaction */, 17 /* SIGCHLD */, (long)zeros, 0, 8, 0) >= 0) return true;
    if (call_system(157 /* prctl */, 36 /* PR_SET_CHILD_SUBREAPER */, 0, 0) >= 0) return true;
    return call_system(157 /* prctl */, 1 /* PR_SET_PDEATHSIG */, 0, 0) >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
