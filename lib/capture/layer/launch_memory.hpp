// SPDX-License-Identifier: Apache-2.0
// The memory that a launch uses: buffers, images and shared virtual memory, named by their handles or by the
// address of their beginning. Without the lock.
#pragma once

#include "capture/layer/objects.hpp"

namespace kwb::capture {

/// Drivers do not survive a handle that was released.
bool is_alive(const void* object);

/// Where a buffer or image lies in the memory of the whole one.
struct Extent {
    const void* whole = nullptr;  ///< nullptr: it is no memory object, or was released
    cl_mem_object_type kind = 0;
    size_t begin = 0, end = 0;  ///< in bytes
};
Extent extent_of(const void* memory);

bool share_memory(const void* one, const void* other);

/// An allocation of clSVMAlloc().
struct SharedMemory {
    const void* begin = nullptr;  ///< nullptr: there is none
    size_t bytes = 0;
    bool is_fine_grained = false;
};
/// The allocation that contains this address.
SharedMemory shared_memory_at(const void* address);

/// A two-dimensional image.
struct ImageShape {
    size_t width = 0, height = 0, pixel_bytes = 0;
    cl_image_format format{};

    size_t bytes() const { return width * height * pixel_bytes; }
};
ImageShape shape_of(const void* image);

/// Reads the memory to a new file, behind room for the header of an array.
/// @return  an OpenCL code, or 1: there is no room on the disk
cl_int write_memory(cl_command_queue queue, const void* memory, const char* folder, const char* name);

}  // namespace kwb::capture
