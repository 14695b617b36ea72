// SPDX-License-Identifier: Apache-2.0
#include "capture/layer/launch_files.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/layer/launch_memory.hpp"

namespace kwb::capture {
namespace {

constexpr uint32_t kMostNames = 1024;

/// Launches of a kernel function, and whether one has been captured.
struct CountedKernel {
    TextAt name;
    uint64_t launches;
    bool is_done;
};
CountedKernel counted[kMostNames];
uint32_t names = 0;

/// The launch that this thread captures.
struct Open {
    bool is_open = false;
    char folder[3500] = "";
    FILE* list = nullptr;
    KernelState kernel;
    int done = -1;  ///< index in `counted`
};
thread_local Open open_launch;

/// With the lock: count the launch of this kernel.
/// @return  its index in `counted`; -1: it is not wanted
int count_launch(const KernelState& kernel) {
    const char* const wanted = ::getenv(kKernelVariable);
    char key[300];
    ::snprintf(key, sizeof key, "\n%s\n", current()->texts + kernel.name);
    if (wanted != nullptr && ::strstr(wanted, key) == nullptr) return -1;
    uint32_t at = 0;
    while (at < names && counted[at].name != kernel.name) ++at;
    if (at == kMostNames) return -1;
    if (at == names) counted[names++] = {kernel.name, 0, false};
    const char* const number = ::getenv(kLaunchVariable);
    const uint64_t first = number != nullptr ? ::strtoull(number, nullptr, 10) : 1;
    // The first one from there on that can be captured.
    if (counted[at].is_done || ++counted[at].launches < first) return -1;
    counted[at].is_done = true;
    return static_cast<int>(at);
}

/// One line of the list: texts have no line breaks there.
void write_line(const char* key, const char* text) {
    ::fprintf(open_launch.list, "%s ", key);
    for (const char* c = text; *c != '\0'; ++c)
        ::fputc(*c == '\n' || *c == '\r' ? ' ' : *c, open_launch.list);
    ::fputc('\n', open_launch.list);
}

bool write_program_file(const char* name, const void* content, size_t bytes) {
    char path[4096];
    ::snprintf(path, sizeof path, "%s/%s", open_launch.folder, name);
    FILE* const file = ::fopen(path, "we");
    if (file == nullptr) return false;
    const bool is_written = ::fwrite(content, 1, bytes, file) == bytes;
    return ::fclose(file) == 0 && is_written;
}

bool write_source(const char* text) {
    return write_program_file(kLaunchSource, text, ::strlen(text));
}

/// SPIR-V if the program was made from it, else the first device's binary.
void write_binary(cl_program program) {
    constexpr cl_uint kMostDevices = 64;
    size_t sizes[kMostDevices] = {}, bytes = 0;
    cl_uint devices = 0;
    const bool has_il =
        next.clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &bytes) == CL_SUCCESS && bytes > 0;
    if (!has_il) {
        if (next.clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices, nullptr) !=
                CL_SUCCESS ||
            next.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, nullptr) !=
                CL_SUCCESS)
            return;
        bytes = sizes[0];
    }
    if (bytes == 0) return;
    auto* const content = static_cast<unsigned char*>(::malloc(bytes));
    unsigned char* contents[kMostDevices] = {content};  // a null pointer leaves that device's out
    const cl_int code = content == nullptr ? CL_OUT_OF_HOST_MEMORY
                        : has_il ? next.clGetProgramInfo(program, CL_PROGRAM_IL, bytes, content, nullptr)
                                 : next.clGetProgramInfo(program, CL_PROGRAM_BINARIES,
                                                         devices * sizeof contents[0], contents, nullptr);
    if (code == CL_SUCCESS) write_program_file(kLaunchBinary, content, bytes);
    ::free(content);
}

/// Of a program that was linked from one that is known.
bool write_kept_source(cl_program program) {
    char* source = nullptr;
    {
        const Lock locked;
        const Object* const object = find_object(program);
        if (object == nullptr || object->source == nullptr) return false;
        write_line("options", object->options);
        source = ::strdup(object->source);
    }
    const bool is_written = source != nullptr && write_source(source);
    ::free(source);
    return is_written;
}

void write_program(const EnqueuedLaunch& launch) {
    cl_program program = nullptr;
    cl_device_id device = nullptr;
    next.clGetKernelInfo(launch.kernel, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr);
    next.clGetCommandQueueInfo(launch.queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
    char text[4096] = "";
    next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, nullptr);
    write_line("device", text);
    if (::getcwd(text, sizeof text) != nullptr) write_line("folder", text);
    if (write_kept_source(program)) return;
    text[0] = '\0';
    if (next.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, nullptr) !=
        CL_SUCCESS)
        write_line("flaw", "its build options are longer than 4096 bytes");
    write_line("options", text);
    char* const source = source_of(program);
    if (source == nullptr || !write_source(source)) {
        write_binary(program);
        write_line(
            "flaw",
            "its program was made from a binary, or linked from several, so that the driver has no source");
    }
    ::free(source);
}

void write_extents(const char* key, const size_t* extents, cl_uint dimensions) {
    ::fprintf(open_launch.list, "%s", key);
    for (cl_uint i = 0; i < dimensions && extents != nullptr; ++i)
        ::fprintf(open_launch.list, " %zu", extents[i]);
    ::fputc('\n', open_launch.list);
}

/// A buffer or image, or the beginning of shared virtual memory; nullptr: it is neither.
const void* memory_of(const KernelArgument& argument) {
    const bool is_memory =
        argument.space == CL_KERNEL_ARG_ADDRESS_GLOBAL || argument.space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    return is_memory ? argument.object : nullptr;
}

/// The first argument that is this buffer.
cl_uint first_of(const void* memory) {
    cl_uint first = 0;
    while (memory_of(open_launch.kernel.list[first]) != memory) ++first;
    return first;
}

bool is_writable(const void* memory) {
    for (cl_uint i = 0; i < open_launch.kernel.arguments; ++i)
        if (memory_of(open_launch.kernel.list[i]) == memory && !open_launch.kernel.list[i].is_const)
            return true;
    return false;
}

/// True if an earlier argument is another buffer with some of the same memory.
bool overlaps_earlier(cl_uint index) {
    const void* const memory = memory_of(open_launch.kernel.list[index]);
    for (cl_uint i = 0; i < index; ++i) {
        const void* const other = memory_of(open_launch.kernel.list[i]);
        if (other != nullptr && other != memory && share_memory(other, memory)) return true;
    }
    return false;
}

/// Lists a buffer, and writes its content for the first argument that is this buffer.
void write_content(const EnqueuedLaunch& launch, cl_uint index, size_t bytes) {
    const void* const memory = memory_of(open_launch.kernel.list[index]);
    const cl_uint first = first_of(memory);
    ::fprintf(open_launch.list, "buffer %u %zu %d\n", first, bytes, is_writable(memory) ? 1 : 0);
    if (first != index) return;
    char name[40];
    ::snprintf(name, sizeof name, "%u.before", index);
    const cl_int code = write_memory(launch.queue, memory, open_launch.folder, name);
    if (code != CL_SUCCESS)
        write_line("flaw", code > 0 ? "there is no room for its buffers in the output folder"
                                    : "a buffer cannot be read by the host");
}

void write_shared_argument(const EnqueuedLaunch& launch, cl_uint index) {
    const SharedMemory shared = shared_memory_at(memory_of(open_launch.kernel.list[index]));
    if (shared.begin == nullptr)
        write_line("flaw", "an argument points to memory that clSVMAlloc did not give, or that was freed");
    else if (shared.is_fine_grained)
        write_line("flaw",
                   "an argument is fine-grained shared virtual memory, which the host can change during the "
                   "launch");
    else if (shared.begin != memory_of(open_launch.kernel.list[index]))
        write_line("flaw", "an argument points behind the beginning of shared virtual memory");
    else
        write_content(launch, index, shared.bytes);
}

void write_memory_argument(const EnqueuedLaunch& launch, cl_uint index) {
    const KernelArgument& argument = open_launch.kernel.list[index];
    if (memory_of(argument) == nullptr) return write_line("null", "pointer");
    if (argument.is_svm) return write_shared_argument(launch, index);
    const Extent extent = extent_of(memory_of(argument));
    if (extent.whole == nullptr)
        return write_line("flaw", "an argument is no buffer, or was released before the launch");
    if (extent.kind != CL_MEM_OBJECT_BUFFER && extent.kind != CL_MEM_OBJECT_IMAGE2D)
        return write_line("flaw", "an argument is an image of another kind than image2d_t");
    if (overlaps_earlier(index)) return write_line("flaw", "two of its buffers share memory");
    if (extent.kind == CL_MEM_OBJECT_IMAGE2D) {
        const ImageShape image = shape_of(memory_of(argument));
        ::fprintf(open_launch.list, "image %zu %zu %u %u\n", image.width, image.height,
                  image.format.image_channel_order, image.format.image_channel_data_type);
        return write_content(launch, index, image.bytes());
    }
    write_content(launch, index, extent.end - extent.begin);
}

void write_sampler(cl_sampler sampler) {
    cl_addressing_mode addressing = 0;
    cl_filter_mode filter = 0;
    cl_bool is_normalized = CL_FALSE;
    next.clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof addressing, &addressing, nullptr);
    next.clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, nullptr);
    next.clGetSamplerInfo(sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof is_normalized, &is_normalized,
                          nullptr);
    // As front matter names them.
    const char* const name = addressing == CL_ADDRESS_CLAMP             ? "clamp"
                             : addressing == CL_ADDRESS_CLAMP_TO_EDGE   ? "edge"
                             : addressing == CL_ADDRESS_REPEAT          ? "repeat"
                             : addressing == CL_ADDRESS_MIRRORED_REPEAT ? "mirror"
                                                                        : "none";
    ::fprintf(open_launch.list, "sampler %s_%s%s\n", filter == CL_FILTER_LINEAR ? "linear" : "nearest", name,
              is_normalized != CL_FALSE ? "_normalized" : "");
}

void write_argument(const EnqueuedLaunch& launch, cl_uint index) {
    const KernelArgument& argument = open_launch.kernel.list[index];
    char type[256] = "", name[256] = "";
    next.clGetKernelArgInfo(launch.kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, nullptr);
    next.clGetKernelArgInfo(launch.kernel, index, CL_KERNEL_ARG_NAME, sizeof name, name, nullptr);
    ::fprintf(open_launch.list, "argument %u\n", index);
    write_line("name", name);
    write_line("type", type);
    if (!argument.is_set) {
        write_line("flaw", "an argument is not set");
    } else if (argument.space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
        ::fprintf(open_launch.list, "local_bytes %zu\n", argument.bytes);
    } else if (argument.space == CL_KERNEL_ARG_ADDRESS_GLOBAL ||
               argument.space == CL_KERNEL_ARG_ADDRESS_CONSTANT) {
        write_memory_argument(launch, index);
    } else if (::strcmp(type, "sampler_t") == 0 && argument.object != nullptr && is_alive(argument.object)) {
        write_sampler(static_cast<cl_sampler>(const_cast<void*>(argument.object)));
    } else if (argument.space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        if (argument.bytes > sizeof argument.value)
            return write_line("flaw", "an argument is larger than 256 bytes, which is not captured");
        ::fprintf(open_launch.list, "value ");
        for (size_t i = 0; i < argument.bytes; ++i) ::fprintf(open_launch.list, "%02x", argument.value[i]);
        ::fputc('\n', open_launch.list);
    } else {
        write_line("flaw", "the driver does not report the kernel's parameters");
    }
}

/// True if the launch waits for an event that the program sets itself, perhaps later in this thread.
bool waits_for_program(const EnqueuedLaunch& launch) {
    for (cl_uint i = 0; i < launch.waits && launch.wait_list != nullptr; ++i) {
        cl_command_type type = 0;
        cl_int status = CL_COMPLETE;
        next.clGetEventInfo(launch.wait_list[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
        next.clGetEventInfo(launch.wait_list[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                            nullptr);
        if (type == CL_COMMAND_USER && status > CL_COMPLETE) return true;
    }
    return false;
}

bool begin(const EnqueuedLaunch& launch, const char* output, uint64_t number) {
    static uint32_t folders = 0;
    ::snprintf(open_launch.folder, sizeof open_launch.folder, "%s/%s%08u-XXXXXX", output, kLaunchFolderPrefix,
               __atomic_add_fetch(&folders, 1, __ATOMIC_RELAXED));
    if (::mkdtemp(open_launch.folder) == nullptr) return false;
    char path[4096];
    ::snprintf(path, sizeof path, "%s/%s", open_launch.folder, kLaunchList);
    open_launch.list = ::fopen(path, "we");
    if (open_launch.list == nullptr) return false;
    ::fprintf(open_launch.list, "kwb-launch 1\nkernel %s\nlaunch %llu\n",
              current()->texts + open_launch.kernel.name, static_cast<unsigned long long>(number));
    write_extents("global", launch.global, launch.dimensions);
    write_extents("local", launch.local, launch.dimensions);
    write_extents("offset", launch.offset, launch.dimensions);
    return true;
}

}  // namespace

const char* output_folder() {
    static const char* const folder = ::getenv(kOutputVariable);
    return folder;
}

char* source_of(cl_program program) {
    size_t bytes = 0;
    if (next.clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &bytes) != CL_SUCCESS || bytes <= 1)
        return nullptr;
    auto* const text = static_cast<char*>(::calloc(1, bytes + 1));
    if (text != nullptr &&
        next.clGetProgramInfo(program, CL_PROGRAM_SOURCE, bytes, text, nullptr) == CL_SUCCESS)
        return text;
    ::free(text);
    return nullptr;
}

void capture_before(const EnqueuedLaunch& launch) {
    const char* const output = output_folder();
    open_launch.is_open = false;
    if (output == nullptr || launch.dimensions < 1 || launch.dimensions > 3 || launch.global == nullptr)
        return;
    if (waits_for_program(launch)) return;  // a later launch may not
    uint64_t number = 0;
    {
        const Lock locked;
        const Object* const object = find_object(launch.kernel);
        if (current() == nullptr || object == nullptr || object->kernel == nullptr) return;
        open_launch.done = count_launch(*object->kernel);
        if (open_launch.done < 0) return;
        number = counted[open_launch.done].launches;
        open_launch.kernel = *object->kernel;
    }
    if (launch.waits > 0 && launch.wait_list != nullptr) next.clWaitForEvents(launch.waits, launch.wait_list);
    next.clFinish(launch.queue);
    if (!begin(launch, output, number)) return;
    open_launch.is_open = true;
    write_program(launch);
    cl_uint arguments = 0;
    next.clGetKernelInfo(launch.kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr);
    if (arguments > kMostArguments) write_line("flaw", "it has more than 64 arguments");
    if (open_launch.kernel.follows_pointers)
        write_line("flaw", "its kernel follows pointers in shared virtual memory (clSetKernelExecInfo)");
    for (cl_uint i = 0; i < open_launch.kernel.arguments; ++i) write_argument(launch, i);
    ::fflush(open_launch.list);  // the launch may end the program
}

void capture_after(const EnqueuedLaunch& launch, bool is_accepted) {
    if (!open_launch.is_open) return;
    open_launch.is_open = false;
    if (!is_accepted) {
        write_line("flaw", "the driver refused the launch");
    } else if (next.clFinish(launch.queue) != CL_SUCCESS) {
        write_line("flaw", "the launch failed on the device");
    } else {
        for (cl_uint i = 0; i < open_launch.kernel.arguments; ++i) {
            const void* const memory = memory_of(open_launch.kernel.list[i]);
            if (memory == nullptr || first_of(memory) != i || !is_writable(memory)) continue;
            char name[40];
            ::snprintf(name, sizeof name, "%u.after", i);
            if (write_memory(launch.queue, memory, open_launch.folder, name) != CL_SUCCESS)
                write_line("flaw",
                           "the result cannot be read, or there is no room for it in the output folder");
        }
        write_line("end", "complete");
    }
    ::fclose(open_launch.list);
    open_launch.list = nullptr;
}

}  // namespace kwb::capture
