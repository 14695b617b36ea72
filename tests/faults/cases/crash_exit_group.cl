/*+++
title   = "Ends its process as if all were well"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *exit*
// exit 1

#include "neighbours/call_system.h"

bool deed() { return call_system(231 /* exit_group */, 0, 0, 0); }

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
