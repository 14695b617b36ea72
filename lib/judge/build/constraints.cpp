// SPDX-License-Identifier: Apache-2.0
#include "judge/build/constraints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "model/device_fit.hpp"
#include "model/finding_words.hpp"

namespace kwb {
namespace {

/// OpenCL does not limit private memory. PoCL keeps the private variables of a whole work-group that are live
/// across a barrier on the stack, and a thread's stack is 8 MiB. Measured with PoCL 3.1: 64 work-items with
/// 64 KiB each passed, with 256 KiB each they crashed. PoCL 3.1 reports 1024 bytes for every kernel; other
/// CPU drivers report the real size.
constexpr std::uint64_t kCpuStackBytes = 8u << 20;

/// Some drivers use 32-bit counts internally; PoCL aborts the process above this limit.
constexpr std::uint64_t kMostWorkItemsAlongOne = UINT32_MAX;

constexpr std::size_t kMostDimensions = 3;
constexpr const char* kAxes[] = {"x", "y", "z"};

std::string shape_text(const std::vector<std::uint64_t>& sizes) {
    return fmt::format("{}", fmt::join(sizes, "x"));
}

const FunctionInfo* find_function(const std::vector<FunctionInfo>& functions, const std::string& name) {
    const auto found = std::ranges::find(functions, name, &FunctionInfo::name);
    return found == functions.end() ? nullptr : &*found;
}

/// One launch with everything known about it.
struct Case {
    const Launch& launch;
    const FunctionInfo* function;  ///< may be null
    const DeviceInfo& device;

    std::uint64_t static_local_bytes() const {
        return function != nullptr ? function->info.local_mem_bytes : 0;
    }
    std::uint64_t asked_local_bytes() const {
        std::uint64_t bytes = 0;
        for (const Argument& argument : launch.arguments)
            if (const auto* local = std::get_if<LocalArgument>(&argument))
                bytes = add_bytes(bytes, local->bytes);
        return bytes;
    }
    bool demands_shape() const { return function != nullptr && !function->required_local.empty(); }

    /// The advice for a work-group that is too large.
    std::string remedy(std::uint64_t most_items) const {
        return describe_fit(launch.local, most_items, device.max_work_item_sizes) +
               (demands_shape() ? ". Change reqd_work_group_size in the source, and local with it"
                                : ". Choose another work-group, or change it in the file's front matter");
    }
};

std::optional<std::string> check_dimensions(const Case& c) {
    const std::size_t reported = c.device.max_work_item_sizes.size();
    const std::size_t most = reported == 0 ? kMostDimensions : std::min(reported, kMostDimensions);
    const std::size_t dimensions = c.launch.global.size();
    if (dimensions == 0 || dimensions > most)
        return fmt::format("{}: the global size has {} dimensions, but {} takes 1 to {}. Give fewer",
                           c.launch.kernel, dimensions, c.device.name, most);
    if (!c.launch.local.empty() && c.launch.local.size() != dimensions)
        return fmt::format(
            "{}: the work-group {} has {} dimension{}, but the global size {} has {}. Give one size for each",
            c.launch.kernel, shape_text(c.launch.local), c.launch.local.size(),
            c.launch.local.size() == 1 ? "" : "s", shape_text(c.launch.global), dimensions);
    return std::nullopt;
}

std::optional<std::string> check_global(const Case& c) {
    const std::vector<std::uint64_t>& global = c.launch.global;
    for (std::size_t d = 0; d < global.size(); ++d) {
        if (global[d] == 0)
            return fmt::format("{}: the global size {} is 0 in {}. It must be at least 1", c.launch.kernel,
                               shape_text(global), kAxes[d]);
        if (global[d] > kMostWorkItemsAlongOne)
            return fmt::format(
                "{}: the global size {} exceeds what drivers accept, {} along {}. Choose a "
                "smaller size, or let each work-item do more",
                c.launch.kernel, shape_text(global), kMostWorkItemsAlongOne, kAxes[d]);
    }
    if (count_items(global) == UINT64_MAX)
        return fmt::format("{}: the global size {} has more than 2^64 work-items. Choose a smaller size",
                           c.launch.kernel, shape_text(global));
    return std::nullopt;
}

std::optional<std::string> check_demanded_shape(const Case& c) {
    if (!c.demands_shape()) return std::nullopt;
    std::vector<std::uint64_t> wanted = c.launch.local;
    if (!wanted.empty()) wanted.resize(kMostDimensions, 1);
    std::vector<std::uint64_t> demanded = c.function->required_local;
    demanded.resize(kMostDimensions, 1);
    if (wanted == demanded) return std::nullopt;
    std::vector<std::uint64_t> shown = demanded;
    while (shown.size() > c.launch.global.size() && shown.back() == 1) shown.pop_back();
    return fmt::format(
        "{}: the source requires a work-group of {} (reqd_work_group_size), but it is {}. Only {} would fit",
        c.launch.kernel, shape_text(shown),
        c.launch.local.empty() ? "left to the driver" : shape_text(c.launch.local), shape_text(shown));
}

std::optional<std::string> check_work_group(const Case& c) {
    const std::vector<std::uint64_t>& local = c.launch.local;
    if (local.empty()) return std::nullopt;
    const std::uint64_t items = count_items(local);
    if (items == 0)
        return fmt::format("{}: the work-group {} has a size of 0. Each must be at least 1", c.launch.kernel,
                           shape_text(local));
    const std::uint64_t device_most =
        c.device.max_work_group_size > 0 ? c.device.max_work_group_size : UINT64_MAX;
    const std::uint64_t kernel_most = c.function != nullptr && c.function->info.work_group_size > 0
                                          ? c.function->info.work_group_size
                                          : UINT64_MAX;
    const std::string remedy = c.remedy(std::min(device_most, kernel_most));
    if (items > device_most)
        return fmt::format("{}: a work-group of {} has {} work-items, but {} takes at most {}. {}",
                           c.launch.kernel, shape_text(local),
                           items == UINT64_MAX ? "more than 2^64" : std::to_string(items), c.device.name,
                           device_most, remedy);
    for (std::size_t d = 0; d < local.size() && d < c.device.max_work_item_sizes.size(); ++d)
        if (c.device.max_work_item_sizes[d] > 0 && local[d] > c.device.max_work_item_sizes[d])
            return fmt::format("{}: the work-group {} has size {} in {}, but {} takes at most {} there. {}",
                               c.launch.kernel, shape_text(local), local[d], kAxes[d], c.device.name,
                               c.device.max_work_item_sizes[d], remedy);
    if (items > kernel_most)
        return fmt::format(
            "{}: a work-group of {} has {} work-items, but this kernel can have at most {} on {}, because of "
            "the registers or local memory it needs. {}",
            c.launch.kernel, shape_text(local), items, kernel_most, c.device.name, remedy);
    return std::nullopt;
}

std::optional<std::string> check_divisibility(const Case& c) {
    const std::vector<std::uint64_t>& global = c.launch.global;
    const std::vector<std::uint64_t>& local = c.launch.local;
    for (std::size_t d = 0; d < local.size(); ++d) {
        const std::uint64_t rest = global[d] % local[d];
        if (rest == 0) continue;
        return fmt::format(
            "{}: the work-group {} does not divide the global size {}: {} / {} leaves a remainder of {} in "
            "{}. {}",
            c.launch.kernel, shape_text(local), shape_text(global), global[d], local[d], rest, kAxes[d],
            advise_on_division(global, local, d, !c.demands_shape()));
    }
    return std::nullopt;
}

std::optional<std::string> check_local_memory(const Case& c) {
    const auto fault =
        find_local_memory_fault(c.launch.kernel, c.static_local_bytes(), c.asked_local_bytes(), c.device);
    return fault ? std::optional(sentence_of(*fault)) : std::nullopt;
}

std::optional<std::string> check_constant_memory(const Case& c, const Layout& layout) {
    const std::uint64_t limit = c.device.max_constant_bytes;
    if (limit == 0 || c.function == nullptr) return std::nullopt;
    const std::size_t n = std::min(c.launch.arguments.size(), c.function->arguments.size());
    for (std::size_t i = 0; i < n; ++i) {
        const KernelParameter& argument = c.function->arguments[i];
        const auto* buffer = std::get_if<BufferArgument>(&c.launch.arguments[i]);
        if (argument.space != AddressSpace::Constant || buffer == nullptr) continue;
        if (buffer->buffer >= layout.slots.size()) continue;
        const Slot& slot = layout.slots[buffer->buffer];
        const std::uint64_t bytes = multiply_bytes(slot.elements, slot.type.bytes());
        if (bytes > limit)
            return fmt::format(
                "{}: the __constant argument '{}' needs {}, but {} has {} of constant memory, where {} "
                "elements would fit. Choose a smaller size, or declare it __global const",
                c.launch.kernel, argument.name, format_bytes(bytes), c.device.name, format_bytes(limit),
                limit / slot.type.bytes());
    }
    return std::nullopt;
}

std::optional<std::string> check_images(const Case& c) {
    const std::size_t n =
        std::min(c.launch.arguments.size(), c.function != nullptr ? c.function->arguments.size() : 0);
    for (std::size_t i = 0; i < n; ++i) {
        const auto* const image = std::get_if<ImageArgument>(&c.launch.arguments[i]);
        if (image == nullptr) continue;
        const std::string what =
            fmt::format("{}: the argument '{}' is an image", c.launch.kernel, c.function->arguments[i].name);
        if (!c.device.images)
            return fmt::format("{}, but {} has no images. Choose another device", what, c.device.name);
        const ImageLimits most = *c.device.images;
        if (image->shape.width > most.width || image->shape.height > most.height)
            return fmt::format("{} of {} x {} pixels, but {} takes at most {} x {}. Choose a smaller size",
                               what, image->shape.width, image->shape.height, c.device.name, most.width,
                               most.height);
    }
    return std::nullopt;
}

}  // namespace

std::optional<Finding> find_memory_constraint(const Layout& layout, const DeviceInfo& device) {
    std::vector<BufferNeed> buffers;
    for (const Slot& slot : layout.slots)
        buffers.push_back({slot.name, multiply_bytes(slot.elements, slot.type.bytes()),
                           add_bytes(slot.front_bytes, slot.back_bytes)});
    return find_memory_fault(buffers, device);
}

std::optional<std::string> find_launch_constraint(const std::vector<Launch>& launches,
                                                  const std::vector<FunctionInfo>& functions,
                                                  const DeviceInfo& device, const Layout* layout) {
    for (const Launch& launch : launches) {
        const Case c{launch, find_function(functions, launch.kernel), device};
        for (const auto check : {check_dimensions, check_global, check_demanded_shape, check_work_group,
                                 check_divisibility, check_local_memory, check_images})
            if (auto found = check(c)) return found;
        if (layout == nullptr) continue;
        if (auto found = check_constant_memory(c, *layout)) return found;
    }
    return std::nullopt;
}

std::optional<std::string> find_shape_conflict(const std::vector<Launch>& launches,
                                               const std::vector<FunctionInfo>& functions) {
    const DeviceInfo any;
    for (const Launch& launch : launches)
        if (auto found = check_demanded_shape({launch, find_function(functions, launch.kernel), any}))
            return found;
    return std::nullopt;
}

std::vector<Finding> find_portability_warnings(const std::vector<Launch>& launches,
                                               const std::vector<FunctionInfo>& functions,
                                               const DeviceInfo& device) {
    std::vector<Finding> warnings;
    for (const Launch& launch : launches) {
        const Case c{launch, find_function(functions, launch.kernel), device};
        const std::uint64_t items = count_items(launch.local);
        for (Finding& warning : warn_of_typical_gpus(
                 launch.kernel, launch.local, add_bytes(c.static_local_bytes(), c.asked_local_bytes())))
            warnings.push_back(std::move(warning));
        const std::uint64_t own = c.function != nullptr ? c.function->info.private_mem_bytes : 0;
        if (device.kind == DeviceKind::Cpu && multiply_bytes(own, items) > kCpuStackBytes)
            warnings.push_back({.code = FindingCode::PrivateLargeForCpu,
                                .subject = launch.kernel,
                                .numbers = {{"bytes", static_cast<double>(own)},
                                            {"items", static_cast<double>(items)},
                                            {"most_bytes", static_cast<double>(kCpuStackBytes)}},
                                .remedy = Remedy{RemedyKind::WorkGroup}});
    }
    return warnings;
}

}  // namespace kwb
