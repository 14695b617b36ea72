/*+++
title   = "Makes a world of its own, in which it is the administrator"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() { return call_system(272 /* unshare */, 0x10000000 /* CLONE_NEWUSER */, 0, 0) == 0; }

#include "neighbours/multiply_spoiled_by_deed.h"
