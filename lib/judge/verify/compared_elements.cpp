#include "judge/verify/compared_elements.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "model/error_map.hpp"

namespace kwb {
namespace {

constexpr std::uint64_t kMostComparedCells = 256;

float share_of_bound(double expected, double got, double bound) {
    if (got == expected) return 0;
    const double share = std::fabs(got - expected) / bound;
    return share <= static_cast<double>(std::numeric_limits<float>::max())
               ? static_cast<float>(share)
               : std::numeric_limits<float>::infinity();  // also if `share` is NaN
}

}  // namespace

ComparedElements::ComparedElements(const BufferSpec& spec, std::span<const float> got) : got_(got) {
    expects(spec.shape.size() == 2 && got.size() == spec.elements(), "ComparedElements: not a matrix");
    map_.buffer = spec.name;
    map_.rows = static_cast<std::uint32_t>(std::min(spec.shape[0], kMostComparedCells));
    map_.columns = static_cast<std::uint32_t>(std::min(spec.shape[1], kMostComparedCells));
    map_.extents = MapExtents{spec.shape[0], spec.shape[1]};
    map_.worst_share.assign(std::size_t{map_.rows} * map_.columns, -1);  // less than every share
    map_.worst_elements.resize(map_.worst_share.size());
}

void ComparedElements::compare(std::uint64_t element, double expected, double bound) {
    ++compared_;
    const auto got = static_cast<double>(got_[element]);
    const float share = share_of_bound(expected, got, bound);
    if (share > 1) wrong_.push_back({element, expected});
    const std::size_t cell = cell_of(map_, element);
    if (share <= map_.worst_share[cell]) return;
    map_.worst_share[cell] = share;
    map_.worst_elements[cell] = {element, static_cast<double>(static_cast<float>(expected)), got};
}

const std::vector<ComparedElements::Wrong>& ComparedElements::sorted_wrong() {
    std::ranges::sort(wrong_, {}, &Wrong::element);
    const auto is_same = [](const Wrong& a, const Wrong& b) { return a.element == b.element; };
    wrong_.erase(std::unique(wrong_.begin(), wrong_.end(), is_same), wrong_.end());
    return wrong_;
}

}  // namespace kwb
