// SPDX-License-Identifier: Apache-2.0
#include "tune/neighbours.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

namespace kwb {
namespace {

constexpr std::size_t kMostLookedUp = 10'000;

}  // namespace

Neighbours::Neighbours(const Space& space) : space_(space) {
    for (const auto& [name, values] : space.params()) {
        Param& param = params_.emplace_back();
        param.is_ordered = std::ranges::all_of(
            values, [](const ParamValue& value) { return std::holds_alternative<std::int64_t>(value); });
        param.value.resize(values.size());
        std::iota(param.value.begin(), param.value.end(), std::uint16_t{0});
        if (param.is_ordered)
            std::ranges::stable_sort(
                param.value, {}, [&all = values](std::uint16_t i) { return std::get<std::int64_t>(all[i]); });
        param.rank.resize(values.size());
        for (std::size_t rank = 0; rank < values.size(); ++rank)
            param.rank[param.value[rank]] = static_cast<std::uint16_t>(rank);
    }
}

std::vector<std::uint16_t> Neighbours::moves(std::size_t p, std::uint16_t from, bool far) const {
    const Param& param = params_[p];
    const std::size_t rank = param.rank[from];
    std::vector<std::uint16_t> to;
    for (std::size_t other = 0; other < param.value.size(); ++other) {
        const bool is_step = !param.is_ordered || other + 1 == rank || other == rank + 1;
        if (other != rank && is_step != far) to.push_back(param.value[other]);
    }
    return to;
}

std::vector<std::size_t> Neighbours::of(std::size_t configuration, Distance distance) const {
    const std::span<const std::uint16_t> from = space_.indices(configuration);
    std::vector<std::uint16_t> at(from.begin(), from.end());
    std::vector<std::size_t> found;
    std::size_t looked_up = 0;
    const auto look_up = [&] {
        if (++looked_up > kMostLookedUp) return false;
        if (const auto valid = space_.find(std::span<const std::uint16_t>(at))) found.push_back(*valid);
        return true;
    };
    for (std::size_t p = 0; p < at.size(); ++p) {
        for (const std::uint16_t to : moves(p, from[p], distance == Distance::OneParameter)) {
            at[p] = to;
            if (distance != Distance::TwoSteps) {
                if (!look_up()) return found;
                continue;
            }
            for (std::size_t q = p + 1; q < at.size(); ++q) {
                for (const std::uint16_t second : moves(q, from[q], false)) {
                    at[q] = second;
                    if (!look_up()) return found;
                }
                at[q] = from[q];
            }
        }
        at[p] = from[p];
    }
    return found;
}

}  // namespace kwb
