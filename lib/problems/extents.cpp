#include "problems/extents.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace kwb {

std::int64_t extent_of(const Sizes& sizes, std::string_view name) {
    const std::int64_t* const value = find_named(sizes, name);
    expects(value != nullptr && *value >= 1, "extent_of: a size is missing or below 1");
    return *value;
}

std::vector<std::string> height_words() {
    return {"height", "h", "rows", "nrows", "numrows", "ny", "dimy", "ysize", "sizey", "imageheight"};
}

std::vector<std::string> width_words() {
    return {"width", "w",    "cols",  "columns", "ncols",     "numcols",
            "nx",    "dimx", "xsize", "sizex",   "imagewidth"};
}

std::vector<Extent2> awkward_extents(std::int64_t tile) {
    expects(tile >= 1, "awkward_extents: tile must be at least 1");
    std::vector<Extent2> all;
    const auto add = [&](std::int64_t rows, std::int64_t columns) {
        const Extent2 extent{std::max<std::int64_t>(1, rows), std::max<std::int64_t>(1, columns)};
        if (std::find(all.begin(), all.end(), extent) == all.end()) all.push_back(extent);
    };
    for (const std::int64_t edge :
         {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, tile - 1, tile, tile + 1, 4 * tile - 1, 4 * tile,
          4 * tile + 1, std::int64_t{31}, std::int64_t{97}, std::int64_t{128}})
        add(edge, edge);
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
