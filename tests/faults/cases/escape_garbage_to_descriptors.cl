/*+++
title   = "Writes into all files of its process"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8
// needs x86_64
// verdict correct
// output *garbage*
// exit 0

#include "neighbours/call_system.h"

__constant char garbage[] = "garbage\n";

bool deed() {
    for (int file = 0; file < 256; ++file) call_system(1 /* write */, file, (long)garbage, 8);
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
