#include "catalog/work_group.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "model/work_group.hpp"

namespace kwb {

std::optional<Finding> find_shape_fault(const LaunchPlan& plan, const DeviceInfo& device) {
    expects(plan.local && plan.local->size() == plan.global.size() && plan.global.size() <= 3,
            "find_shape_fault: as many local as global extents");
    const std::vector<std::uint64_t>& local = *plan.local;
    const std::uint64_t items = count_items(local);
    const std::uint64_t most = device.max_work_group_size != 0 ? device.max_work_group_size : UINT64_MAX;
    const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
    const auto too_large = [&](FindingCode code, NamedList<double> numbers) {
        const std::vector<std::uint64_t> fit = shrink_work_group(local, most, device.max_work_item_sizes);
        numbers.push_back({"fit_items", number(count_items(fit))});
        return Finding{.code = code,
                       .subject = format_extents(local),
                       .numbers = std::move(numbers),
                       .remedy = Remedy{RemedyKind::WorkGroup, format_extents(fit)}};
    };
    for (std::size_t d = 0; d < local.size(); ++d)
        if (d < device.max_work_item_sizes.size() && local[d] > device.max_work_item_sizes[d])
            return too_large(FindingCode::WorkGroupTooLong,
                             {{"axis", number(d)}, {"most", number(device.max_work_item_sizes[d])}});
    if (items > most)
        return too_large(FindingCode::WorkGroupTooLarge, {{"items", number(items)}, {"most", number(most)}});

    for (std::size_t d = 0; d < local.size(); ++d)
        if (plan.global[d] % local[d] != 0)
            return Finding{.code = FindingCode::WorkGroupRemainder,
                           .subject = format_extents(local),
                           .numbers = {{"axis", number(d)},
                                       {"global", number(plan.global[d])},
                                       {"local", number(local[d])},
                                       {"rest", number(plan.global[d] % local[d])}},
                           .texts = {{"global", format_extents(plan.global)},
                                     {"kernel", plan.kernel},
                                     {"advice", advise_on_division(plan.global, local, d)}},
                           .remedy = Remedy{RemedyKind::WorkGroup}};
    return std::nullopt;
}

}  // namespace kwb
