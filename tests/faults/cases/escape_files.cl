/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Files that a kernel must not reach, and files and memory without end.

//// escape_big_file: Makes a file of two gigabytes in its temporary folder
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

//// escape_cache_of_own: Looks into the compiler caches of the person's other kernels
// kwb check --size 8 --no-xray
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() {
    return open_named("POCL_CACHE_DIR=", "/..", 0200000 /* folder */) >= 0 ||
           open_named("POCL_CACHE_DIR=", "/../../shipped", 0200000) >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_create_here: Makes a file in the folder where kwb was started
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_create("kwb_fault_escaped"); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_create_in_tmp: Makes a file in the folder for everybody
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_create("/tmp/kwb_fault_escaped"); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_create_in_usr: Makes a file among the programs
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_create("/usr/bin/kwb_fault_escaped"); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_incbin: Has the assembler put a file of the system into the program
// kwb check --size 8 --no-xray
// needs x86_64
// verdict correct
// exit 0

// Never inlined: see call_system.h.
__attribute__((noinline)) bool deed() {
    long size = 0;
    __asm__ volatile(
        ".pushsection .rodata\n"
        "771:\n\t.incbin \"/etc/passwd\"\n"
        "772:\n\t.popsection\n\t"
        "movq $(772b - 771b), %0"
        : "=r"(size));
    return size > 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_many_big_files: Makes six files of 400 megabytes each in its temporary folder
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *filled its folders with more than 2 GiB*
// exit 1

#include "neighbours/files.h"

bool deed() {
    const long folder = open_named("TMPDIR=", "", 0200000 /* a folder */);
    char name[] = "f0";
    for (int i = 0; i < 6; ++i) {
        name[1] = '0' + i;
        const long file = call_system_5(257 /* openat */, folder, (long)name, 0102 /* create */, 0600, 0);
        if (file < 0 || call_system_5(285 /* fallocate */, file, 0, 0, 400l << 20, 0) != 0) return false;
    }
    for (;;) call_system(34 /* pause */, 0, 0, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_many_files: Makes twenty thousand files in its temporary folder
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *made more than 5000 files*
// exit 1

#include "neighbours/files.h"

bool deed() {
    const long folder = open_named("TMPDIR=", "", 0200000 /* a folder */);
    char name[] = "f00000";
    for (int i = 0; i < 20000; ++i) {
        for (int rest = i, at = 5; at > 0; --at, rest /= 10) name[at] = '0' + rest % 10;
        const long file = call_system_5(257 /* openat */, folder, (long)name, 0102 /* create */, 0600, 0);
        if (file >= 0) call_system(3 /* close */, file, 0, 0);
    }
    for (;;) call_system(34 /* pause */, 0, 0, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_memory_4gb: Takes four gigabytes of memory
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *memory*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    const long size = 4l << 30;
    const long at = call_system_5(9 /* mmap */, 0, size, 3, 0x22 /* private, anonymous */, -1);
    if (at < 0 && at > -4096) return false;
    for (long i = 0; i < size; i += 4096) *(volatile char*)(at + i) = 1;
    return true;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_memory_files: Makes a file in memory, which no limit counts
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    char name[] = "m";
    return call_system(319 /* memfd_create */, (long)name, 0, 0) >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_other_cache: Looks into the compiler cache of the person's own kernels
// kwb check --foreign --size 8 --no-xray
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() {
    return open_named("POCL_CACHE_DIR=", "/..", 0200000 /* folder */) >= 0 ||
           open_named("POCL_CACHE_DIR=", "/../own", 0200000) >= 0 ||
           open_named("POCL_CACHE_DIR=", "/../../pocl/own", 0200000) >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_read_home: Lists the home of the administrator
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_open("/root", 0200000 /* folder */); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_read_homes: Lists the homes of the people
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_open("/home", 0200000 /* folder */); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_read_passwd: Reads a file of the system
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_open("/etc/passwd", 0 /* read */); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_read_shadow: Reads the passwords
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_open("/etc/shadow", 0 /* read */); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_watch_folder: Watches a folder
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

__constant char path[] = "/";

bool deed() {
    const long old = call_system(253 /* inotify_init */, 0, 0, 0);
    const long watcher = call_system(294 /* inotify_init1 */, 0, 0, 0);
    if (old < 0 && watcher < 0) return false;
    return call_system(254 /* inotify_add_watch */, old >= 0 ? old : watcher, (long)path, 0xfff) >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"
