// SPDX-License-Identifier: Apache-2.0
// Access to files that a kernel must not reach.
#pragma once

#include "call_system.h"

// Flags as for open(): 0 read, 1 write, 2 both, 0200000 folders only.
bool can_open(__constant char* path, long flags) {
    const long file = call_system(2 /* open */, (long)path, flags, 0600);
    if (file < 0) return false;
    call_system(3 /* close */, file, 0, 0);
    return true;
}

// Removes the file again.
bool can_create(__constant char* path) {
    const long file = call_system(2 /* open */, (long)path, 0101 /* write, create */, 0600);
    if (file < 0) return false;
    call_system(3 /* close */, file, 0, 0);
    call_system(87 /* unlink */, (long)path, 0, 0);
    return true;
}

// "/proc/<parent>/what", e.g. "/mem"
bool can_open_of_parent(__constant char* what, long flags) {
    char path[64];
    int n = 0;
    for (__constant char* p = "/proc/"; *p; ++p) path[n++] = *p;
    const long parent = call_system(110 /* getppid */, 0, 0, 0);
    for (long scale = 1000000000; scale > 0; scale /= 10)
        if (parent >= scale) path[n++] = '0' + parent / scale % 10;
    for (__constant char* p = what; *p; ++p) path[n++] = *p;
    path[n] = 0;
    const long file = call_system(2 /* open */, (long)path, flags, 0);
    if (file >= 0) call_system(3 /* close */, file, 0, 0);
    return file >= 0;
}

// Open the path in the environment variable `name`, e.g. "TMPDIR=", with `more` appended.
// Returns the descriptor; a negative result is an error.
__attribute__((noinline)) long open_named(__constant char* name, __constant char* more, long flags) {
    char* const** where;
    __asm__("movq environ@GOTPCREL(%%rip), %0" : "=r"(where));  // the C library's variable
    char path[1024];
    for (char* const* variable = *where; *variable; ++variable) {
        const char* text = *variable;
        int n = 0;
        while (name[n] != 0 && text[n] == name[n]) ++n;
        if (name[n] != 0) continue;
        int end = 0;
        while (text[n + end] != 0 && end < 900) path[end] = text[n + end], ++end;
        for (__constant char* p = more; *p; ++p) path[end++] = *p;
        path[end] = 0;
        return call_system(2 /* open */, (long)path, flags, 0600);
    }
    return -1;
}
