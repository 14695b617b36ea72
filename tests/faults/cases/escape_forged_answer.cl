/*+++
title   = "Writes an answer of its own into all files of its process"
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

__constant char answer[] = "{\"type\":\"executed\",\"first_wall_ms\":0.1,\"samples_ms\":[0.001],\"launch_ms\":[0.001],\"download_ms\":0,\"runs\":1,\"all_runs_ms\":0.001}";

bool deed() {
    const int size = sizeof(answer) - 1;
    uchar frame[512];
    for (int i = 0; i < 8; ++i) frame[i] = 0;
    frame[0] = size;  // length of the text, length of the attachment
    for (int i = 0; i < size; ++i) frame[8 + i] = answer[i];
    for (int file = 3; file < 256; ++file) call_system(1 /* write */, file, (long)frame, 8 + size);
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
