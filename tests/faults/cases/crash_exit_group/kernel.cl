/*+++
title   = "Ends its process as if all were well"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "call_system.h"

bool deed() { return call_system(231 /* exit_group */, 0, 0, 0); }

#include "multiply_spoiled_by_deed.h"
