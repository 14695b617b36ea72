/*+++
title   = "Asks for its process number, which is no harm: shows that the others do call the system"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "call_system.h"

bool deed() { return call_system(39 /* getpid */, 0, 0, 0) <= 1; }

#include "multiply_spoiled_by_deed.h"
