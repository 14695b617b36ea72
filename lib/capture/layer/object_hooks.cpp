// SPDX-License-Identifier: Apache-2.0
// Objects: made, retained, released.
#include <stdlib.h>
#include <string.h>

#include "capture/layer/hooks.hpp"

namespace kwb::capture {
namespace {

/// Handles that were released for the last time, the newest ones.
constexpr uint32_t kMostReleased = 256;
const void* released_handles[kMostReleased];
uint32_t releases = 0;

Object* make(const void* handle, ObjectKind kind, uint64_t bytes = 0) {
    const Addresses addresses = kind == ObjectKind::Event ? Addresses{} : caller();
    const Lock locked;
    if (current() == nullptr) return nullptr;
    return add_object(handle, kind, bytes, place_of(addresses.frames, addresses.count));
}

void made_memory(cl_mem handle, ObjectKind kind, uint64_t bytes, cl_mem_flags flags, bool is_filled,
                 const void* parent = nullptr) {
    Object* const object = make(handle, kind, bytes);
    if (object == nullptr) return;
    object->flags = flags;
    object->is_filled = is_filled;
    object->parent = parent;
}

uint64_t image_bytes(cl_mem image) {
    size_t element = 0, width = 0, height = 0, depth = 0;
    const auto ask = [image](cl_image_info what, size_t& into) {
        next.clGetImageInfo(image, what, sizeof into, &into, nullptr);
    };
    ask(CL_IMAGE_ELEMENT_SIZE, element);
    ask(CL_IMAGE_WIDTH, width);
    ask(CL_IMAGE_HEIGHT, height);
    ask(CL_IMAGE_DEPTH, depth);
    return element * width * (height > 0 ? height : 1) * (depth > 0 ? depth : 1);
}

/// Copies to images have no hook, so that each counts as filled.
void made_image(cl_mem image, cl_mem_flags flags) {
    made_memory(image, ObjectKind::Image, image_bytes(image), flags, true);
}

/// "float4" → 16; 0 if it is no number or vector.
uint32_t type_bytes(const char* name) {
    static const struct {
        const char* name;
        uint32_t bytes;
    } kScalars[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"half", 2},  {"int", 4},
                    {"uint", 4}, {"float", 4}, {"long", 8},  {"ulong", 8},  {"double", 8}};
    for (const auto& scalar : kScalars) {
        const size_t length = ::strlen(scalar.name);
        if (::strncmp(name, scalar.name, length) != 0) continue;
        const char* const width = name + length;
        if (*width == '\0') return scalar.bytes;
        const char* end = nullptr;
        const unsigned long components = ::strtoul(width, const_cast<char**>(&end), 10);
        if (*end == '\0' && components >= 2 && components <= 16)
            return scalar.bytes * static_cast<uint32_t>(components == 3 ? 4 : components);
    }
    return 0;
}

void ask_argument(cl_kernel kernel, cl_uint index, KernelArgument& into, char (&type)[256],
                  char (&name)[256]) {
    cl_kernel_arg_type_qualifier qualifiers = 0;
    type[0] = name[0] = '\0';
    if (next.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof into.space,
                                &into.space, nullptr) != CL_SUCCESS) {
        into.space = 0;
        return;
    }
    next.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers,
                            nullptr);
    into.is_const =
        (qualifiers & CL_KERNEL_ARG_TYPE_CONST) != 0 || into.space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    if (next.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, nullptr) !=
        CL_SUCCESS)
        type[0] = '\0';
    if (next.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME, sizeof name, name, nullptr) != CL_SUCCESS)
        name[0] = '\0';
    into.type_bytes = into.space == CL_KERNEL_ARG_ADDRESS_PRIVATE ? type_bytes(type) : 0;
    if (::strncmp(type, "image", 5) == 0) {
        cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
        next.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access,
                                nullptr);
        into.is_const = access == CL_KERNEL_ARG_ACCESS_READ_ONLY;
    }
}

void made_kernel(cl_kernel kernel, const char* name) {
    if (kernel == nullptr || recording() == nullptr) return;
    char asked[256] = "";
    if (name == nullptr &&
        next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof asked, asked, nullptr) == CL_SUCCESS)
        name = asked;
    cl_uint count = 0;
    next.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
    auto* const state = static_cast<KernelState*>(::calloc(1, sizeof(KernelState)));
    if (state == nullptr) return;
    state->arguments = count < kMostArguments ? count : kMostArguments;
    for (cl_uint i = 0; i < state->arguments; ++i) {
        char type[256], argument[256];
        ask_argument(kernel, i, state->list[i], type, argument);
        const Lock locked;
        state->list[i].type = add_text(type);
        state->list[i].name = add_text(argument);
    }
    Object* const object = make(kernel, ObjectKind::Kernel);
    if (object == nullptr) {
        ::free(state);
        return;
    }
    const Lock locked;
    state->name = add_text(name);
    object->kernel = state;
}

}  // namespace

void retained(const void* handle) {
    const Lock locked;
    if (Object* const object = find_object(handle)) ++object->references;
}

void released(const void* handle, const char* function) {
    {
        const Lock locked;
        if (release_object(handle)) {
            if (find_object(handle) == nullptr) released_handles[releases++ % kMostReleased] = handle;
            return;
        }
        if (handle == nullptr || current() == nullptr) return;
        bool is_known = false;
        for (const void* const one : released_handles) is_known = is_known || one == handle;
        if (!is_known) return;  // made by a function that the layer does not see
    }
    const Addresses addresses = caller();
    const Lock locked;
    if (current() == nullptr) return;
    if (FaultRow* const row = add_fault("released_twice", place_of(addresses.frames, addresses.count)))
        row->detail =
            format_text("%s releases an object that has been released for the last time before", function);
}

void made(const void* handle, ObjectKind kind) {
    make(handle, kind);
}

void after(KWB_AT(clCreateBuffer), cl_mem one, cl_context, cl_mem_flags flags, size_t bytes, void* host,
           cl_int*) {
    made_memory(one, ObjectKind::Buffer, bytes, flags, host != nullptr);
}
void after(KWB_AT(clCreateBufferWithProperties), cl_mem one, cl_context, const cl_mem_properties*,
           cl_mem_flags flags, size_t bytes, void* host, cl_int*) {
    made_memory(one, ObjectKind::Buffer, bytes, flags, host != nullptr);
}
void after(KWB_AT(clCreateSubBuffer), cl_mem one, cl_mem parent, cl_mem_flags flags, cl_buffer_create_type,
           const void* region, cl_int*) {
    const auto* const part = static_cast<const cl_buffer_region*>(region);
    made_memory(one, ObjectKind::Buffer, part != nullptr ? part->size : 0, flags, true, parent);
}
void after(KWB_AT(clCreateImage), cl_mem one, cl_context, cl_mem_flags flags, const cl_image_format*,
           const cl_image_desc*, void*, cl_int*) {
    made_image(one, flags);
}
void after(KWB_AT(clCreateImageWithProperties), cl_mem one, cl_context, const cl_mem_properties*,
           cl_mem_flags flags, const cl_image_format*, const cl_image_desc*, void*, cl_int*) {
    made_image(one, flags);
}
void after(KWB_AT(clCreateImage2D), cl_mem one, cl_context, cl_mem_flags flags, const cl_image_format*,
           size_t, size_t, size_t, void*, cl_int*) {
    made_image(one, flags);
}
void after(KWB_AT(clCreateImage3D), cl_mem one, cl_context, cl_mem_flags flags, const cl_image_format*,
           size_t, size_t, size_t, size_t, size_t, void*, cl_int*) {
    made_image(one, flags);
}
void after(KWB_AT(clSVMAlloc), void* one, cl_context, cl_svm_mem_flags flags, size_t bytes, cl_uint) {
    Object* const object = make(one, ObjectKind::SharedMemory, bytes);
    if (object != nullptr) object->flags = flags;
}
void before(KWB_AT(clSVMFree), cl_context&, void*& pointer) {
    const Lock locked;
    release_object(pointer);
}
void accepted(KWB_AT(clEnqueueSVMFree), const Accepted&, cl_command_queue, cl_uint count, void** pointers,
              void(CL_CALLBACK*)(cl_command_queue, cl_uint, void**, void*), void*, cl_uint, const cl_event*,
              cl_event*) {
    for (cl_uint i = 0; i < count && pointers != nullptr; ++i) release_object(pointers[i]);
}
void after(KWB_AT(clCreateKernel), cl_kernel one, cl_program, const char* name, cl_int*) {
    made_kernel(one, name);
}
void after(KWB_AT(clCreateKernelsInProgram), cl_int, cl_program, cl_uint room, cl_kernel* kernels,
           cl_uint* count) {
    if (kernels == nullptr) return;
    // Without a count, the program knows how many there are: at most as many as there is room for.
    for (cl_uint i = 0; count != nullptr && i < *count && i < room; ++i) made_kernel(kernels[i], nullptr);
}
void after(KWB_AT(clCloneKernel), cl_kernel one, cl_kernel original, cl_int*) {
    made_kernel(one, nullptr);
    const Lock locked;
    const Object* const from = find_object(original);
    Object* const to = find_object(one);
    if (from == nullptr || to == nullptr || from->kernel == nullptr || to->kernel == nullptr) return;
    *to->kernel = *from->kernel;
}
TextAt explain(KWB_AT(clCreateKernel), cl_int code, cl_program, const char* name, cl_int*) {
    const Lock locked;
    return code == CL_INVALID_KERNEL_NAME && name != nullptr
               ? format_text("no kernel is called '%.100s'", name)
               : 0;
}
TextAt explain(KWB_AT(clCreateBuffer), cl_int code, cl_context, cl_mem_flags flags, size_t bytes, void* host,
               cl_int*) {
    const Lock locked;
    if (code == CL_INVALID_HOST_PTR)
        return host == nullptr && (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0
                   ? format_text("a flag announces a host pointer, which is null")
                   : format_text("a host pointer without CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR");
    return format_text("%zu bytes", bytes);
}

}  // namespace kwb::capture
