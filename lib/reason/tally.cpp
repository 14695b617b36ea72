// SPDX-License-Identifier: Apache-2.0
#include "reason/tally.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace kwb {
namespace {

double as_real(std::uint64_t value) {
    return static_cast<double>(value);
}

/// Places of one line are one, with the sum of their weights.
class Weighted {
public:
    void add(double weight, const XrayPlace& place) {
        const auto known = std::ranges::find_if(places_, [&](const auto& entry) {
            return entry.second.file == place.file && entry.second.line == place.line;
        });
        if (known == places_.end())
            places_.emplace_back(weight, place);
        else
            known->first += weight;
    }

    /// The most important places, in the order of the source.
    std::vector<XrayPlace> take_top() {
        constexpr std::size_t kMost = 2;
        std::ranges::stable_sort(places_, std::ranges::greater(),
                                 [](const auto& place) { return place.first; });
        if (places_.size() > kMost) places_.resize(kMost);
        std::vector<XrayPlace> sorted;
        for (auto& [weight, place] : places_) sorted.push_back(std::move(place));
        std::ranges::sort(sorted);
        return sorted;
    }

private:
    std::vector<std::pair<double, XrayPlace>> places_;
};

void add_sites(Tally& tally, const XrayReport& counts) {
    Weighted accesses, scattered, local, conflicting, atomic, local_atomic;
    for (const XraySite& site : counts.sites) {
        const AddressSpace space = counts.buffers[site.buffer].space;
        const double requested = as_real(site.requested_bytes);
        if (site.kind == AccessKind::Atomic) {  // a kind of its own
            const bool is_local = space == AddressSpace::Local;
            (is_local ? tally.local_atomics : tally.global_atomics) += as_real(site.executions);
            if (site.same_address) tally.sub_group_atomics += as_real(site.sub_group_accesses);
            tally.same_address_atomics += as_real(site.same_address.value_or(0));
            (is_local ? local_atomic : atomic).add(as_real(site.executions), site.place);
        } else if (space == AddressSpace::Local) {
            tally.local_bytes += requested;
            local.add(requested, site.place);
            tally.bank_cycles += as_real(site.bank_cycles);
            tally.ideal_bank_cycles += as_real(site.ideal_bank_cycles);
            if (site.bank_cycles > site.ideal_bank_cycles)
                conflicting.add(as_real(site.bank_cycles - site.ideal_bank_cycles), site.place);
        } else if (space == AddressSpace::Global || space == AddressSpace::Constant) {
            const double fetched = as_real(site.sectors) * kSectorBytes;
            tally.requested_bytes += requested;
            tally.accesses += as_real(site.executions);
            tally.sector_bytes += fetched;
            tally.wasted_bytes += std::max(0.0, fetched - requested);
            accesses.add(requested, site.place);
            if (fetched > requested * kLeastCountedFactor) scattered.add(fetched - requested, site.place);
        }
    }
    tally.places.accesses = accesses.take_top();
    tally.places.scattered = scattered.take_top();
    tally.places.local = local.take_top();
    tally.places.atomic = atomic.take_top();
    tally.places.local_atomic = local_atomic.take_top();
    tally.places.conflicting = conflicting.take_top();
}

void add_lines(Tally& tally, const XrayReport& counts) {
    Weighted divergent, executed;
    for (const XrayLine& line : counts.lines) {
        if (line.executions < line.lanes) divergent.add(as_real(line.lanes - line.executions), line.place);
        executed.add(as_real(line.executions), line.place);
    }
    tally.places.divergent = divergent.take_top();
    tally.places.executed = executed.take_top();
}

void add_launches(Tally& tally, const XrayReport& counts) {
    Tally::Groups groups;
    double runs = 0, all_groups = 0;
    bool has_runs = true;
    for (const XrayLaunch& launch : counts.launches) {
        tally.barriers += as_real(launch.barriers);
        tally.is_sampled = tally.is_sampled || launch.observed_groups < launch.groups;
        has_runs = has_runs && launch.runs.has_value();
        const XrayBlocks blocks = launch.blocks.value_or(XrayBlocks{});
        tally.blocks += as_real(blocks.executions);
        tally.sub_group_blocks += as_real(blocks.sub_group_executions);
        tally.block_lanes += as_real(blocks.lanes);
        const double launched = as_real(launch.groups) * as_real(launch.runs.value_or(0));
        const std::uint64_t items =
            std::accumulate(launch.local.begin(), launch.local.end(), std::uint64_t{1}, std::multiplies<>());
        const std::uint64_t sub_groups = (items + counts.sub_group - 1) / counts.sub_group;
        runs += as_real(launch.runs.value_or(0));
        all_groups += launched;
        groups.most = std::max(groups.most, as_real(launch.groups));
        groups.items += launched * as_real(items);
        groups.lanes += launched * as_real(sub_groups * counts.sub_group);
    }
    if (!has_runs || all_groups == 0) return;
    tally.launches = runs;
    groups.items /= all_groups;
    groups.lanes /= all_groups;
    tally.groups = groups;
}

}  // namespace

Tally tally_of(const KernelResult& result) {
    const XrayReport& counts = *result.xray->counts;
    Tally tally;
    add_sites(tally, counts);
    add_lines(tally, counts);
    add_launches(tally, counts);
    // X-ray then chose a size for itself.
    if (std::ranges::any_of(result.launches, [](const LaunchResult& launch) { return launch.local.empty(); }))
        tally.groups.reset();
    return tally;
}

}  // namespace kwb
