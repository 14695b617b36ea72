// SPDX-License-Identifier: Apache-2.0
#include "ocl/errors.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "ocl/cl.hpp"

namespace kwb {
namespace {

struct StatusRow {
    int code;
    std::string_view name;
    std::string_view cause;
    std::string_view next_step;
};

constexpr std::string_view kOurFault = "This is a bug in the workbench: please report it";
constexpr std::string_view kUnused = "the driver reports a feature that the workbench does not use";
constexpr std::string_view kUpdateDriver = "Update the driver, or choose another device";

/// The code and its name.
#define KWB_CODE(code) code, #code

constexpr auto kRows = std::to_array<StatusRow>({
    {KWB_CODE(CL_SUCCESS), "", ""},
    {KWB_CODE(CL_DEVICE_NOT_FOUND), "the driver is installed but lists no device",
     "Check the driver and your permission to use the device; PoCL lists none if its cache folder is not "
     "writable"},
    {KWB_CODE(CL_DEVICE_NOT_AVAILABLE), "the device exists but is not available now",
     "Close other programs that use it, or choose another device"},
    {KWB_CODE(CL_COMPILER_NOT_AVAILABLE), "the driver has no compiler",
     "Install the driver's compiler package, or choose another device"},
    {KWB_CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE), "the device has too little memory for a buffer",
     "Choose a smaller size"},
    {KWB_CODE(CL_OUT_OF_RESOURCES),
     "the device ran out of registers, local memory or global memory, or the kernel wrote out of bounds",
     "Choose a smaller work-group or size, and check the kernel for out-of-bounds indices"},
    {KWB_CODE(CL_OUT_OF_HOST_MEMORY), "the computer ran out of memory",
     "Choose a smaller size or close other programs"},
    {KWB_CODE(CL_PROFILING_INFO_NOT_AVAILABLE), "the driver does not report the time of a finished launch",
     kUpdateDriver},
    {KWB_CODE(CL_MEM_COPY_OVERLAP), "the source and target of a copy within one buffer overlap", kOurFault},
    {KWB_CODE(CL_BUILD_PROGRAM_FAILURE), "the compiler rejected the source", "Read the build log"},
    {KWB_CODE(CL_MAP_FAILURE), "device memory cannot be mapped", "Choose a smaller size"},
    {KWB_CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET),
     "the guard zone is not a multiple of the device's base alignment", kOurFault},
    {KWB_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
     "an earlier launch or transfer failed on the device",
     "Check the kernel for out-of-bounds indices, and try a smaller size"},
    {KWB_CODE(CL_COMPILE_PROGRAM_FAILURE), "the compiler rejected the source", "Read the build log"},
    {KWB_CODE(CL_LINKER_NOT_AVAILABLE), "the driver has no linker",
     "Install the driver's compiler package, or choose another device"},
    {KWB_CODE(CL_LINK_PROGRAM_FAILURE), "the source uses a function or variable without a definition",
     "Read the build log"},
    {KWB_CODE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE), "the driver does not report the names of arguments",
     kOurFault},
    {KWB_CODE(CL_INVALID_VALUE), "a number is outside the range that the call allows", kOurFault},
    {KWB_CODE(CL_INVALID_DEVICE_TYPE), "the driver does not know this device type", kUpdateDriver},
    {KWB_CODE(CL_INVALID_PLATFORM), "the driver is no longer available", "Start again"},
    {KWB_CODE(CL_INVALID_DEVICE), "the device is no longer available or belongs to another driver",
     "Start again"},
    {KWB_CODE(CL_INVALID_CONTEXT), "the context is no longer valid, often after a kernel's fault",
     "Run again, and check the kernel for out-of-bounds indices"},
    {KWB_CODE(CL_INVALID_QUEUE_PROPERTIES), "the device has no queue that measures times",
     "Choose another device"},
    {KWB_CODE(CL_INVALID_COMMAND_QUEUE), "the queue is no longer valid, often after a kernel's fault",
     "Run again, and check the kernel for out-of-bounds indices"},
    {KWB_CODE(CL_INVALID_HOST_PTR), "a buffer was created without its host memory", kOurFault},
    {KWB_CODE(CL_INVALID_MEM_OBJECT), "an argument or transfer names no buffer", kOurFault},
    {KWB_CODE(CL_INVALID_BINARY), "the driver's cached program cannot be used",
     "Empty the compiler cache and build again"},
    {KWB_CODE(CL_INVALID_BUILD_OPTIONS), "the compiler does not know a build option",
     "Check the options in [build] and the values of [params] and [defines]"},
    {KWB_CODE(CL_INVALID_PROGRAM), "the program is no longer valid", kOurFault},
    {KWB_CODE(CL_INVALID_PROGRAM_EXECUTABLE), "the program was not built for this device",
     "Read the build log"},
    {KWB_CODE(CL_INVALID_KERNEL_NAME), "the program has no kernel function of this name",
     "Check the name in [launch] against the source"},
    {KWB_CODE(CL_INVALID_KERNEL_DEFINITION), "the kernel function differs between devices of the program",
     kOurFault},
    {KWB_CODE(CL_INVALID_KERNEL), "the kernel is no longer valid", kOurFault},
    {KWB_CODE(CL_INVALID_ARG_INDEX), "the launch passes more arguments than the kernel function has",
     "Check the arguments against the kernel's parameter list"},
    {KWB_CODE(CL_INVALID_ARG_VALUE), "an argument's value does not match its kind",
     "Check the address space of the kernel's parameter"},
    {KWB_CODE(CL_INVALID_ARG_SIZE), "an argument's size differs from that of the kernel's parameter",
     "Check the parameter's type: int and uint take 4 bytes, long and ulong 8"},
    {KWB_CODE(CL_INVALID_KERNEL_ARGS), "an argument of the kernel is missing",
     "Check the arguments against the kernel's parameter list"},
    {KWB_CODE(CL_INVALID_WORK_DIMENSION), "a launch has 1, 2 or 3 dimensions",
     "Check global and local in [launch]"},
    {KWB_CODE(CL_INVALID_WORK_GROUP_SIZE),
     "the local size does not divide the global size, exceeds the device or the kernel, or differs from "
     "reqd_work_group_size in the source",
     "Choose other work-group dimensions, or round the global size up"},
    {KWB_CODE(CL_INVALID_WORK_ITEM_SIZE), "the work-group is larger than the device allows in one dimension",
     "Choose smaller work-group dimensions"},
    {KWB_CODE(CL_INVALID_GLOBAL_OFFSET), "the device does not support the global offset", kOurFault},
    {KWB_CODE(CL_INVALID_EVENT_WAIT_LIST), "a wait for an operation that never started", kOurFault},
    {KWB_CODE(CL_INVALID_EVENT), "a wait for an operation that never started", kOurFault},
    {KWB_CODE(CL_INVALID_OPERATION), "the driver does not support this operation", kUpdateDriver},
    {KWB_CODE(CL_INVALID_BUFFER_SIZE), "a buffer is larger than the device allows", "Choose a smaller size"},
    {KWB_CODE(CL_INVALID_GLOBAL_WORK_SIZE), "the global size is 0 or larger than the device can count",
     "Check global in [launch]"},
    {KWB_CODE(CL_INVALID_PROPERTY), "the driver does not know a property that the workbench queries",
     kUpdateDriver},
    {KWB_CODE(CL_INVALID_COMPILER_OPTIONS), "the compiler does not know a build option",
     "Check the options in [build]"},
    {KWB_CODE(CL_INVALID_LINKER_OPTIONS), "the linker does not know a build option",
     "Check the options in [build]"},
    {KWB_CODE(CL_IMAGE_FORMAT_MISMATCH), kUnused, kOurFault},
    {KWB_CODE(CL_IMAGE_FORMAT_NOT_SUPPORTED), "the device does not support images with this pixel type",
     "Choose another type for the buffer, e.g. float4 or uchar4, or another device"},
    {KWB_CODE(CL_DEVICE_PARTITION_FAILED), kUnused, kOurFault},
    {KWB_CODE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR), "the device does not support images with this pixel type",
     "Choose another type for the buffer, e.g. float4 or uchar4, or another device"},
    {KWB_CODE(CL_INVALID_IMAGE_SIZE), "an image is larger than the device allows", "Choose a smaller size"},
    {KWB_CODE(CL_INVALID_SAMPLER), "the device does not support this sampler",
     "Choose another one in [launch] args"},
    {KWB_CODE(CL_INVALID_GL_OBJECT), kUnused, kOurFault},
    {KWB_CODE(CL_INVALID_MIP_LEVEL), kUnused, kOurFault},
    {KWB_CODE(CL_INVALID_IMAGE_DESCRIPTOR), kUnused, kOurFault},
    {KWB_CODE(CL_INVALID_DEVICE_PARTITION_COUNT), kUnused, kOurFault},
    {KWB_CODE(CL_INVALID_PIPE_SIZE), kUnused, kOurFault},
    {KWB_CODE(CL_INVALID_DEVICE_QUEUE), kUnused, kOurFault},
    {KWB_CODE(CL_INVALID_SPEC_ID), kUnused, kOurFault},
    {KWB_CODE(CL_MAX_SIZE_RESTRICTION_EXCEEDED), "an argument is larger than the kernel's parameter allows",
     "Choose a smaller size"},
    {-9999, "NVIDIA's -9999", "the kernel accessed memory out of bounds",
     "Check the kernel for out-of-bounds indices"},
    {KWB_CODE(CL_PLATFORM_NOT_FOUND_KHR), "no OpenCL driver is installed",
     "Install one: PoCL (package pocl-opencl-icd) runs kernels on every CPU"},
});

#undef KWB_CODE

const StatusRow* find_row(int code) {
    const auto* row = std::find_if(kRows.begin(), kRows.end(), [&](const auto& r) { return r.code == code; });
    return row == kRows.end() ? nullptr : row;
}

/// "CL_INVALID_VALUE"; "status -9998" for an unknown code.
std::string status_name(int code) {
    const StatusRow* row = find_row(code);
    return row != nullptr ? std::string(row->name) : "status " + std::to_string(code);
}

}  // namespace

ClError::ClError(std::string call, int code, std::string cause, std::string next_step)
    : ClError(FailedReply{std::move(call), status_name(code), code, std::move(cause), std::move(next_step)}) {
}

ClError ClError::refusal(std::string cause, std::string next_step) {
    return ClError(FailedReply{"", "", 0, std::move(cause), std::move(next_step)});
}

ClError ClError::mistake(std::string cause) {
    return refusal(std::move(cause), std::string(kOurFault));
}

ClError explain_status(std::string call, int code, const std::string& context) {
    const StatusRow* row = find_row(code);
    const std::string cause(row != nullptr ? row->cause : "the driver returned a non-standard code");
    return ClError(std::move(call), code, context.empty() ? cause : context + ": " + cause,
                   std::string(row != nullptr ? row->next_step : kUpdateDriver));
}

}  // namespace kwb
