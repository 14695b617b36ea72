/*+++
title   = "Reads the command of the first process"
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

#include "neighbours/files.h"

bool deed() { return can_open("/proc/1/cmdline", 0 /* read */); }

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
