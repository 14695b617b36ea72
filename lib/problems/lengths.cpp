#include "problems/lengths.hpp"

#include <set>

#include "base/error.hpp"

namespace kwb {
namespace {

/// Longer ones show nothing new, and cost time on a device that crawls.
constexpr std::int64_t kLongest = 100003;

}  // namespace

std::vector<Sizes> awkward_lengths(const std::string& name, std::int64_t tile) {
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
    std::vector<Sizes> all;
    for (const std::int64_t length : lengths) all.push_back({{name, length}});
    return all;
}

}  // namespace kwb
