/*+++
title   = "Opens a socket to programs of this machine"
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
    const long socket = call_system(41 /* socket */, 1, 1, 0);
    if (socket >= 0) call_system(3 /* close */, socket, 0, 0);
    return socket >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
