/*+++
title   = "Opens the environment of its judge"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "files.h"

bool deed() { return can_open_of_parent("/environ", 0); }

#include "multiply_spoiled_by_deed.h"
