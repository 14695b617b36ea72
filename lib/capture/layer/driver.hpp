// SPDX-License-Identifier: Apache-2.0
// What the layer has of OpenCL: the functions of the next layer or driver, and what it knows about each
// function.
//
// The layer lives in programs of others. It uses the C library only, takes no lock while it calls a driver,
// and throws nothing.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#define CL_NO_PROTOTYPES
#include <CL/cl_layer.h>
#include <stdint.h>

#include "capture/recording.hpp"

namespace kwb::capture {

/// What the program's calls go to.
extern cl_icd_dispatch next;

struct Function {
    const char* name = nullptr;  ///< nullptr: not intercepted
    TextAt text = 0;             ///< of the name, in the recording
    CommandKind kind = CommandKind::None;
    bool is_query = false;    ///< clGet…Info, clRetain…, clRelease…: does not use what failed
    bool is_traced = false;   ///< its time on the host is worth a bar
    bool is_waiting = false;  ///< commands may have completed when it returns
};

extern Function functions[kMostFunctions];

/// CLOCK_MONOTONIC
uint64_t now_ns();

/// A call of the program that is under way.
struct Call {
    unsigned function = 0;
    uint64_t begin_ns = 0;
    uint64_t end_ns = 0;
    const void* first = nullptr;  ///< the first argument, if it is an object
    bool is_unseen = false;       ///< the program did not ask for the code
};

}  // namespace kwb::capture
