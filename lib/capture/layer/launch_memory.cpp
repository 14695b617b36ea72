// SPDX-License-Identifier: Apache-2.0
#include "capture/layer/launch_memory.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kwb::capture {
namespace {

cl_mem handle_to(const void* memory) {
    return static_cast<cl_mem>(const_cast<void*>(memory));
}

/// Maps a new file with room for the header of an array and so many bytes.
unsigned char* map_array(const char* folder, const char* name, size_t bytes) {
    char path[4096];
    ::snprintf(path, sizeof path, "%s/%s", folder, name);
    const int file = ::open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) return nullptr;
    const size_t all = kArrayHeaderBytes + bytes;
    void* memory = MAP_FAILED;
    if (::posix_fallocate(file, 0, static_cast<off_t>(all)) == 0)  // a full disk would kill the program later
        memory = ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (memory != MAP_FAILED) return static_cast<unsigned char*>(memory);
    ::unlink(path);
    return nullptr;
}

}  // namespace

bool is_alive(const void* object) {
    const Lock locked;
    return find_object(object) != nullptr;
}

Extent extent_of(const void* memory) {
    Extent extent;
    if (!is_alive(memory)) return extent;
    cl_mem whole = nullptr;
    size_t bytes = 0;
    const cl_mem handle = handle_to(memory);
    if (next.clGetMemObjectInfo(handle, CL_MEM_TYPE, sizeof extent.kind, &extent.kind, nullptr) !=
            CL_SUCCESS ||
        next.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr) != CL_SUCCESS)
        return extent;
    next.clGetMemObjectInfo(handle, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, nullptr);
    next.clGetMemObjectInfo(handle, CL_MEM_OFFSET, sizeof extent.begin, &extent.begin, nullptr);
    extent.whole = whole != nullptr ? whole : memory;
    extent.end = extent.begin + bytes;
    return extent;
}

bool share_memory(const void* one, const void* other) {
    const Extent a = extent_of(one), b = extent_of(other);
    return a.whole != nullptr && a.whole == b.whole && a.begin < b.end && b.begin < a.end;
}

SharedMemory shared_memory_at(const void* address) {
    const Lock locked;
    const Object* const object = find_shared_memory(address);
    if (object == nullptr) return {};
    return {object->handle, object->bytes, (object->flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0};
}

ImageShape shape_of(const void* image) {
    ImageShape shape;
    const auto ask = [image](cl_image_info what, auto& into) {
        next.clGetImageInfo(handle_to(image), what, sizeof into, &into, nullptr);
    };
    ask(CL_IMAGE_ELEMENT_SIZE, shape.pixel_bytes);
    ask(CL_IMAGE_WIDTH, shape.width);
    ask(CL_IMAGE_HEIGHT, shape.height);
    ask(CL_IMAGE_FORMAT, shape.format);
    return shape;
}

cl_int write_memory(cl_command_queue queue, const void* memory, const char* folder, const char* name) {
    const SharedMemory shared = shared_memory_at(memory);
    const bool is_shared = shared.begin != nullptr;
    const Extent extent = is_shared ? Extent{} : extent_of(memory);
    if (!is_shared && extent.whole == nullptr) return CL_INVALID_MEM_OBJECT;
    const bool is_image = extent.kind == CL_MEM_OBJECT_IMAGE2D;
    const ImageShape image = is_image ? shape_of(memory) : ImageShape{};
    const size_t bytes = is_shared ? shared.bytes : is_image ? image.bytes() : extent.end - extent.begin;
    unsigned char* const mapped = map_array(folder, name, bytes);
    if (mapped == nullptr) return 1;
    unsigned char* const target = mapped + kArrayHeaderBytes;
    const size_t origin[3] = {}, region[3] = {image.width, image.height, 1};
    const cl_mem handle = handle_to(memory);
    const cl_int code =
        is_shared  ? next.clEnqueueSVMMemcpy(queue, CL_TRUE, target, memory, bytes, 0, nullptr, nullptr)
        : is_image ? next.clEnqueueReadImage(queue, handle, CL_TRUE, origin, region, 0, 0, target, 0, nullptr,
                                             nullptr)
                   : next.clEnqueueReadBuffer(queue, handle, CL_TRUE, 0, bytes, target, 0, nullptr, nullptr);
    ::munmap(mapped, kArrayHeaderBytes + bytes);
    return code;
}

}  // namespace kwb::capture
