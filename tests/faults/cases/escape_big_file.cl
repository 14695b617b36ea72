/*+++
title   = "Makes a file of two gigabytes in its temporary folder"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *SIGXFSZ*
// exit 1

#include "neighbours/files.h"

bool deed() {
    const long file = open_named("TMPDIR=", "/large", 0102 /* read and write, create */);
    return file < 0 || call_system(77 /* ftruncate */, file, 2l << 30, 0) == 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
