#include "judge/constraints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace kwb {
namespace {

/// What GPUs of the usual vendors offer at least, and often at most.
constexpr std::uint64_t kTypicalGpuWorkGroup = 1024;
constexpr std::uint64_t kTypicalGpuLocalBytes = 48u << 10;

/// Drivers count with 32 bits somewhere; PoCL ends the process beyond.
constexpr std::uint64_t kMostWorkItemsAlongOne = UINT32_MAX;

std::string extents(const std::vector<std::uint64_t>& values) {
    return fmt::format("{}", fmt::join(values, "x"));
}

std::uint64_t product(const std::vector<std::uint64_t>& values) {
    std::uint64_t result = 1;
    for (const std::uint64_t value : values) result *= value;
    return result;
}

const FunctionInfo* find_function(const std::vector<FunctionInfo>& functions, const std::string& name) {
    for (const FunctionInfo& function : functions)
        if (function.name == name) return &function;
    return nullptr;
}

std::uint64_t local_bytes(const ExecuteLaunch& launch, const FunctionInfo* function) {
    std::uint64_t bytes = function != nullptr ? function->info.local_mem_bytes : 0;
    for (const Argument& argument : launch.arguments)
        if (const auto* local = std::get_if<LocalArgument>(&argument)) bytes += local->bytes;
    return bytes;
}

std::optional<std::string> check_work_group(const ExecuteLaunch& launch, const FunctionInfo* function,
                                            const DeviceInfo& device) {
    for (std::size_t d = 0; d < launch.global.size(); ++d)
        if (launch.global[d] == 0)
            return fmt::format("{}: the global size {} has an extent of 0; there is nothing to launch",
                               launch.kernel, extents(launch.global));
    for (const std::uint64_t extent : launch.global)
        if (extent > kMostWorkItemsAlongOne)
            return fmt::format("{}: the global size {} is beyond what drivers take, {} along one dimension",
                               launch.kernel, extents(launch.global), kMostWorkItemsAlongOne);
    if (function != nullptr && !function->required_local.empty()) {
        std::vector<std::uint64_t> required = function->required_local;
        required.resize(launch.global.size());
        if (launch.local != required)
            return fmt::format(
                "{}: the source demands a work-group of {} (reqd_work_group_size), but it is {}",
                launch.kernel, extents(required),
                launch.local.empty() ? "left to the driver" : extents(launch.local));
    }
    if (launch.local.empty()) return std::nullopt;

    const std::uint64_t items = product(launch.local);
    if (items == 0)
        return fmt::format("{}: the work-group {} has an extent of 0", launch.kernel, extents(launch.local));
    if (items > device.max_work_group_size)
        return fmt::format(
            "{}: a work-group of {} has {} work-items, but {} takes at most {}; choose a smaller --local",
            launch.kernel, extents(launch.local), items, device.name, device.max_work_group_size);
    for (std::size_t d = 0; d < launch.local.size() && d < device.max_work_item_sizes.size(); ++d)
        if (launch.local[d] > device.max_work_item_sizes[d])
            return fmt::format(
                "{}: the work-group {} has extent {} in dimension {}, but {} takes at most {} there",
                launch.kernel, extents(launch.local), launch.local[d], d, device.name,
                device.max_work_item_sizes[d]);
    if (function != nullptr && function->info.work_group_size > 0 && items > function->info.work_group_size)
        return fmt::format(
            "{}: a work-group of {} has {} work-items, but this kernel can have at most {} on {}, because of "
            "the "
            "registers it needs; choose a smaller --local",
            launch.kernel, extents(launch.local), items, function->info.work_group_size, device.name);
    for (std::size_t d = 0; d < launch.local.size(); ++d)
        if (launch.global[d] % launch.local[d] != 0)
            return fmt::format(
                "{}: the global size {} is not a multiple of the work-group {} in dimension {}: {} / {} "
                "leaves {}; "
                "round global up, e.g. round_up(N, local.x), and guard the edge in the kernel",
                launch.kernel, extents(launch.global), extents(launch.local), d, launch.global[d],
                launch.local[d], launch.global[d] % launch.local[d]);
    return std::nullopt;
}

}  // namespace

std::optional<std::string> find_memory_constraint(const Layout& layout, const DeviceInfo& device) {
    for (const Slot& slot : layout.slots)
        if (slot.whole_bytes() > device.max_alloc_bytes)
            return fmt::format(
                "buffer {} needs {}, but {} allows at most {} in one buffer; choose a smaller --size",
                slot.name, format_bytes(slot.bytes()), device.name, format_bytes(device.max_alloc_bytes));
    if (layout.total_bytes() > device.global_mem_bytes)
        return fmt::format("all buffers together need {}, but {} has {} of memory; choose a smaller --size",
                           format_bytes(layout.total_bytes()), device.name,
                           format_bytes(device.global_mem_bytes));
    return std::nullopt;
}

std::optional<std::string> find_launch_constraint(const std::vector<ExecuteLaunch>& launches,
                                                  const std::vector<FunctionInfo>& functions,
                                                  const DeviceInfo& device) {
    for (const ExecuteLaunch& launch : launches) {
        const FunctionInfo* function = find_function(functions, launch.kernel);
        if (auto found = check_work_group(launch, function, device)) return found;
        const std::uint64_t bytes = local_bytes(launch, function);
        if (bytes > device.local_mem_bytes)
            return fmt::format("{}: a work-group needs {} of local memory, but {} has {}; use smaller tiles",
                               launch.kernel, format_bytes(bytes), device.name,
                               format_bytes(device.local_mem_bytes));
    }
    return std::nullopt;
}

std::vector<std::string> find_portability_warnings(const std::vector<ExecuteLaunch>& launches,
                                                   const std::vector<FunctionInfo>& functions) {
    std::vector<std::string> warnings;
    for (const ExecuteLaunch& launch : launches) {
        if (product(launch.local) > kTypicalGpuWorkGroup)
            warnings.push_back(
                fmt::format("{}: a work-group of {} fits this device, but most GPUs take at most {}",
                            launch.kernel, extents(launch.local), kTypicalGpuWorkGroup));
        const std::uint64_t bytes = local_bytes(launch, find_function(functions, launch.kernel));
        if (bytes > kTypicalGpuLocalBytes)
            warnings.push_back(
                fmt::format("{}: {} of local memory fit this device, but many GPUs have only {}",
                            launch.kernel, format_bytes(bytes), format_bytes(kTypicalGpuLocalBytes)));
    }
    return warnings;
}

}  // namespace kwb
