/*+++
title   = "Makes a file in the folder for everybody"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "files.h"

bool deed() { return can_create("/tmp/kwb_fault_escaped"); }

#include "multiply_spoiled_by_deed.h"
