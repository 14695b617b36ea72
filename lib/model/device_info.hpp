// SPDX-License-Identifier: Apache-2.0
// An OpenCL device with the limits that matter for choosing work-groups and local memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/record.hpp"

namespace kwb {

enum class DeviceKind { Cpu, Gpu, Accelerator, Other };

template <>
inline constexpr auto kEnumNames<DeviceKind> = std::to_array<std::string_view>({"cpu", "gpu", "accelerator",
                                                                                "other"});

/// Largest image2d_t, in pixels.
struct ImageLimits {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
};

struct DeviceInfo {
    std::string id;  ///< argument of `--device`: platform short name and index, e.g. "pocl:0"
    std::string name;
    std::string vendor;
    DeviceKind kind = DeviceKind::Other;
    std::string platform;
    std::string platform_version;
    std::string device_version;  ///< "OpenCL 3.0 …"
    std::string driver_version;
    std::string opencl_c;     ///< "OpenCL C 1.2 …"
    std::string driver_file;  ///< the .icd file through which the loader found it; may be empty
    // In all numbers below, 0 means that the driver does not report the value.
    std::uint64_t compute_units = 0;
    std::uint64_t max_clock_mhz = 0;
    std::uint64_t max_work_group_size = 0;
    std::vector<std::uint64_t> max_work_item_sizes;
    std::uint64_t local_mem_bytes = 0;
    bool local_mem_dedicated = false;  ///< false: emulated in global memory, as on CPUs
    std::uint64_t global_mem_bytes = 0;
    std::uint64_t max_alloc_bytes = 0;
    std::uint64_t max_constant_bytes = 0;
    std::uint64_t base_align_bytes = 1;  ///< CL_DEVICE_MEM_BASE_ADDR_ALIGN in bytes
    std::uint64_t cache_line_bytes = 0;
    std::uint64_t second_level_cache_bytes = 0;  ///< of a core; other devices than CPUs: 0
    std::uint64_t native_float_width = 0;        ///< CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT
    std::uint64_t timer_resolution_ns = 0;
    bool has_fp64 = false;
    bool has_fp16 = false;
    bool has_work_group_functions = false;  ///< work_group_reduce_add() etc., with -cl-std=CL3.0
    bool has_sub_groups = false;            ///< sub_group_reduce_add() etc., with -cl-std=CL3.0
    std::optional<ImageLimits> images;      ///< nullopt: kernels cannot have images
    std::string extensions;                 ///< separated by spaces
    // The isolation of its kernels; set by the judge, not the driver.
    std::string sandbox;                          ///< as a clause
    std::vector<std::string> sandbox_mechanisms;  ///< those in force: "Landlock ABI 4", "seccomp"
    std::vector<std::string> sandbox_gaps;        ///< what they leave open, each a clause
};

/// A driver that works but reports no devices, because its hardware is not present. Not an error.
struct IdleDriver {
    std::string driver_file;
    std::string name;  ///< of its platform, e.g. "Clover"; empty if it reports no platform
};

/// A driver, or one of its devices, that cannot be used.
struct DriverFailure {
    enum class Kind {
        NotLoaded,   ///< the .icd file names no library, or one that is missing or broken
        Refused,     ///< the driver returned an error
        Crashed,     ///< the process died while the driver listed its devices
        Hung,        ///< the driver did not respond in time
        NoCompiler,  ///< the device cannot build kernels from source
    };
    std::string driver_file;
    std::string reason;  ///< a sentence that includes what to do next
    Kind kind = Kind::Refused;
    std::string name = {};  ///< of its platform or device; empty if unknown
};

template <>
inline constexpr auto kEnumNames<DriverFailure::Kind> =
    std::to_array<std::string_view>({"not_loaded", "refused", "crashed", "hung", "no_compiler"});
template <>
inline constexpr const char* kEnumMeaning<DriverFailure::Kind> =
    "not_loaded: the file names no library, or one that is missing or broken. refused: the driver returned "
    "an error. crashed, hung: the driver did so when it listed its devices. no_compiler: the device "
    "cannot build kernels from source.";

/// A driver that has not finished starting; its devices are not known yet.
struct StartingDriver {
    std::string driver_file;
    double waited_ms = 0;
    double most_ms = 0;  ///< timeout, after which it becomes a DriverFailure
};

struct DeviceList {
    static constexpr const char* kType = "devices";
    std::vector<DeviceInfo> devices = {};
    std::vector<DriverFailure> failures = {};
    std::vector<IdleDriver> idle_drivers = {};
    /// Free host memory at the time of the request, reported by the judge; 0: unknown.
    std::uint64_t free_memory_bytes = 0;
    std::vector<StartingDriver> starting = {};
    /// False: another list follows for the same request. The final list still has `starting` drivers if the
    /// request was cancelled; the next request continues to wait for them.
    bool is_whole = true;
};

}  // namespace kwb
