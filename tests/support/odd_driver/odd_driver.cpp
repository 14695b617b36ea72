// SPDX-License-Identifier: Apache-2.0
// An OpenCL driver for tests: forwards to PoCL and injects faults of other drivers.
//
// Calls go to the PoCL library named in the system's pocl.icd. The driver's own file name selects the faults:
// "fast_clock+gpu.so" has two. Each of them imitates existing drivers:
//   gpu              reports its device as a GPU
//   no_devices       has no device, like Mesa's clover on a machine without supported hardware
//   no_compiler      has a device without a compiler
//   aborts, hangs    in clIcdGetPlatformIDsKHR
//   slow_start       needs 12 s there, like a GPU server without persistence mode
//   sticky           the launch of a kernel named "faulty…" and all later calls fail, as in NVIDIA's
//                    contexts
//   fast_clock       profiling times run 40 % fast
//   jumping_clock    every third launch ends an hour later according to the device's clock
//   zeros            reports 0 for limits that a driver may leave unknown
//   affinity         sets the CPU affinity of a thread, as ROCm's runtime does; if that fails, it has no
//                    device
//   shared_memory    needs shm_open to create a context, like some multi-process GPU runtimes
//   one_context      a second context in any process fails with CL_OUT_OF_RESOURCES, as for GPUs in
//                    exclusive mode
//   no_arg_info      clGetKernelArgInfo is not available
//   opencl_1_2       supports only OpenCL C 1.2
//   late_running     reports a launch as running only once it has ended, like Mesa's rusticl
//   home_cache       caches compiled programs in $HOME/.cache/odd, as GPU drivers do
// PoCL's objects point to its ICD dispatch table, so rewriting that table in place redirects the loader's
// calls to this driver.
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

cl_icd_dispatch pocl;  ///< copy of PoCL's original dispatch table
std::atomic<bool> is_broken{false};
std::atomic<unsigned> launches{0};

std::string own_path() {
    Dl_info info{};
    return ::dladdr(reinterpret_cast<void*>(&own_path), &info) != 0 ? info.dli_fname : "";
}

bool has(const char* habit) {
    static const std::string habits = "+" + std::filesystem::path(own_path()).stem().string() + "+";
    return habits.find("+" + std::string(habit) + "+") != std::string::npos;
}

cl_int answer(const std::string& text, std::size_t room, void* value, std::size_t* size) {
    if (size != nullptr) *size = text.size() + 1;
    if (value == nullptr) return CL_SUCCESS;
    if (room < text.size() + 1) return CL_INVALID_VALUE;
    std::memcpy(value, text.c_str(), text.size() + 1);
    return CL_SUCCESS;
}

cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info what, std::size_t room,
                                     void* value, std::size_t* size) {
    if (what == CL_PLATFORM_NAME) return answer("Odd", room, value, size);
    if (what == CL_PLATFORM_ICD_SUFFIX_KHR) return answer("ODD", room, value, size);
    if (what == CL_PLATFORM_VERSION && has("opencl_1_2")) return answer("OpenCL 1.2 Odd", room, value, size);
    return pocl.clGetPlatformInfo(platform, what, room, value, size);
}

/// @return  false if setting a thread's CPU affinity fails
bool can_bind_threads() {
    std::atomic<pid_t> thread_id{0};
    std::atomic<bool> is_over{false};
    std::thread other([&] {
        thread_id = ::gettid();
        thread_id.notify_one();
        is_over.wait(false);
    });
    thread_id.wait(0);
    cpu_set_t processors;
    const bool bound = ::sched_getaffinity(0, sizeof processors, &processors) == 0 &&
                       ::sched_setaffinity(thread_id, sizeof processors, &processors) == 0;
    is_over = true;
    is_over.notify_one();
    other.join();
    return bound;
}

cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint room,
                                  cl_device_id* devices, cl_uint* count) {
    if (has("no_devices")) return CL_DEVICE_NOT_FOUND;
    if (has("affinity") && !can_bind_threads()) return CL_OUT_OF_HOST_MEMORY;
    if (has("gpu") && type == CL_DEVICE_TYPE_GPU) type = CL_DEVICE_TYPE_ALL;
    return pocl.clGetDeviceIDs(platform, type, room, devices, count);
}

bool is_zero(cl_device_info what) {
    switch (what) {
        case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
        case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
        case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
        case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
        case CL_DEVICE_MAX_COMPUTE_UNITS:
        case CL_DEVICE_LOCAL_MEM_SIZE:
        case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        case CL_DEVICE_GLOBAL_MEM_SIZE:
        case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
            return true;
        default:
            return false;
    }
}

cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, std::size_t room, void* value,
                                   std::size_t* size) {
    if (has("opencl_1_2") && what == CL_DEVICE_VERSION) return answer("OpenCL 1.2 Odd", room, value, size);
    if (has("opencl_1_2") && what == CL_DEVICE_OPENCL_C_VERSION)
        return answer("OpenCL C 1.2 ", room, value, size);
    if (what == CL_DEVICE_NAME) return answer("Odd device", room, value, size);
    const cl_int status = pocl.clGetDeviceInfo(device, what, room, value, size);
    if (status != CL_SUCCESS || value == nullptr) return status;
    if (has("gpu") && what == CL_DEVICE_TYPE) *static_cast<cl_device_type*>(value) = CL_DEVICE_TYPE_GPU;
    if (has("no_compiler") && (what == CL_DEVICE_COMPILER_AVAILABLE || what == CL_DEVICE_LINKER_AVAILABLE))
        *static_cast<cl_bool*>(value) = CL_FALSE;
    if (has("zeros") && is_zero(what)) std::memset(value, 0, room);
    return status;
}

/// Descriptor whose lock is held by the process with the only context, until it exits or releases the
/// context.
int context_lock = -1;

bool take_only_context() {
    if (context_lock < 0) context_lock = ::open(own_path().c_str(), O_RDONLY | O_CLOEXEC);
    return ::flock(context_lock, LOCK_EX | LOCK_NB) == 0;
}

bool can_share_memory() {
    const std::string name = "/kwb-odd-" + std::to_string(::getpid());
    const int fd = ::shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0) return false;
    const bool usable = ::ftruncate(fd, 4096) == 0 &&
                        ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED;
    ::shm_unlink(name.c_str());
    ::close(fd);
    return usable;
}

cl_context CL_API_CALL create_context(const cl_context_properties* properties, cl_uint count,
                                      const cl_device_id* devices,
                                      void(CL_CALLBACK* notify)(const char*, const void*, std::size_t, void*),
                                      void* data, cl_int* status) {
    if ((has("shared_memory") && !can_share_memory()) || (has("one_context") && !take_only_context())) {
        if (status != nullptr) *status = CL_OUT_OF_RESOURCES;
        return nullptr;
    }
    return pocl.clCreateContext(properties, count, devices, notify, data, status);
}

cl_int CL_API_CALL release_context(cl_context context) {
    cl_uint references = 0;
    pocl.clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, nullptr);
    if (references == 1 && context_lock >= 0) ::flock(context_lock, LOCK_UN);
    return pocl.clReleaseContext(context);
}

/// Write to a cache in the home folder, where GPU drivers keep compiled programs for the next process.
void keep_in_home() {
    const char* home = std::getenv("HOME");
    const std::filesystem::path folder = std::filesystem::path(home != nullptr ? home : "") / ".cache/odd";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    std::ofstream(folder / "compiled", std::ios::app) << "a program\n";
}

cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id* devices,
                                 const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                 void* data) {
    if (is_broken) return CL_OUT_OF_RESOURCES;
    if (has("no_compiler")) return CL_COMPILER_NOT_AVAILABLE;
    if (has("opencl_1_2") && options != nullptr &&
        (std::strstr(options, "-cl-std=CL2") != nullptr || std::strstr(options, "-cl-std=CL3") != nullptr))
        return CL_INVALID_BUILD_OPTIONS;
    if (has("home_cache")) keep_in_home();
    return pocl.clBuildProgram(program, count, devices, options, notify, data);
}

cl_int CL_API_CALL get_kernel_arg_info(cl_kernel, cl_uint, cl_kernel_arg_info, std::size_t, void*,
                                       std::size_t*) {
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}

cl_int CL_API_CALL get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
                                              cl_kernel_work_group_info what, std::size_t room, void* value,
                                              std::size_t* size) {
    const cl_int status = pocl.clGetKernelWorkGroupInfo(kernel, device, what, room, value, size);
    if (status == CL_SUCCESS && value != nullptr && what != CL_KERNEL_WORK_GROUP_SIZE)
        std::memset(value, 0, room);
    return status;
}

bool is_faulty(cl_kernel kernel) {
    char name[256] = "";
    pocl.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr);
    return std::strncmp(name, "faulty", 6) == 0;
}

/// Accept the launch; its event reports the failure later.
cl_int fail_late(cl_command_queue queue, cl_event* event) {
    is_broken = true;
    if (event == nullptr) return CL_SUCCESS;
    cl_context context = nullptr;
    pocl.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
    cl_int status = CL_SUCCESS;
    *event = pocl.clCreateUserEvent(context, &status);
    if (status == CL_SUCCESS) pocl.clSetUserEventStatus(*event, CL_OUT_OF_RESOURCES);
    return status;
}

cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const std::size_t* offset, const std::size_t* global,
                                  const std::size_t* local, cl_uint waits, const cl_event* wait_for,
                                  cl_event* event) {
    if (is_broken) return CL_OUT_OF_RESOURCES;
    if (has("sticky") && is_faulty(kernel)) return fail_late(queue, event);
    return pocl.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait_for,
                                       event);
}

cl_int CL_API_CALL finish(cl_command_queue queue) {
    return is_broken ? CL_OUT_OF_RESOURCES : pocl.clFinish(queue);
}

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, std::size_t bytes, void* host,
                                 cl_int* status) {
    if (!is_broken) return pocl.clCreateBuffer(context, flags, bytes, host, status);
    if (status != nullptr) *status = CL_OUT_OF_RESOURCES;
    return nullptr;
}

cl_int CL_API_CALL enqueue_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                                std::size_t bytes, void* target, cl_uint waits, const cl_event* wait_for,
                                cl_event* event) {
    if (is_broken) return CL_OUT_OF_RESOURCES;
    return pocl.clEnqueueReadBuffer(queue, buffer, blocking, offset, bytes, target, waits, wait_for, event);
}

cl_int CL_API_CALL enqueue_write(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                                 std::size_t bytes, const void* source, cl_uint waits,
                                 const cl_event* wait_for, cl_event* event) {
    if (is_broken) return CL_OUT_OF_RESOURCES;
    return pocl.clEnqueueWriteBuffer(queue, buffer, blocking, offset, bytes, source, waits, wait_for, event);
}

cl_int CL_API_CALL get_profiling_info(cl_event event, cl_profiling_info what, std::size_t room, void* value,
                                      std::size_t* size) {
    const cl_int status = pocl.clGetEventProfilingInfo(event, what, room, value, size);
    if (status != CL_SUCCESS || value == nullptr) return status;
    auto& ns = *static_cast<cl_ulong*>(value);
    constexpr cl_ulong kHourNs = 3'600'000'000'000;
    if (has("fast_clock")) ns += ns * 2 / 5;
    if (has("jumping_clock") && what == CL_PROFILING_COMMAND_END && ++launches % 3 == 0) ns += kHourNs;
    return status;
}

cl_int CL_API_CALL set_event_callback(cl_event event, cl_int,
                                      void(CL_CALLBACK* call)(cl_event, cl_int, void*), void* data) {
    return pocl.clSetEventCallback(event, CL_COMPLETE, call, data);
}

void misbehave_in(cl_icd_dispatch& table) {
    table.clGetPlatformInfo = get_platform_info;
    table.clGetDeviceIDs = get_device_ids;
    table.clGetDeviceInfo = get_device_info;
    table.clCreateContext = create_context;
    table.clReleaseContext = release_context;
    table.clBuildProgram = build_program;
    table.clEnqueueNDRangeKernel = enqueue_kernel;
    table.clFinish = finish;
    table.clCreateBuffer = create_buffer;
    table.clEnqueueReadBuffer = enqueue_read;
    table.clEnqueueWriteBuffer = enqueue_write;
    table.clGetEventProfilingInfo = get_profiling_info;
    if (has("no_arg_info")) table.clGetKernelArgInfo = get_kernel_arg_info;
    if (has("late_running")) table.clSetEventCallback = set_event_callback;
    if (has("zeros")) table.clGetKernelWorkGroupInfo = get_kernel_work_group_info;
}

using GetAddress = void*(CL_API_CALL*)(const char*);
using GetPlatforms = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);

/// @return  PoCL's clIcdGetPlatformIDsKHR; null if PoCL cannot be loaded
GetPlatforms load_pocl() {
    std::ifstream file("/etc/OpenCL/vendors/pocl.icd");
    std::string library;
    std::getline(file, library);
    void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return nullptr;
    const auto get_address = reinterpret_cast<GetAddress>(::dlsym(handle, "clGetExtensionFunctionAddress"));
    return reinterpret_cast<GetPlatforms>(get_address("clIcdGetPlatformIDsKHR"));
}

/// Save PoCL's dispatch table and replace its entries by the functions of this driver.
void take_over(cl_platform_id platform) {
    cl_icd_dispatch& table = **reinterpret_cast<cl_icd_dispatch**>(platform);
    pocl = table;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto first = reinterpret_cast<std::uintptr_t>(&table) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(&table + 1);
    ::mprotect(reinterpret_cast<void*>(first), end - first, PROT_READ | PROT_WRITE);
    misbehave_in(table);
}

cl_int CL_API_CALL get_platform_ids(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
    static const GetPlatforms get_platforms = [] {
        if (has("aborts")) std::abort();
        while (has("hangs")) ::pause();
        if (has("slow_start")) ::sleep(12);
        return load_pocl();
    }();
    if (get_platforms == nullptr) return CL_PLATFORM_NOT_FOUND_KHR;
    const cl_int status = get_platforms(room, platforms, count);
    if (status == CL_SUCCESS && platforms != nullptr && room > 0 && pocl.clBuildProgram == nullptr)
        take_over(platforms[0]);
    return status;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void* CL_API_CALL
clGetExtensionFunctionAddress(const char* name) {
    if (std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return reinterpret_cast<void*>(get_platform_ids);
    if (std::strcmp(name, "clGetPlatformInfo") == 0) return reinterpret_cast<void*>(get_platform_info);
    return nullptr;
}
