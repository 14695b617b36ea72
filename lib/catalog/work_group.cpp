#include "catalog/work_group.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace kwb {

std::string format_extents(const std::vector<std::uint64_t>& extents) {
    return fmt::format("{}", fmt::join(extents, "x"));
}

std::string find_shape_fault(const LaunchPlan& plan, const DeviceInfo& device) {
    expects(plan.local && plan.local->size() == plan.global.size() && plan.global.size() <= 3,
            "find_shape_fault: as many local as global extents");
    const std::string shape = format_extents(*plan.local);
    constexpr std::string_view kAxes = "xyz";

    std::uint64_t items = 1;
    for (std::size_t d = 0; d < plan.local->size(); ++d) {
        const std::uint64_t extent = (*plan.local)[d];
        if (d < device.max_work_item_sizes.size() && extent > device.max_work_item_sizes[d])
            return fmt::format(
                "a work-group of {} is too long in {}: the device takes at most {}; choose a shorter one",
                shape, kAxes[d], device.max_work_item_sizes[d]);
        if (__builtin_mul_overflow(items, extent, &items)) items = UINT64_MAX;
    }
    if (device.max_work_group_size != 0 && items > device.max_work_group_size)
        return fmt::format(
            "a work-group of {} has {} work-items, the device takes at most {}; choose a smaller one", shape,
            items, device.max_work_group_size);

    for (std::size_t d = 0; d < plan.local->size(); ++d)
        if (plan.global[d] % (*plan.local)[d] != 0)
            return fmt::format(
                "work-groups of {} do not divide the {} work-items of {}; choose one that does, or let the "
                "file "
                "round up with round_up(…, local.{})",
                shape, format_extents(plan.global), plan.kernel, kAxes[d]);
    return "";
}

}  // namespace kwb
