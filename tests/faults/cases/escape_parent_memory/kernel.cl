/*+++
title   = "Opens the memory of its judge for writing"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "files.h"

bool deed() { return can_open_of_parent("/mem", 2); }

#include "multiply_spoiled_by_deed.h"
