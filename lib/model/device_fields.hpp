// Devices and drivers, described.
#pragma once

#include "base/record.hpp"
#include "model/device_info.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, DeviceInfo& d) {
    f.record("device", "One OpenCL device. Empty texts and zeros: the driver does not tell.");
    f("id", d.id, items(1), "What --device takes, e.g. \"pocl:0\".");
    f("name", d.name, "CL_DEVICE_NAME");
    f("vendor", d.vendor, "CL_DEVICE_VENDOR");
    f("kind", d.kind);
    f("platform", d.platform, "CL_PLATFORM_NAME");
    f("platform_version", d.platform_version, "CL_PLATFORM_VERSION");
    f("device_version", d.device_version, "CL_DEVICE_VERSION");
    f("driver_version", d.driver_version, "CL_DRIVER_VERSION");
    f("opencl_c", d.opencl_c, "CL_DEVICE_OPENCL_C_VERSION");
    f("driver_file", d.driver_file, "The .icd file through which the loader found the driver; may be empty.");
    f("compute_units", d.compute_units, "Work-groups run on these, independently of each other.");
    f("max_clock_mhz", d.max_clock_mhz, "MHz.");
    f("max_work_group_size", d.max_work_group_size, "Work-items.");
    f("max_work_item_sizes", d.max_work_item_sizes, "Work-items of a work-group along each dimension.");
    f("local_mem_bytes", d.local_mem_bytes, "Local memory of one work-group, bytes.");
    f("local_mem_dedicated", d.local_mem_dedicated, "false: part of global memory, as on CPUs.");
    f("global_mem_bytes", d.global_mem_bytes, "Bytes.");
    f("max_alloc_bytes", d.max_alloc_bytes, "Largest buffer, bytes.");
    f("max_constant_bytes", d.max_constant_bytes, "Constant memory, bytes.");
    f("base_align_bytes", d.base_align_bytes, at_most(1u << 20), "Alignment of buffers, bytes.");
    f("cache_line_bytes", d.cache_line_bytes, "Bytes.");
    f("native_float_width", d.native_float_width,
      "Floats that one instruction handles; 1 where each work-item has a lane of its own.");
    f("timer_resolution_ns", d.timer_resolution_ns, "Step of the profiling clock, nanoseconds.");
    f("has_fp64", d.has_fp64, "double can be used.");
    f("has_fp16", d.has_fp16, "half can be used.");
    f("has_work_group_functions", d.has_work_group_functions,
      "Whether work_group_reduce_add() and its like can be used with -cl-std=CL3.0.");
    f("extensions", d.extensions, "Separated by spaces.");
    f("sandbox", d.sandbox,
      "Isolation in force for kernels on this device, a clause: what they are kept from and by which means, "
      "then what could not be closed; \"none (--no-sandbox)\" where a person switched it off. Empty where it "
      "is not known.");
}

inline constexpr const char* kDriverFileMeaning = "The .icd file through which the loader found the driver.";

template <class Fields>
void describe(Fields& f, DriverFailure& failure) {
    f.record("failure", "A driver, or a device of it, that cannot be used.");
    f("driver_file", failure.driver_file, kDriverFileMeaning);
    f("reason", failure.reason, "What happened, and what to do.");
    f("kind", failure.kind);
    f("name", failure.name, "Of the platform or the device; empty where it told none.");
}

template <class Fields>
void describe(Fields& f, IdleDriver& driver) {
    f.record("idle_driver", "A driver that answers but has no device: its hardware is not in this machine.");
    f("driver_file", driver.driver_file, kDriverFileMeaning);
    f("name", driver.name, "Of its platform; empty where it shows none.");
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
    f("failures", list.failures, "Drivers, and single devices of them, that cannot be used.");
    f("idle_drivers", list.idle_drivers,
      "Drivers that answer but have no device: their hardware is not in this machine.");
    f.sent("starting", list.starting);
    f.sent("is_whole", list.is_whole);
    f("free_memory_bytes", list.free_memory_bytes,
      "Memory that the devices' machine had free when it was asked: references are computed there. "
      "0: not told.");
}

}  // namespace kwb
