/*+++
title   = "Ends the thread that it runs in"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --timeout 4s --no-xray
// needs x86_64
// verdict timeout
// reason *launch*exceeded*
// exit 1

#include "neighbours/call_system.h"

bool deed() { return call_system(60 /* exit */, 0, 0, 0); }

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
