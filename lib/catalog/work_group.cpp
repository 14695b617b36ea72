#include "catalog/work_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "model/work_group.hpp"

namespace kwb {

std::string format_extents(const std::vector<std::uint64_t>& extents) {
    return fmt::format("{}", fmt::join(extents, "x"));
}

std::string find_shape_fault(const LaunchPlan& plan, const DeviceInfo& device) {
    expects(plan.local && plan.local->size() == plan.global.size() && plan.global.size() <= 3,
            "find_shape_fault: as many local as global extents");
    const std::string shape = format_extents(*plan.local);
    constexpr std::string_view kAxes = "xyz";

    const std::uint64_t items = count_items(*plan.local);
    const std::uint64_t most = device.max_work_group_size != 0 ? device.max_work_group_size : UINT64_MAX;
    for (std::size_t d = 0; d < plan.local->size(); ++d) {
        const std::uint64_t extent = (*plan.local)[d];
        if (d < device.max_work_item_sizes.size() && extent > device.max_work_item_sizes[d])
            return fmt::format("a work-group of {} is too long in {}: the device takes at most {}; {}", shape,
                               kAxes[d], device.max_work_item_sizes[d],
                               describe_fit(*plan.local, most, device.max_work_item_sizes));
    }
    if (items > most)
        return fmt::format("a work-group of {} has {} work-items, the device takes at most {}; {}", shape,
                           items, most, describe_fit(*plan.local, most, device.max_work_item_sizes));

    for (std::size_t d = 0; d < plan.local->size(); ++d)
        if (plan.global[d] % (*plan.local)[d] != 0)
            return fmt::format(
                "work-groups of {} do not divide the {} work-items of {}: {} / {} leaves {} in {}; {}", shape,
                format_extents(plan.global), plan.kernel, plan.global[d], (*plan.local)[d],
                plan.global[d] % (*plan.local)[d], kAxes[d], advise_on_division(plan.global, *plan.local, d));
    return "";
}

}  // namespace kwb
