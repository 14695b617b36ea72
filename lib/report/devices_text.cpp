// SPDX-License-Identifier: Apache-2.0
#include "report/tables.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace {

// Typical limits of GPUs: 1024 threads per block and 48 KiB of shared memory without opt-in. Source: CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability", capabilities 5.0 to 9.0.
constexpr std::uint64_t kGpuWorkGroupItems = 1024;
constexpr std::uint64_t kGpuLocalBytes = 48u << 10;

constexpr std::size_t kNameColumns = 16;

/// The name of a limit, then the text about it, wrapped in its own column.
std::string entry(std::string_view name, const std::string& text, const TableOptions& options) {
    const std::size_t indent = kIndent + kNameColumns;
    const std::size_t width = options.width > indent + 20 ? options.width - indent : 20;
    const std::string margin(indent, ' ');
    return "  " + pad_right(name, kNameColumns) +
           join(wrap(plain_signs(text, options), width), "\n" + margin) + "\n";
}

std::string kind_word(DeviceKind kind) {
    return kind == DeviceKind::Cpu           ? "CPU"
           : kind == DeviceKind::Gpu         ? "GPU"
           : kind == DeviceKind::Accelerator ? "accelerator"
                                             : "other kind of device";
}

std::string driver_text(const DeviceInfo& device) {
    std::string text = device.platform;
    if (!device.driver_version.empty()) text += ", driver " + device.driver_version;
    if (!device.opencl_c.empty()) text += ", " + std::string(trim(device.opencl_c));
    if (!device.driver_file.empty()) text += " (" + device.driver_file + ")";
    return text;
}

std::string units_text(const DeviceInfo& device) {
    const std::string clock =
        device.max_clock_mhz > 0 ? fmt::format(" at up to {} MHz", device.max_clock_mhz) : "";
    if (device.compute_units == 0) return "(not reported)" + clock;
    return fmt::format("{}{}; a run needs at least this many work-groups to keep all of them busy",
                       device.compute_units, clock);
}

std::string work_group_text(const DeviceInfo& device) {
    std::vector<std::string> extents;
    for (const std::uint64_t extent : device.max_work_item_sizes) extents.push_back(std::to_string(extent));
    std::string text = "at most " + counted(device.max_work_group_size, "work-item");
    if (!extents.empty()) text += ", at most " + join(extents, " × ") + " per dimension";
    return text + "; a kernel may allow fewer";
}

/// Drivers report 0 for unknown values.
std::string told_bytes(std::uint64_t bytes) {
    return bytes > 0 ? format_bytes(bytes) : "(not reported)";
}

std::string local_memory_text(const DeviceInfo& device) {
    return "at most " + told_bytes(device.local_mem_bytes) + " shared by the work-items of a work-group; " +
           (device.local_mem_dedicated ? "on the chip, faster than global memory"
                                       : "part of ordinary memory, so no faster than a cache");
}

std::string global_memory_text(const DeviceInfo& device) {
    return fmt::format("{}, one buffer at most {}; constant memory {}", told_bytes(device.global_mem_bytes),
                       told_bytes(device.max_alloc_bytes), told_bytes(device.max_constant_bytes));
}

std::string cache_line_text(const DeviceInfo& device) {
    if (device.cache_line_bytes == 0) return "";
    return fmt::format(
        "{} bytes move together, so neighbouring work-items should read neighbouring addresses",
        device.cache_line_bytes);
}

std::string cache_text(const DeviceInfo& device) {
    if (device.second_level_cache_bytes == 0) return "";
    return format_bytes(device.second_level_cache_bytes) + " of second-level cache per core";
}

std::string vector_text(const DeviceInfo& device) {
    std::string text = device.native_float_width > 1
                           ? fmt::format("{} floats in one instruction", device.native_float_width)
                           : "each work-item handles one float at a time";
    text += device.has_fp64 ? "; double supported" : "; no double";
    text += device.has_fp16 ? ", half supported" : ", no half";
    return text;
}

std::string gpu_warning(const DeviceInfo& device) {
    std::vector<std::string> parts;
    if (device.max_work_group_size > kGpuWorkGroupItems)
        parts.push_back(fmt::format("more than {} work-items in a work-group", kGpuWorkGroupItems));
    if (device.local_mem_bytes > kGpuLocalBytes)
        parts.push_back("more than " + format_bytes(kGpuLocalBytes) + " of local memory");
    if (device.kind == DeviceKind::Gpu || parts.empty()) return "";
    return "a kernel with " + enumerate(parts, "or") + " fits this device but may not fit a GPU";
}

std::string device_block(const DeviceInfo& device, const TableOptions& options) {
    std::string text = paint(printable_line(device.id), Tone::Strong, options) + "  " +
                       printable_line(device.name) + " (" + kind_word(device.kind) + ")\n";
    const std::pair<const char*, std::string> entries[] = {
        {"driver", driver_text(device)},
        {"compute units", units_text(device)},
        {"work-group", work_group_text(device)},
        {"local memory", local_memory_text(device)},
        {"global memory", global_memory_text(device)},
        {"cache line", cache_line_text(device)},
        {"cache", cache_text(device)},
        {"vectors", vector_text(device)},
        {"images", device.images ? fmt::format("at most {} x {}", device.images->width, device.images->height)
                                 : "none"},
        {"isolation", device.sandbox},
        {"note", gpu_warning(device)},
    };
    for (const auto& [name, words] : entries)
        if (!words.empty()) text += entry(name, words, options);
    return text;
}

}  // namespace

std::string describe(const IdleDriver& driver) {
    const std::string who =
        driver.name.empty() ? driver.driver_file : driver.name + " (" + driver.driver_file + ")";
    const std::string remedy =
        to_lower(driver.name) == "rusticl" ? "; RUSTICL_ENABLE=llvmpipe turns the CPU into one" : "";
    return who + " has no device in this machine" + remedy;
}

std::string devices_text(const DeviceList& list, const TableOptions& options) {
    std::string text;
    for (const DeviceInfo& device : list.devices)
        text += (text.empty() ? "" : "\n") + device_block(device, options);
    if (list.devices.empty())
        text += paragraph(
            "No OpenCL device was found. PoCL turns the CPU into one: apt install pocl-opencl-icd (then run "
            "'kwb devices' again).",
            options.width);
    for (const DriverFailure& failure : list.failures) {
        text += "\n" + paint("unusable driver: ", Tone::Warning, options) +
                printable_line(failure.driver_file) + "\n";
        text += paragraph(plain_signs(failure.reason, options), options.width, 2);
    }
    if (!list.idle_drivers.empty()) text += "\n";
    for (const IdleDriver& driver : list.idle_drivers) {
        text += paint(join(wrap(describe(driver), options.width), "\n"), Tone::Faint, options) + "\n";
    }
    return text;
}

}  // namespace kwb
