/*+++
title   = "Asks for its process number, which is no harm: shows that the others do call the system"
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

bool deed() { return call_system(39 /* getpid */, 0, 0, 0) <= 1; }

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
