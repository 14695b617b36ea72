#include "problems/awkward.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"

namespace kwb {
namespace {

/// Longer rows show nothing new and take long on slow devices.
constexpr std::int64_t kLongest = 100003;

}  // namespace

std::vector<std::int64_t> awkward_lengths(std::int64_t tile) {
    expects(tile >= 1, "awkward_lengths: tile must be at least 1");
    std::set<std::int64_t> lengths = {1,       2, 3, 5, 31, 97, 1009, 4096,  // a power of two
                                      kLongest};                             // a prime
    const auto around = [&](std::int64_t multiple) {
        for (const std::int64_t length : {multiple - 1, multiple, multiple + 1})
            if (length >= 1 && length <= kLongest) lengths.insert(length);
    };
    for (const std::int64_t vector : {4, 16, 128}) around(vector);
    for (const std::int64_t times : {1, 4, 16, 128})
        if (tile <= kLongest / times) around(tile * times);
    return {lengths.begin(), lengths.end()};
}

std::vector<std::int64_t> awkward_edges(std::int64_t tile) {
    expects(tile >= 1, "awkward_edges: tile must be at least 1");
    return {
        1,  2,  3,  std::max<std::int64_t>(1, tile - 1), tile, tile + 1, 4 * tile - 1, 4 * tile, 4 * tile + 1,
        31, 97, 128};
}

std::vector<Extent2> awkward_extents(std::int64_t tile) {
    std::vector<Extent2> all;
    const auto add = [&](std::int64_t rows, std::int64_t columns) {
        const Extent2 extent{rows, columns};
        if (std::find(all.begin(), all.end(), extent) == all.end()) all.push_back(extent);
    };
    for (const std::int64_t edge : awkward_edges(tile)) add(edge, edge);
    add(61, 127);             // two different primes: swapped extents show
    add(1, 257);              // one row
    add(257, 1);              // one column
    add(1009, 7);             // tall and thin
    add(5, 2003);             // long and flat
    add(tile + 1, 2 * tile);  // one edge off at a time
    add(2 * tile, tile + 1);
    return all;
}

}  // namespace kwb
