/*+++
title   = "Ends the thread that it runs in"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "call_system.h"

bool deed() { return call_system(60 /* exit */, 0, 0, 0); }

#include "multiply_spoiled_by_deed.h"
