/*+++
title   = "Sends itself SIGABRT"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "call_system.h"

bool deed() {
    const long self = call_system(39 /* getpid */, 0, 0, 0);
    return call_system(62 /* kill */, self, 6, 0);
}

#include "multiply_spoiled_by_deed.h"
