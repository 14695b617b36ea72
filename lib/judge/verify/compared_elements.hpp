// Compares selected elements of a large output and collects the results.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "judge/verify/output_check.hpp"

namespace kwb {

class ComparedElements {
public:
    /// @param spec  a matrix of floats
    /// @param got   its content
    ComparedElements(const BufferSpec& spec, std::span<const float> got);

    /// The same element may be compared more than once.
    /// @param bound  largest error allowed; 0: must be equal
    void compare(std::uint64_t element, double expected, double bound);

    std::uint64_t count() const { return compared_; }
    bool found_wrong() const { return !wrong_.empty(); }

    /// Wrong elements in index order, without duplicates.
    struct Wrong {
        std::uint64_t element;
        double expected;
    };
    const std::vector<Wrong>& sorted_wrong();

    /// Each cell shows its worst compared element. Requires at least one compared element in each cell.
    ErrorMap map() const { return map_; }

private:
    std::span<const float> got_;
    std::uint64_t compared_ = 0;
    std::vector<Wrong> wrong_;
    ErrorMap map_;
};

}  // namespace kwb
