/*+++
title   = "Closes all files of its process"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "call_system.h"

bool deed() {
    for (int file = 0; file < 256; ++file) call_system(3 /* close */, file, 0, 0);
    return false;
}

#include "multiply_spoiled_by_deed.h"
