// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of device and driver records.
#pragma once

#include "base/record.hpp"
#include "model/device_info.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, ImageLimits& limits) {
    f.record("image_limits", "Largest image2d_t of a device.");
    f("width", limits.width, "Pixels.");
    f("height", limits.height, "Pixels.");
}

template <class Fields>
void describe(Fields& f, DeviceInfo& d) {
    f.record("device", "One OpenCL device. An empty text or 0 means that the driver does not report it.");
    f("id", d.id, items(1), "The value for --device, e.g. \"pocl:0\".");
    f("name", d.name, "CL_DEVICE_NAME");
    f("vendor", d.vendor, "CL_DEVICE_VENDOR");
    f("kind", d.kind);
    f("platform", d.platform, "CL_PLATFORM_NAME");
    f("platform_version", d.platform_version, "CL_PLATFORM_VERSION");
    f("device_version", d.device_version, "CL_DEVICE_VERSION");
    f("driver_version", d.driver_version, "CL_DRIVER_VERSION");
    f("opencl_c", d.opencl_c, "CL_DEVICE_OPENCL_C_VERSION");
    f("driver_file", d.driver_file, "The .icd file that names the driver; may be empty.");
    f("compute_units", d.compute_units, "Compute units; each runs work-groups independently of the others.");
    f("max_clock_mhz", d.max_clock_mhz, "Clock frequency, MHz.");
    f("max_work_group_size", d.max_work_group_size, "Largest number of work-items of one work-group.");
    f("max_work_item_sizes", d.max_work_item_sizes,
      "Largest number of work-items of one work-group in each dimension.");
    f("local_mem_bytes", d.local_mem_bytes, "Local memory of one work-group, in bytes.");
    f("local_mem_dedicated", d.local_mem_dedicated,
      "true: local memory is dedicated memory; false: it is part of global memory, as on CPUs.");
    f("global_mem_bytes", d.global_mem_bytes, "Bytes.");
    f("max_alloc_bytes", d.max_alloc_bytes, "Largest buffer, in bytes.");
    f("max_constant_bytes", d.max_constant_bytes, "Constant memory, in bytes.");
    f("base_align_bytes", d.base_align_bytes, at_most(1u << 20), "Alignment of buffers, in bytes.");
    f("cache_line_bytes", d.cache_line_bytes, "Bytes.");
    f("second_level_cache_bytes", d.second_level_cache_bytes,
      "Second-level cache of a CPU's core, in bytes; 0: unknown, or not a CPU.");
    f("native_float_width", d.native_float_width,
      "Floats that one instruction processes; 1 if each work-item is one lane.");
    f("timer_resolution_ns", d.timer_resolution_ns, "Resolution of the profiling clock, in nanoseconds.");
    f("has_fp64", d.has_fp64, "Whether kernels can use double.");
    f("has_fp16", d.has_fp16, "Whether kernels can use half.");
    f("has_work_group_functions", d.has_work_group_functions,
      "Whether kernels can use work_group_reduce_add() and the other work-group functions with "
      "-cl-std=CL3.0.");
    f("has_sub_groups", d.has_sub_groups,
      "Whether kernels can use sub_group_reduce_add() and the other sub-group functions with -cl-std=CL3.0.");
    f("images", d.images, "Largest image2d_t; null: images are unsupported.");
    f("extensions", d.extensions, "Names of extensions, separated by spaces.");
    f("sandbox", d.sandbox,
      "Isolation of kernels on this device, as a clause: what it blocks and by which means, then what it "
      "could not block; \"none (--no-sandbox)\" if it was switched off. Empty: unknown.");
    f("sandbox_mechanisms", d.sandbox_mechanisms,
      "The mechanisms that isolate kernels on this device: \"Landlock ABI 4\", \"seccomp\".");
    f("sandbox_gaps", d.sandbox_gaps, "Gaps that these mechanisms leave, each as a clause.");
}

inline constexpr const char* kDriverFileMeaning = "The .icd file that names the driver.";

template <class Fields>
void describe(Fields& f, DriverFailure& failure) {
    f.record("failure", "A driver, or one of its devices, that cannot be used.");
    f("driver_file", failure.driver_file, kDriverFileMeaning);
    f("reason", failure.reason, "What happened, and what to do about it.");
    f("kind", failure.kind);
    f("name", failure.name, "Name of the platform or the device; empty: unknown.");
}

template <class Fields>
void describe(Fields& f, IdleDriver& driver) {
    f.record("idle_driver", "A driver that responds but has no device: this machine lacks its hardware.");
    f("driver_file", driver.driver_file, kDriverFileMeaning);
    f("name", driver.name, "Name of its platform; empty: unknown.");
}

template <class Fields>
void describe(Fields& f, StartingDriver& driver) {
    f("driver_file", driver.driver_file);
    f("waited_ms", driver.waited_ms);
    f("most_ms", driver.most_ms);
}

template <class Fields>
void describe(Fields& f, DeviceList& list) {
    f("devices", list.devices);
    f("failures", list.failures, "Drivers, and single devices of drivers, that cannot be used.");
    f("idle_drivers", list.idle_drivers,
      "Drivers that respond but have no device: this machine lacks their hardware.");
    f.sent("starting", list.starting);
    f.sent("is_whole", list.is_whole);
    f("free_memory_bytes", list.free_memory_bytes,
      "Free memory of the host, which computes the references, at the time of the listing. 0: unknown.");
}

}  // namespace kwb
