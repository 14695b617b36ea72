// SPDX-License-Identifier: Apache-2.0
#include "ocl/device.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "ocl/errors.hpp"

namespace kwb {
namespace {

/// Returns a property, or a default value if the driver fails to report it.
template <int kParameter>
auto ask(const cl::Device& device) -> decltype(device.getInfo<kParameter>()) {
    try {
        return device.getInfo<kParameter>();
    } catch (const cl::Error&) {
        return {};
    }
}

std::string clean(const std::string& text) {
    return to_utf8(trim(text));
}

template <int kParameter>
std::string ask_platform(const cl::Platform& platform) {
    try {
        return clean(platform.getInfo<kParameter>());
    } catch (const cl::Error&) {
        return {};
    }
}

DeviceKind kind_of(cl_device_type type) {
    if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceKind::Gpu;
    if ((type & CL_DEVICE_TYPE_CPU) != 0) return DeviceKind::Cpu;
    if ((type & CL_DEVICE_TYPE_ACCELERATOR) != 0) return DeviceKind::Accelerator;
    return DeviceKind::Other;
}

bool has_word(const std::string& words, std::string_view word) {
    for (const std::string& found : split(words, ' '))
        if (found == word) return true;
    return false;
}

DriverFailure failure(const std::string& platform_name, const cl::Error& error) {
    const ClError explained = explain_status(error.what(), error.err());
    const std::string who = platform_name.empty() ? "" : platform_name + ": ";
    return {"", who + explained.what(), DriverFailure::Kind::Refused, platform_name};
}

DriverFailure without_compiler(const std::string& device_name) {
    return {"",
            "its device '" + device_name +
                "' has no compiler to build kernels from source. Install the driver's compiler or choose "
                "another device",
            DriverFailure::Kind::NoCompiler, device_name};
}

/// A clause with the reason why the loader cannot use a driver's library; nullopt if it can.
std::optional<std::string> find_library_fault(const std::string& library) {
    void* const handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* const why = ::dlerror();
        return "it cannot be loaded (" + clean(why != nullptr ? why : library) + ")";
    }
    // Never closed, because drivers do not expect that. The function name is from the extension cl_khr_icd.
    if (::dlsym(handle, "clGetExtensionFunctionAddress") == nullptr) return "it is not an OpenCL driver";
    return std::nullopt;
}

DeviceInfo describe_device(const cl::Device& device, const std::string& id) {
    DeviceInfo info;
    info.id = id;
    info.name = clean(ask<CL_DEVICE_NAME>(device));
    info.vendor = clean(ask<CL_DEVICE_VENDOR>(device));
    info.kind = kind_of(ask<CL_DEVICE_TYPE>(device));
    const cl::Platform platform(ask<CL_DEVICE_PLATFORM>(device));
    info.platform = ask_platform<CL_PLATFORM_NAME>(platform);
    info.platform_version = ask_platform<CL_PLATFORM_VERSION>(platform);
    info.device_version = clean(ask<CL_DEVICE_VERSION>(device));
    info.driver_version = clean(ask<CL_DRIVER_VERSION>(device));
    info.opencl_c = clean(ask<CL_DEVICE_OPENCL_C_VERSION>(device));
    info.compute_units = ask<CL_DEVICE_MAX_COMPUTE_UNITS>(device);
    info.max_clock_mhz = ask<CL_DEVICE_MAX_CLOCK_FREQUENCY>(device);
    info.max_work_group_size = ask<CL_DEVICE_MAX_WORK_GROUP_SIZE>(device);
    for (const std::size_t size : ask<CL_DEVICE_MAX_WORK_ITEM_SIZES>(device))
        info.max_work_item_sizes.push_back(size);
    info.local_mem_bytes = ask<CL_DEVICE_LOCAL_MEM_SIZE>(device);
    info.local_mem_dedicated = ask<CL_DEVICE_LOCAL_MEM_TYPE>(device) == CL_LOCAL;
    info.global_mem_bytes = ask<CL_DEVICE_GLOBAL_MEM_SIZE>(device);
    info.max_alloc_bytes = ask<CL_DEVICE_MAX_MEM_ALLOC_SIZE>(device);
    info.max_constant_bytes = ask<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>(device);
    constexpr std::uint64_t kLargestType = 128;  // long16, the minimum alignment in the specification
    info.base_align_bytes = ask<CL_DEVICE_MEM_BASE_ADDR_ALIGN>(device) / 8;
    if (info.base_align_bytes == 0) info.base_align_bytes = kLargestType;
    info.cache_line_bytes = ask<CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE>(device);
    if (info.kind == DeviceKind::Cpu)  // OpenCL reports one cache, and drivers differ in which
        info.second_level_cache_bytes =
            static_cast<std::uint64_t>(std::max(::sysconf(_SC_LEVEL2_CACHE_SIZE), 0L));
    info.native_float_width = ask<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>(device);
    info.timer_resolution_ns = ask<CL_DEVICE_PROFILING_TIMER_RESOLUTION>(device);
    if (ask<CL_DEVICE_IMAGE_SUPPORT>(device) == CL_TRUE)
        info.images = {ask<CL_DEVICE_IMAGE2D_MAX_WIDTH>(device), ask<CL_DEVICE_IMAGE2D_MAX_HEIGHT>(device)};
    info.extensions = clean(ask<CL_DEVICE_EXTENSIONS>(device));
    info.has_fp64 = has_word(info.extensions, "cl_khr_fp64");
    info.has_fp16 = has_word(info.extensions, "cl_khr_fp16");
    // Older devices do not support this query; for 2.x devices the build would need another -cl-std.
    info.has_work_group_functions = info.device_version.starts_with("OpenCL 3.") &&
                                    ask<CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT>(device) == CL_TRUE;
    info.has_sub_groups =
        has_word(info.extensions, "cl_khr_subgroups") ||
        (info.device_version.starts_with("OpenCL 3.") && ask<CL_DEVICE_MAX_NUM_SUB_GROUPS>(device) > 0);
    return info;
}

}  // namespace

std::string platform_short_name(std::string_view platform_name) {
    constexpr std::array<std::array<std::string_view, 2>, 8> kNames = {
        {{"portable computing language", "pocl"},
         {"pocl", "pocl"},
         {"nvidia", "nvidia"},
         {"amd", "amd"},
         {"intel", "intel"},
         {"rusticl", "rusticl"},
         {"clover", "clover"},
         {"apple", "apple"}}};
    const std::string lower = to_lower(platform_name);
    for (const auto& [part, short_name] : kNames)
        if (lower.find(part) != std::string::npos) return std::string(short_name);
    std::string slug;
    for (const char c : lower) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            slug += c;
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    while (slug.ends_with('-')) slug.pop_back();
    return slug.empty() ? "unknown" : slug;
}

FoundDevices find_devices(const std::string& library) {
    FoundDevices found;
    std::vector<cl::Platform> platforms;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error& error) {
        if (error.err() != CL_PLATFORM_NOT_FOUND_KHR) found.list.failures.push_back(failure("", error));
    }
    if (platforms.empty() && found.list.failures.empty() && !library.empty()) {
        if (const auto fault = find_library_fault(library))
            found.list.failures.push_back({"", *fault, DriverFailure::Kind::NotLoaded});
        else
            found.list.idle_drivers.push_back({});
    }
    std::map<std::string, unsigned> counts;  // two platforms may have the same short name
    for (const cl::Platform& platform : platforms) {
        const std::string name = ask_platform<CL_PLATFORM_NAME>(platform);
        const std::string short_name = platform_short_name(name);
        std::vector<cl::Device> devices;
        try {
            platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
            // The bindings return an empty list for "none found".
            if (devices.empty()) found.list.idle_drivers.push_back({"", name});
        } catch (const cl::Error& error) {
            found.list.failures.push_back(failure(name, error));
        }
        for (const cl::Device& device : devices) {
            if (ask<CL_DEVICE_COMPILER_AVAILABLE>(device) == CL_FALSE) {
                found.list.failures.push_back(without_compiler(clean(ask<CL_DEVICE_NAME>(device))));
                continue;
            }
            found.handles.push_back(device);
            const std::string number = std::to_string(counts[short_name]++);
            found.list.devices.push_back(describe_device(device, short_name + ":" + number));
        }
    }
    return found;
}

}  // namespace kwb
