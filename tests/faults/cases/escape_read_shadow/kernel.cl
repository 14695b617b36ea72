/*+++
title   = "Reads the passwords"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "files.h"

bool deed() { return can_open("/etc/shadow", 0 /* read */); }

#include "multiply_spoiled_by_deed.h"
