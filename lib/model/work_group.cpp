#include "model/work_group.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kwb {

std::uint64_t count_items(const std::vector<std::uint64_t>& shape) {
    std::uint64_t items = 1;
    bool overflows = false;
    for (const std::uint64_t size : shape) {
        if (size == 0) return 0;
        overflows = __builtin_mul_overflow(items, size, &items) || overflows;
    }
    return overflows ? UINT64_MAX : items;
}

std::vector<std::uint64_t> shrink_work_group(std::vector<std::uint64_t> shape, std::uint64_t max_items,
                                             const std::vector<std::uint64_t>& max_sizes) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::uint64_t limit = d < max_sizes.size() && max_sizes[d] > 0 ? max_sizes[d] : UINT64_MAX;
        shape[d] = std::max<std::uint64_t>(1, std::min({shape[d], limit, max_items}));
    }
    // Of two that are equally long the later one: neighbours along x read memory together.
    while (count_items(shape) > std::max<std::uint64_t>(1, max_items))
        *std::max_element(shape.rbegin(), shape.rend()) /= 2;
    return shape;
}

std::string describe_fit(const std::vector<std::uint64_t>& shape, std::uint64_t max_items,
                         const std::vector<std::uint64_t>& max_sizes) {
    const std::vector<std::uint64_t> fit = shrink_work_group(shape, max_items, max_sizes);
    std::vector<std::string> sizes;
    for (const std::uint64_t size : fit) sizes.push_back(std::to_string(size));
    const std::uint64_t items = count_items(fit);
    return join(sizes, "x") + " (" + std::to_string(items) + (items == 1 ? " work-item" : " work-items") +
           ") would fit";
}

}  // namespace kwb
