// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "capture/profile.hpp"

namespace kwb::capture {
namespace {

struct ErrorWords {
    std::int32_t code;
    std::string_view name;
    std::string_view words;  ///< for the programmer of the host
};

/// Source: OpenCL 3.0 API specification, error codes.
constexpr auto kErrors = std::to_array<ErrorWords>({
    {-1, "CL_DEVICE_NOT_FOUND", "no device of the requested type"},
    {-2, "CL_DEVICE_NOT_AVAILABLE", "the device is not available now"},
    {-3, "CL_COMPILER_NOT_AVAILABLE", "the driver has no compiler"},
    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE", "no memory for the object"},
    {-5, "CL_OUT_OF_RESOURCES", "the device ran out of resources, or a kernel wrote out of bounds"},
    {-6, "CL_OUT_OF_HOST_MEMORY", "the host ran out of memory"},
    {-7, "CL_PROFILING_INFO_NOT_AVAILABLE",
     "the queue does not measure times, or the command has not completed"},
    {-8, "CL_MEM_COPY_OVERLAP", "source and target of the copy overlap"},
    {-9, "CL_IMAGE_FORMAT_MISMATCH", "the images have different formats"},
    {-10, "CL_IMAGE_FORMAT_NOT_SUPPORTED", "the device does not support this image format"},
    {-11, "CL_BUILD_PROGRAM_FAILURE", "the source was not accepted; the build log has the reason"},
    {-12, "CL_MAP_FAILURE", "the memory cannot be mapped"},
    {-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET",
     "the sub-buffer's origin is not a multiple of the device's base alignment"},
    {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "a command in the wait list failed"},
    {-15, "CL_COMPILE_PROGRAM_FAILURE", "the source was not accepted; the build log has the reason"},
    {-16, "CL_LINKER_NOT_AVAILABLE", "the driver has no linker"},
    {-17, "CL_LINK_PROGRAM_FAILURE", "the program cannot be linked; the build log has the reason"},
    {-18, "CL_DEVICE_PARTITION_FAILED", "the device cannot be divided in this way"},
    {-19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE", "the program was built without -cl-kernel-arg-info"},
    {-30, "CL_INVALID_VALUE", "an argument has a value that the call does not allow"},
    {-31, "CL_INVALID_DEVICE_TYPE", "there is no such device type"},
    {-32, "CL_INVALID_PLATFORM", "no such platform"},
    {-33, "CL_INVALID_DEVICE", "no such device, or not one of this context"},
    {-34, "CL_INVALID_CONTEXT", "no such context"},
    {-35, "CL_INVALID_QUEUE_PROPERTIES", "the device does not support these queue properties"},
    {-36, "CL_INVALID_COMMAND_QUEUE", "no such queue"},
    {-37, "CL_INVALID_HOST_PTR", "the host pointer and the flags do not belong together"},
    {-38, "CL_INVALID_MEM_OBJECT", "no such buffer or image"},
    {-39, "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "invalid image format"},
    {-40, "CL_INVALID_IMAGE_SIZE", "the device does not support images of this size"},
    {-41, "CL_INVALID_SAMPLER", "no such sampler"},
    {-42, "CL_INVALID_BINARY", "the binary is not for this device"},
    {-43, "CL_INVALID_BUILD_OPTIONS", "the compiler does not know a build option"},
    {-44, "CL_INVALID_PROGRAM", "no such program"},
    {-45, "CL_INVALID_PROGRAM_EXECUTABLE", "the program was not built for this device"},
    {-46, "CL_INVALID_KERNEL_NAME", "the program has no kernel of this name"},
    {-47, "CL_INVALID_KERNEL_DEFINITION", "the kernel's definitions differ between devices"},
    {-48, "CL_INVALID_KERNEL", "no such kernel"},
    {-49, "CL_INVALID_ARG_INDEX", "the kernel has no argument with this index"},
    {-50, "CL_INVALID_ARG_VALUE", "the value does not fit the argument"},
    {-51, "CL_INVALID_ARG_SIZE", "the size does not fit the argument's type"},
    {-52, "CL_INVALID_KERNEL_ARGS", "an argument was never set"},
    {-53, "CL_INVALID_WORK_DIMENSION", "a launch has 1 to 3 dimensions"},
    {-54, "CL_INVALID_WORK_GROUP_SIZE", "the local size does not divide the global size, or is too large"},
    {-55, "CL_INVALID_WORK_ITEM_SIZE",
     "the work-group has more work-items in one dimension than the device allows"},
    {-56, "CL_INVALID_GLOBAL_OFFSET", "invalid global offset"},
    {-57, "CL_INVALID_EVENT_WAIT_LIST", "invalid wait list"},
    {-58, "CL_INVALID_EVENT", "no such event, or the command has no profile"},
    {-59, "CL_INVALID_OPERATION", "the operation is not allowed here"},
    {-60, "CL_INVALID_GL_OBJECT", ""},
    {-61, "CL_INVALID_BUFFER_SIZE", "the size of the buffer is 0 or more than the device allows"},
    {-62, "CL_INVALID_MIP_LEVEL", ""},
    {-63, "CL_INVALID_GLOBAL_WORK_SIZE", "the global size is 0 or too large"},
    {-64, "CL_INVALID_PROPERTY", "unknown property"},
    {-65, "CL_INVALID_IMAGE_DESCRIPTOR", "invalid image descriptor"},
    {-66, "CL_INVALID_COMPILER_OPTIONS", "the compiler does not know an option"},
    {-67, "CL_INVALID_LINKER_OPTIONS", "the linker does not know an option"},
    {-68, "CL_INVALID_DEVICE_PARTITION_COUNT", ""},
    {-69, "CL_INVALID_PIPE_SIZE", "invalid pipe size"},
    {-70, "CL_INVALID_DEVICE_QUEUE", "no such device queue"},
    {-71, "CL_INVALID_SPEC_ID", "no such specialization constant"},
    {-72, "CL_MAX_SIZE_RESTRICTION_EXCEEDED", "the size of the local memory or constant exceeds the limit"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR", "no OpenCL driver is installed"},
});

const ErrorWords* find_words(std::int32_t code) {
    const auto* const row = std::ranges::find(kErrors, code, &ErrorWords::code);
    return row == kErrors.end() ? nullptr : row;
}

}  // namespace

std::string error_name(std::int32_t code) {
    if (code == 0) return "CL_SUCCESS";
    const ErrorWords* const row = find_words(code);
    return row != nullptr ? std::string(row->name) : "code " + std::to_string(code);
}

std::string error_words(std::int32_t code) {
    const ErrorWords* const row = find_words(code);
    return row != nullptr ? std::string(row->words) : "";
}

}  // namespace kwb::capture
