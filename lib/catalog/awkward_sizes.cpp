#include "catalog/awkward_sizes.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "problems/awkward.hpp"

namespace kwb {
namespace {

/// In the order of a problem's sizes: exchanged ones show.
constexpr std::array<std::int64_t, 6> kPrimes = {61, 127, 29, 13, 17, 7};

class Lister {
public:
    Lister(const ProblemSpec& spec, std::int64_t tile) : spec_(spec), tile_(tile) {
        for (std::size_t i = 0; i < spec.sizes.size(); ++i)
            if (spec.sizes[i].value.awkward.empty()) free_.push_back(i);
    }

    std::vector<Sizes> list() {
        if (free_.size() == 1)
            list_lengths();
        else if (!free_.empty())
            list_extents();
        for (std::size_t i = 0; i < spec_.sizes.size(); ++i)
            for (const std::int64_t value : spec_.sizes[i].value.awkward) {
                Sizes sizes = primes();
                sizes[i].value = value;
                add(std::move(sizes));
            }
        return std::move(all_);
    }

private:
    Sizes all_at(std::int64_t edge) const {
        Sizes sizes;
        for (const auto& [name, size] : spec_.sizes)
            sizes.push_back({name, size.awkward.empty() ? std::max<std::int64_t>(1, edge) : size.usual});
        return sizes;
    }
    Sizes one_at(std::size_t one, std::int64_t value, std::int64_t others) const {
        Sizes sizes = all_at(others);
        sizes[one].value = std::max<std::int64_t>(1, value);
        return sizes;
    }
    Sizes primes() const {
        Sizes sizes = all_at(1);
        for (std::size_t i = 0; i < free_.size(); ++i) sizes[free_[i]].value = kPrimes[i % kPrimes.size()];
        return sizes;
    }
    void add(Sizes sizes) {
        if (std::find(all_.begin(), all_.end(), sizes) == all_.end()) all_.push_back(std::move(sizes));
    }

    void list_lengths() {
        for (const std::int64_t length : awkward_lengths(tile_)) add(all_at(length));
    }

    void list_extents() {
        for (const std::int64_t edge : awkward_edges(tile_)) add(all_at(edge));
        add(primes());
        for (const std::size_t one : free_) {
            add(one_at(one, 1, 64));
            add(one_at(one, 1009, 7));
            add(one_at(one, tile_ + 1, 2 * tile_));
        }
    }

    const ProblemSpec& spec_;
    std::int64_t tile_;
    std::vector<std::size_t> free_;  ///< sizes without values of their own
    std::vector<Sizes> all_;
};

}  // namespace

std::vector<Sizes> list_awkward_sizes(const ProblemSpec& spec, std::int64_t tile) {
    expects(tile >= 1, "list_awkward_sizes: tile must be at least 1");
    return Lister(spec, tile).list();
}

}  // namespace kwb
