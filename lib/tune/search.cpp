// SPDX-License-Identifier: Apache-2.0
#include "tune/search.hpp"

#include <cmath>
#include <numeric>

namespace kwb {

Untried::Untried(std::size_t configurations) : listed_(configurations), place_(configurations) {
    std::iota(listed_.begin(), listed_.end(), std::uint32_t{0});
    std::iota(place_.begin(), place_.end(), std::uint32_t{0});
}

bool Untried::remove(std::size_t configuration) {
    if (!contains(configuration)) return false;
    const std::uint32_t place = place_[configuration];
    const std::uint32_t last = listed_.back();
    listed_[place] = last;
    place_[last] = place;
    listed_.pop_back();
    place_[configuration] = static_cast<std::uint32_t>(-1);
    return true;
}

std::optional<std::size_t> Search::next() {
    if (untried_.size() == 0) return std::nullopt;
    const bool is_first = untried_.size() == size_;
    const std::size_t chosen = is_first ? 0 : choose();
    untried_.remove(chosen);
    pending_.insert(chosen);
    return chosen;
}

void Search::tell(std::size_t configuration, std::optional<double> cost_ms) {
    const bool was_pending = pending_.erase(configuration) > 0;
    if (!was_pending && !untried_.remove(configuration)) return;  // it was learned from before
    learn(configuration, cost_ms ? std::optional(std::log(*cost_ms)) : std::nullopt);
}

}  // namespace kwb
