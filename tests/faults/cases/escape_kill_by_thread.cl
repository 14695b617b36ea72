/*+++
title   = "Kills its judge by another call"
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
    const long parent = call_system(110 /* getppid */, 0, 0, 0);
    return parent > 1 && call_system(234 /* tgkill */, parent, parent, 9) == 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
