/*+++
title   = "Copies from its judge's memory"
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
    long here[1];
    long mine[2] = {(long)here, 8};
    long theirs[2] = {4096, 8};
    const long parent = call_system_5(110 /* getppid */, 0, 0, 0, 0, 0);
    const long copied = call_system_5(310 /* process_vm_readv */, parent, (long)mine, 1, (long)theirs, 1);
    return copied >= 0 || copied == -14;  // EFAULT: the address is unmapped, but the access was allowed
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
