#include "model/work_group.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kwb {
namespace {

/// Larger than any work-group in one dimension; bounds the search in dividing_work_group().
constexpr std::uint64_t kMostDivisor = 1u << 16;

}  // namespace

std::string format_extents(const std::vector<std::uint64_t>& extents) {
    std::vector<std::string> texts;
    for (const std::uint64_t extent : extents) texts.push_back(std::to_string(extent));
    return join(texts, "x");
}

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
    // On a tie, halve the later dimension: work-items adjacent along x make coalesced accesses.
    while (count_items(shape) > std::max<std::uint64_t>(1, max_items))
        *std::max_element(shape.rbegin(), shape.rend()) /= 2;
    return shape;
}

std::string describe_fit(const std::vector<std::uint64_t>& shape, std::uint64_t max_items,
                         const std::vector<std::uint64_t>& max_sizes) {
    const std::vector<std::uint64_t> fit = shrink_work_group(shape, max_items, max_sizes);
    return format_extents(fit) + " (" + counted(count_items(fit), "work-item") + ") would fit";
}

std::vector<std::uint64_t> dividing_work_group(const std::vector<std::uint64_t>& global,
                                               std::vector<std::uint64_t> shape) {
    for (std::size_t d = 0; d < shape.size() && d < global.size(); ++d) {
        shape[d] = std::min({shape[d], global[d], kMostDivisor});
        while (global[d] % shape[d] != 0) --shape[d];
    }
    return shape;
}

std::string advise_on_division(const std::vector<std::uint64_t>& global,
                               const std::vector<std::uint64_t>& shape, std::size_t dimension,
                               bool may_change) {
    const std::vector<std::uint64_t> divides = dividing_work_group(global, shape);
    const std::uint64_t rounded = global[dimension] - global[dimension] % shape[dimension] + shape[dimension];
    const std::string other = may_change && count_items(divides) > 1
                                  ? "choose one that divides, e.g. " + format_extents(divides) + ", or "
                                  : "";
    return other + "let the file round the global size up with round_up(…, local." + "xyz"[dimension] +
           "), to " + std::to_string(rounded) + ", and guard the edge in the kernel";
}

}  // namespace kwb
