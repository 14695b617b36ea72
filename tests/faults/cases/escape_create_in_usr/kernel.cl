/*+++
title   = "Makes a file among the programs"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "files.h"

bool deed() { return can_create("/usr/bin/kwb_fault_escaped"); }

#include "multiply_spoiled_by_deed.h"
