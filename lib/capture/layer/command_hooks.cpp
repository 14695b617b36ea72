// SPDX-License-Identifier: Apache-2.0
// Kernels and transfers: what they use, what does not fit, and what orders them.
#include <stdio.h>
#include <string.h>

#include "capture/layer/hooks.hpp"
#include "capture/layer/launch_files.hpp"

namespace kwb::capture {
namespace {

/// The buffer that a sub-buffer is a part of.
Object* whole(const void* handle) {
    Object* object = find_object(handle);
    for (int depth = 0; object != nullptr && object->parent != nullptr && depth < 8; ++depth) {
        Object* const parent = find_object(object->parent);
        if (parent == nullptr) break;
        object = parent;
    }
    return object;
}

QueueState* state_of(cl_command_queue handle) {
    const Object* const object = find_object(handle);
    return object != nullptr ? object->queue : nullptr;
}

KernelState* state_of(cl_kernel handle) {
    const Object* const object = find_object(handle);
    return object != nullptr ? object->kernel : nullptr;
}

void report(const char* code, TextAt detail, const Addresses& addresses) {
    if (FaultRow* const row = add_fault(code, place_of(addresses.frames, addresses.count)))
        row->detail = detail;
}

const char* text(TextAt at) {
    return current()->texts + at;
}

/// "argument 2 (n) of scale"; the buffer is the caller's.
const char* argument_name(const KernelState& kernel, cl_uint index, char (&into)[200]) {
    const char* const name = text(kernel.list[index].name);
    ::snprintf(into, sizeof into, "argument %u%s%.60s%s of %.80s", index, *name != '\0' ? " (" : "", name,
               *name != '\0' ? ")" : "", text(kernel.name));
    return into;
}

/// Why an argument does not fit its parameter; 0: it does, as far as that is known.
TextAt argument_flaw(const KernelState& kernel, cl_uint index, size_t bytes, const void* value) {
    if (index >= kernel.arguments)
        return format_text("%s has %u arguments, counted from 0", text(kernel.name), kernel.arguments);
    const KernelArgument& parameter = kernel.list[index];
    char name[200];
    argument_name(kernel, index, name);
    if (parameter.space == CL_KERNEL_ARG_ADDRESS_LOCAL && value != nullptr)
        return format_text("%s is __local memory: pass its size and a null pointer", name);
    if (parameter.space == CL_KERNEL_ARG_ADDRESS_GLOBAL ||
        parameter.space == CL_KERNEL_ARG_ADDRESS_CONSTANT) {
        if (find_object(value) != nullptr)
            return format_text("%s is a buffer: pass the address of the cl_mem, not the cl_mem", name);
        if (bytes != sizeof(cl_mem))
            return format_text("%s is a buffer: its size is sizeof(cl_mem), not %zu", name, bytes);
        if (value == nullptr) return 0;
        const void* handle = nullptr;
        ::memcpy(&handle, value, sizeof handle);
        const Object* const object = find_object(handle);
        if (object != nullptr && object->kind != ObjectKind::Buffer && object->kind != ObjectKind::Image)
            return format_text("%s is a buffer, and the value is another object", name);
        return 0;
    }
    if (parameter.type_bytes != 0 && bytes != parameter.type_bytes)
        return format_text("%s is %s of %u bytes, and %zu bytes are passed", name, text(parameter.type),
                           parameter.type_bytes, bytes);
    if (parameter.type_bytes != 0 && value == nullptr)
        return format_text("%s is a number without a value", name);
    return 0;
}

/// "0 and 2"; empty if all arguments are set.
void list_unset(const KernelState& kernel, char (&into)[200]) {
    into[0] = '\0';
    size_t length = 0;
    for (uint32_t i = 0; i < kernel.arguments; ++i) {
        const KernelArgument& argument = kernel.list[i];
        if (argument.is_set || length + 40 > sizeof into) continue;
        const int added =
            ::snprintf(into + length, sizeof into - length, "%s%u%s%.20s%s", length > 0 ? ", " : "", i,
                       argument.name != 0 ? " (" : "", text(argument.name), argument.name != 0 ? ")" : "");
        length += added > 0 ? static_cast<size_t>(added) : 0;
    }
}

void set_argument(cl_kernel handle, cl_uint index, size_t bytes, const void* value, bool is_svm) {
    KernelState* const kernel = state_of(handle);
    if (current() == nullptr || kernel == nullptr || index >= kernel->arguments) return;
    KernelArgument& argument = kernel->list[index];
    argument.is_set = true;
    argument.is_reported = false;
    argument.is_svm = is_svm;
    argument.bytes = bytes;
    argument.object = nullptr;
    if (is_svm) argument.object = value;
    if (value == nullptr || is_svm) return;
    ::memcpy(argument.value, value, bytes < sizeof argument.value ? bytes : sizeof argument.value);
    if (argument.type_bytes != 0 || bytes != sizeof argument.object) return;
    const void* object = nullptr;
    ::memcpy(&object, value, sizeof object);
    const Object* const known = find_object(object);
    const bool is_pointer =
        argument.space == CL_KERNEL_ARG_ADDRESS_GLOBAL || argument.space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    if (!is_pointer && known == nullptr) return;  // a structure of that size
    argument.object = object;
}

/// The command uses a buffer, which it may write.
void use(const Accepted& command, cl_mem handle, bool is_write) {
    QueueState* const queue = state_of(command.queue);
    Object* const buffer = whole(handle);
    if (queue == nullptr || buffer == nullptr) return;
    if (is_write) buffer->is_filled = true;
    note_use_of(*buffer, *queue, command.number, is_write, command.command.name);
}

/// A transfer between a buffer and the host.
void transfer(const Accepted& command, cl_mem handle, bool is_read, cl_bool is_blocking) {
    Object* const buffer = whole(handle);
    QueueState* const queue = state_of(command.queue);
    if (queue == nullptr) return;
    if (is_read && (is_blocking == CL_FALSE || (buffer != nullptr && !buffer->is_filled))) {
        const Addresses addresses = caller();
        if (is_blocking == CL_FALSE) add_open_read(*queue, command.number, addresses);
        if (buffer != nullptr && !buffer->is_filled)
            report("unset_buffer_read",
                   format_text("%s reads a buffer of %llu bytes that nothing has written",
                               text(command.command.name), static_cast<unsigned long long>(buffer->bytes)),
                   addresses);
    }
    use(command, handle, !is_read);
    if (is_blocking != CL_FALSE) note_awaited(queue->number, command.number, queue->is_out_of_order);
}

TextAt explain_range(cl_mem handle, size_t offset, size_t bytes) {
    const Lock locked;
    const Object* const buffer = find_object(handle);
    if (buffer == nullptr || current() == nullptr || offset + bytes <= buffer->bytes) return 0;
    return format_text("offset %zu and %zu bytes, but the buffer has %llu", offset, bytes,
                       static_cast<unsigned long long>(buffer->bytes));
}

uint64_t box(const size_t* region) {
    return region != nullptr ? uint64_t{region[0]} * region[1] * region[2] : 0;
}

uint64_t image_box(cl_mem image, const size_t* region) {
    size_t element = 0;
    next.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, nullptr);
    return element * box(region);
}

void describe_kernel(Command& command, cl_command_queue queue, cl_kernel handle, cl_uint dimensions,
                     const size_t* global, const size_t* local) {
    const Lock locked;
    if (current() == nullptr) return;
    const KernelState* const kernel = state_of(handle);
    const QueueState* const state = state_of(queue);
    if (kernel != nullptr) command.name = kernel->name;
    command.kernel_row =
        kernel_row(command.name, state != nullptr ? state->device : 0, dimensions, global, local);
}

}  // namespace

void after(KWB_AT(clSetKernelArg), cl_int, cl_kernel handle, cl_uint index, size_t bytes, const void* value) {
    TextAt flaw = 0;
    {
        const Lock locked;
        const KernelState* const kernel = state_of(handle);
        if (current() == nullptr || kernel == nullptr) return;
        flaw = argument_flaw(*kernel, index, bytes, value);
        set_argument(handle, index, bytes, value, false);
    }
    if (flaw == 0) return;
    const Addresses addresses = caller();
    const Lock locked;
    if (current() != nullptr) report("argument_mismatch", flaw, addresses);
}

void after(KWB_AT(clSetKernelArgSVMPointer), cl_int, cl_kernel handle, cl_uint index, const void* value) {
    const Lock locked;
    set_argument(handle, index, sizeof(void*), value, true);
}

void after(KWB_AT(clSetKernelExecInfo), cl_int, cl_kernel handle, cl_kernel_exec_info what, size_t bytes,
           const void*) {
    const Lock locked;
    KernelState* const kernel = state_of(handle);
    if (kernel != nullptr && what == CL_KERNEL_EXEC_INFO_SVM_PTRS) kernel->follows_pointers = bytes > 0;
}

TextAt explain(KWB_AT(clSetKernelArg), cl_int, cl_kernel handle, cl_uint index, size_t bytes,
               const void* value) {
    const Lock locked;
    const KernelState* const kernel = state_of(handle);
    return current() != nullptr && kernel != nullptr ? argument_flaw(*kernel, index, bytes, value) : 0;
}

namespace {

void report_arguments(cl_kernel handle) {
    const Lock locked;
    KernelState* const kernel = state_of(handle);
    if (current() == nullptr || kernel == nullptr) return;
    for (cl_uint i = 0; i < kernel->arguments; ++i) {
        KernelArgument& argument = kernel->list[i];
        if (argument.object == nullptr || argument.is_svm || argument.is_reported) continue;
        const Object* const object = find_object(argument.object);
        const Object* const buffer = whole(argument.object);
        const char* code = nullptr;
        const char* words = nullptr;
        if (object == nullptr) {
            code = "released_argument";
            words = "was released before the launch";
        } else if (buffer->maps > 0) {
            code = "mapped_argument";
            words = "is still mapped for the host: unmap it before the launch";
        } else if (argument.is_const && buffer->kind == ObjectKind::Buffer && !buffer->is_filled) {
            code = "unset_buffer_read";
            words = "is only read, and nothing has written its buffer";
        }
        if (code == nullptr) continue;
        argument.is_reported = true;
        char name[200];
        report(code, format_text("%s %s", argument_name(*kernel, i, name), words), caller());
    }
}

}  // namespace

void before(KWB_AT(clEnqueueNDRangeKernel), cl_command_queue& queue, cl_kernel& handle, cl_uint& dimensions,
            const size_t*& offset, const size_t*& global, const size_t*& local, cl_uint& waits,
            const cl_event*& wait_list, cl_event*&) {
    report_arguments(handle);
    capture_before({queue, handle, dimensions, offset, global, local, waits, wait_list});
}

void finished(KWB_AT(clEnqueueNDRangeKernel), cl_int code, cl_command_queue queue, cl_kernel handle,
              cl_uint dimensions, const size_t* offset, const size_t* global, const size_t* local,
              cl_uint waits, const cl_event* wait_list, cl_event*) {
    capture_after({queue, handle, dimensions, offset, global, local, waits, wait_list}, code == CL_SUCCESS);
}

void describe(KWB_AT(clEnqueueNDRangeKernel), Command& command, cl_command_queue queue, cl_kernel handle,
              cl_uint dimensions, const size_t*, const size_t* global, const size_t* local, cl_uint,
              const cl_event*, cl_event*) {
    describe_kernel(command, queue, handle, dimensions, global, local);
}

void describe(KWB_AT(clEnqueueTask), Command& command, cl_command_queue queue, cl_kernel handle, cl_uint,
              const cl_event*, cl_event*) {
    const size_t one = 1;
    describe_kernel(command, queue, handle, 1, &one, &one);
}

TextAt explain(KWB_AT(clEnqueueNDRangeKernel), cl_int code, cl_command_queue, cl_kernel handle,
               cl_uint dimensions, const size_t*, const size_t* global, const size_t* local, cl_uint,
               const cl_event*, cl_event*) {
    const Lock locked;
    const KernelState* const kernel = state_of(handle);
    if (current() == nullptr || kernel == nullptr) return 0;
    char list[200];
    list_unset(*kernel, list);
    if (list[0] != '\0') return format_text("%s: never set: argument %s", text(kernel->name), list);
    if (global == nullptr || local == nullptr || dimensions < 1 || dimensions > 3) return kernel->name;
    unsigned long long items = 1;
    for (cl_uint i = 0; i < dimensions; ++i) {
        items *= local[i];
        if (code == CL_INVALID_WORK_GROUP_SIZE && local[i] != 0 && global[i] % local[i] != 0)
            return format_text("%s: the global size %zu is no multiple of the local size %zu",
                               text(kernel->name), global[i], local[i]);
    }
    return format_text("%s: work-groups of %llu work-items", text(kernel->name), items);
}

namespace {

void accept_kernel(const Accepted& command, cl_kernel handle) {
    KernelState* const kernel = state_of(handle);
    if (kernel == nullptr) return;
    ++kernel->launches;
    if (command.command.kernel_row != 0) {
        KernelRow& row = current()->kernel_rows[command.command.kernel_row - 1];
        if (row.launches++ == 0) {
            const Addresses addresses = caller();
            row.place = place_of(addresses.frames, addresses.count);
        }
    }
    for (cl_uint i = 0; i < kernel->arguments; ++i) {
        const KernelArgument& argument = kernel->list[i];
        if (argument.object == nullptr || argument.is_svm) continue;
        auto* const buffer = static_cast<cl_mem>(const_cast<void*>(argument.object));
        const Object* const object = find_object(buffer);
        if (object != nullptr && object->kind != ObjectKind::Sampler)
            use(command, buffer, !argument.is_const && (object->flags & CL_MEM_READ_ONLY) == 0);
    }
}

}  // namespace

void note_filled(cl_mem handle) {
    if (Object* const buffer = whole(handle)) buffer->is_filled = true;
}

void accepted(KWB_AT(clEnqueueNDRangeKernel), const Accepted& command, cl_command_queue, cl_kernel handle,
              cl_uint, const size_t*, const size_t*, const size_t*, cl_uint, const cl_event*, cl_event*) {
    accept_kernel(command, handle);
}
void accepted(KWB_AT(clEnqueueTask), const Accepted& command, cl_command_queue, cl_kernel handle, cl_uint,
              const cl_event*, cl_event*) {
    accept_kernel(command, handle);
}

void describe(KWB_AT(clEnqueueReadBuffer), Command& command, cl_command_queue, cl_mem, cl_bool, size_t,
              size_t bytes, void*, cl_uint, const cl_event*, cl_event*) {
    command.bytes = bytes;
}
void describe(KWB_AT(clEnqueueWriteBuffer), Command& command, cl_command_queue, cl_mem, cl_bool, size_t,
              size_t bytes, const void*, cl_uint, const cl_event*, cl_event*) {
    command.bytes = bytes;
}
void describe(KWB_AT(clEnqueueCopyBuffer), Command& command, cl_command_queue, cl_mem, cl_mem, size_t, size_t,
              size_t bytes, cl_uint, const cl_event*, cl_event*) {
    command.bytes = bytes;
}
void describe(KWB_AT(clEnqueueFillBuffer), Command& command, cl_command_queue, cl_mem, const void*, size_t,
              size_t, size_t bytes, cl_uint, const cl_event*, cl_event*) {
    command.bytes = bytes;
}
void describe(KWB_AT(clEnqueueMapBuffer), Command& command, cl_command_queue, cl_mem, cl_bool, cl_map_flags,
              size_t, size_t bytes, cl_uint, const cl_event*, cl_event*, cl_int*) {
    command.bytes = bytes;
}
void describe(KWB_AT(clEnqueueReadBufferRect), Command& command, cl_command_queue, cl_mem, cl_bool,
              const size_t*, const size_t*, const size_t* region, size_t, size_t, size_t, size_t, void*,
              cl_uint, const cl_event*, cl_event*) {
    command.bytes = box(region);
}
void describe(KWB_AT(clEnqueueWriteBufferRect), Command& command, cl_command_queue, cl_mem, cl_bool,
              const size_t*, const size_t*, const size_t* region, size_t, size_t, size_t, size_t, const void*,
              cl_uint, const cl_event*, cl_event*) {
    command.bytes = box(region);
}
void describe(KWB_AT(clEnqueueCopyBufferRect), Command& command, cl_command_queue, cl_mem, cl_mem,
              const size_t*, const size_t*, const size_t* region, size_t, size_t, size_t, size_t, cl_uint,
              const cl_event*, cl_event*) {
    command.bytes = box(region);
}
void describe(KWB_AT(clEnqueueReadImage), Command& command, cl_command_queue, cl_mem image, cl_bool,
              const size_t*, const size_t* region, size_t, size_t, void*, cl_uint, const cl_event*,
              cl_event*) {
    command.bytes = image_box(image, region);
}
void describe(KWB_AT(clEnqueueWriteImage), Command& command, cl_command_queue, cl_mem image, cl_bool,
              const size_t*, const size_t* region, size_t, size_t, const void*, cl_uint, const cl_event*,
              cl_event*) {
    command.bytes = image_box(image, region);
}
void describe(KWB_AT(clEnqueueSVMMemcpy), Command& command, cl_command_queue, cl_bool, void*, const void*,
              size_t bytes, cl_uint, const cl_event*, cl_event*) {
    command.bytes = bytes;
}
void describe(KWB_AT(clEnqueueSVMMemFill), Command& command, cl_command_queue, void*, const void*, size_t,
              size_t bytes, cl_uint, const cl_event*, cl_event*) {
    command.bytes = bytes;
}

TextAt explain(KWB_AT(clEnqueueReadBuffer), cl_int, cl_command_queue, cl_mem buffer, cl_bool, size_t offset,
               size_t bytes, void*, cl_uint, const cl_event*, cl_event*) {
    return explain_range(buffer, offset, bytes);
}
TextAt explain(KWB_AT(clEnqueueWriteBuffer), cl_int, cl_command_queue, cl_mem buffer, cl_bool, size_t offset,
               size_t bytes, const void*, cl_uint, const cl_event*, cl_event*) {
    return explain_range(buffer, offset, bytes);
}
TextAt explain(KWB_AT(clEnqueueCopyBuffer), cl_int, cl_command_queue, cl_mem from, cl_mem to,
               size_t from_offset, size_t to_offset, size_t bytes, cl_uint, const cl_event*, cl_event*) {
    const TextAt detail = explain_range(from, from_offset, bytes);
    return detail != 0 ? detail : explain_range(to, to_offset, bytes);
}

void accepted(KWB_AT(clEnqueueReadBuffer), const Accepted& command, cl_command_queue, cl_mem buffer,
              cl_bool is_blocking, size_t, size_t, void*, cl_uint, const cl_event*, cl_event*) {
    transfer(command, buffer, true, is_blocking);
}
void accepted(KWB_AT(clEnqueueReadBufferRect), const Accepted& command, cl_command_queue, cl_mem buffer,
              cl_bool is_blocking, const size_t*, const size_t*, const size_t*, size_t, size_t, size_t,
              size_t, void*, cl_uint, const cl_event*, cl_event*) {
    transfer(command, buffer, true, is_blocking);
}
void accepted(KWB_AT(clEnqueueReadImage), const Accepted& command, cl_command_queue, cl_mem image,
              cl_bool is_blocking, const size_t*, const size_t*, size_t, size_t, void*, cl_uint,
              const cl_event*, cl_event*) {
    transfer(command, image, true, is_blocking);
}
void accepted(KWB_AT(clEnqueueWriteBuffer), const Accepted& command, cl_command_queue, cl_mem buffer,
              cl_bool is_blocking, size_t, size_t, const void*, cl_uint, const cl_event*, cl_event*) {
    transfer(command, buffer, false, is_blocking);
}
void accepted(KWB_AT(clEnqueueWriteBufferRect), const Accepted& command, cl_command_queue, cl_mem buffer,
              cl_bool is_blocking, const size_t*, const size_t*, const size_t*, size_t, size_t, size_t,
              size_t, const void*, cl_uint, const cl_event*, cl_event*) {
    transfer(command, buffer, false, is_blocking);
}
void accepted(KWB_AT(clEnqueueWriteImage), const Accepted& command, cl_command_queue, cl_mem image,
              cl_bool is_blocking, const size_t*, const size_t*, size_t, size_t, const void*, cl_uint,
              const cl_event*, cl_event*) {
    transfer(command, image, false, is_blocking);
}
void accepted(KWB_AT(clEnqueueCopyBuffer), const Accepted& command, cl_command_queue, cl_mem from, cl_mem to,
              size_t, size_t, size_t, cl_uint, const cl_event*, cl_event*) {
    use(command, from, false);
    use(command, to, true);
}
void accepted(KWB_AT(clEnqueueCopyBufferRect), const Accepted& command, cl_command_queue, cl_mem from,
              cl_mem to, const size_t*, const size_t*, const size_t*, size_t, size_t, size_t, size_t, cl_uint,
              const cl_event*, cl_event*) {
    use(command, from, false);
    use(command, to, true);
}
void accepted(KWB_AT(clEnqueueFillBuffer), const Accepted& command, cl_command_queue, cl_mem buffer,
              const void*, size_t, size_t, size_t, cl_uint, const cl_event*, cl_event*) {
    use(command, buffer, true);
}
void accepted(KWB_AT(clEnqueueMapBuffer), const Accepted& command, cl_command_queue, cl_mem handle,
              cl_bool is_blocking, cl_map_flags flags, size_t, size_t, cl_uint, const cl_event*, cl_event*,
              cl_int*) {
    use(command, handle, flags != CL_MAP_READ);
    if (Object* const buffer = whole(handle)) ++buffer->maps;
    const QueueState* const queue = state_of(command.queue);
    if (queue != nullptr && is_blocking != CL_FALSE)
        note_awaited(queue->number, command.number, queue->is_out_of_order);
}
void accepted(KWB_AT(clEnqueueUnmapMemObject), const Accepted& command, cl_command_queue, cl_mem handle,
              void*, cl_uint, const cl_event*, cl_event*) {
    use(command, handle, true);
    if (Object* const buffer = whole(handle))
        if (buffer->maps > 0) --buffer->maps;
}

}  // namespace kwb::capture
