// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <utility>

#include "reason/reasons.hpp"
#include "reason/tally.hpp"

namespace kwb {
namespace {

/// Blocks that all lanes execute dilute the average over all blocks.
constexpr double kLeastLanesFactor = 1.1;

// How much a difference weighs: cycles of a sub-group on a GPU, in a coarse model that only orders reasons.
constexpr double kCyclesOfAccess = 4;  ///< by a sub-group, whatever it moves
constexpr double kCyclesOfSector = 4;
constexpr double kCyclesOfAtomic = 16;  ///< of one work-item, on global memory
constexpr double kCyclesOfLocalAtomic = 4;
constexpr double kCyclesOfBarrier = 16;  ///< of one work-group
constexpr double kCyclesOfBlock = 4;     ///< a basic block, executed by a sub-group
constexpr double kCyclesOfLaunch = 5000;
constexpr double kComputeUnits = 64;  ///< of a GPU; fewer work-groups leave some idle
constexpr double kSubGroup = 32;

double cycles_of(const Tally& tally) {
    return kCyclesOfSector * tally.sector_bytes / kSectorBytes + kCyclesOfAtomic * tally.global_atomics +
           kCyclesOfLocalAtomic * tally.local_atomics + tally.bank_cycles +
           kCyclesOfBarrier * tally.barriers + kCyclesOfBlock * tally.sub_group_blocks;
}

/// @return  0: there is nothing to compare
double ratio(double above, double below) {
    return below > 0 ? above / below : 0;
}

using Places = std::vector<XrayPlace> Tally::Places::*;

class Comparison {
public:
    Comparison(const Tally& faster, const Tally& slower) : faster_(faster), slower_(slower) {
        for (const Tally* tally : {&faster_, &slower_})
            cycles_ = std::max(cycles_, cycles_of(*tally) + kCyclesOfLaunch * tally->launches.value_or(0));
    }

    /// The functions take a Tally.
    /// @param cost    of `value`; of equal costs there is no reason, nor where one of them is not known: 0
    /// @param cycles  of what is counted
    void add(ReasonKind kind, const auto& value, const auto& cost, const auto& cycles,
             Places places = nullptr, double least_factor = kLeastCountedFactor) {
        if (value(faster_) > 0 && value(slower_) > 0)
            add_any(kind, value, cost, cycles, places, least_factor);
    }

    /// The same, where 0 is a count.
    void add_any(ReasonKind kind, const auto& value, const auto& cost, const auto& cycles,
                 Places places = nullptr, double least_factor = kLeastCountedFactor) {
        const double fast = cost(faster_), slow = cost(slower_);
        const double low = std::min(fast, slow), high = std::max(fast, slow);
        if (high <= 0 || (low > 0 && high / low < least_factor)) return;
        Reason reason;
        reason.kind = kind;
        reason.faster.value = value(faster_);
        reason.slower.value = value(slower_);
        if (places != nullptr) {
            reason.faster.places = faster_.places.*places;
            reason.slower.places = slower_.places.*places;
        }
        reason.is_for = slow > fast;
        reason.is_scaled = faster_.is_sampled || slower_.is_sampled;
        const Tally &more = reason.is_for ? slower_ : faster_, &less = reason.is_for ? faster_ : slower_;
        reason.weight = (cycles(more) - cycles(less)) / cycles_;
        reasons_.push_back(std::move(reason));
    }

    std::vector<Reason> take() {
        constexpr double kLeastWeight = 0.02;
        std::erase_if(reasons_, [](const Reason& reason) { return reason.weight < kLeastWeight; });
        std::ranges::stable_sort(reasons_, std::ranges::greater(), &Reason::weight);
        return std::move(reasons_);
    }

private:
    const Tally& faster_;
    const Tally& slower_;
    double cycles_ = 1;
    std::vector<Reason> reasons_;
};

void compare_memory(Comparison& comparison) {
    const auto bytes = [](const Tally& tally) { return tally.requested_bytes; };
    comparison.add_any(
        ReasonKind::GlobalTraffic, bytes, bytes,
        [](const Tally& tally) { return kCyclesOfSector * tally.requested_bytes / kSectorBytes; },
        &Tally::Places::accesses);
    const auto fetched = [](const Tally& tally) {
        return ratio(tally.requested_bytes + tally.wasted_bytes, tally.requested_bytes);
    };
    comparison.add(
        ReasonKind::Coalescing, fetched, fetched,
        [](const Tally& tally) { return kCyclesOfSector * tally.wasted_bytes / kSectorBytes; },
        &Tally::Places::scattered);
    const auto width = [](const Tally& tally) { return ratio(tally.requested_bytes, tally.accesses); };
    comparison.add(
        ReasonKind::Width, width, [&](const Tally& tally) { return 1 / width(tally); },
        [](const Tally& tally) { return kCyclesOfAccess * tally.accesses / kSubGroup; },
        &Tally::Places::accesses);
    const auto local = [](const Tally& tally) { return tally.local_bytes; };
    comparison.add(
        ReasonKind::LocalTraffic, local, local, [](const Tally& tally) { return tally.ideal_bank_cycles; },
        &Tally::Places::local);
    const auto conflicts = [](const Tally& tally) {
        return ratio(tally.bank_cycles, tally.ideal_bank_cycles);
    };
    comparison.add(
        ReasonKind::BankConflicts, conflicts, conflicts,
        [](const Tally& tally) { return tally.bank_cycles - tally.ideal_bank_cycles; },
        &Tally::Places::conflicting);
}

void compare_work(Comparison& comparison) {
    const auto active = [](const Tally& tally) { return ratio(tally.blocks, tally.block_lanes); };
    comparison.add(
        ReasonKind::Divergence, active, [&](const Tally& tally) { return 1 / active(tally); },
        [&](const Tally& tally) { return kCyclesOfBlock * tally.sub_group_blocks * (1 - active(tally)); },
        &Tally::Places::divergent, kLeastLanesFactor);
    const auto blocks = [](const Tally& tally) { return tally.blocks; };
    comparison.add(
        ReasonKind::Work, blocks, blocks,
        [&](const Tally& tally) { return kCyclesOfBlock * blocks(tally) / kSubGroup; },
        &Tally::Places::executed);
}

void compare_waiting(Comparison& comparison) {
    const auto atomics = [](const Tally& tally) { return tally.global_atomics; };
    comparison.add_any(
        ReasonKind::Atomicity, atomics, atomics,
        [&](const Tally& tally) { return kCyclesOfAtomic * atomics(tally); }, &Tally::Places::atomic);
    const auto local_atomics = [](const Tally& tally) { return tally.local_atomics; };
    comparison.add(
        ReasonKind::LocalAtomicity, local_atomics, local_atomics,
        [&](const Tally& tally) { return kCyclesOfLocalAtomic * local_atomics(tally); },
        &Tally::Places::local_atomic);
    const auto same = [](const Tally& tally) {
        return ratio(tally.same_address_atomics, tally.sub_group_atomics);
    };
    comparison.add(
        ReasonKind::Contention, same, same,
        [](const Tally& tally) { return kCyclesOfLocalAtomic * tally.same_address_atomics; },
        &Tally::Places::atomic);
    const auto barriers = [](const Tally& tally) { return tally.barriers; };
    comparison.add_any(ReasonKind::Barriers, barriers, barriers,
                       [](const Tally& tally) { return kCyclesOfBarrier * tally.barriers; });
}

void compare_launches(Comparison& comparison) {
    const auto launches = [](const Tally& tally) { return tally.launches.value_or(0); };
    comparison.add(ReasonKind::Launches, launches, launches,
                   [&](const Tally& tally) { return kCyclesOfLaunch * launches(tally); });
    const auto most = [](const Tally& tally) { return tally.groups ? tally.groups->most : 0; };
    const auto busy_share = [&](const Tally& tally) { return std::min(most(tally) / kComputeUnits, 1.0); };
    comparison.add(
        ReasonKind::WorkGroups, most, [&](const Tally& tally) { return 1 / busy_share(tally); },
        [&](const Tally& tally) { return cycles_of(tally) * (1 - busy_share(tally)); });
    const auto filled_share = [](const Tally& tally) { return tally.groups->items / tally.groups->lanes; };
    comparison.add(
        ReasonKind::GroupSize, [](const Tally& tally) { return tally.groups ? tally.groups->items : 0; },
        [&](const Tally& tally) { return 1 / filled_share(tally); },
        [&](const Tally& tally) {
            return kCyclesOfBlock * tally.sub_group_blocks * (1 - filled_share(tally));
        });
}

/// These are facts about the launches, whichever work-groups were observed.
bool is_of_launches(ReasonKind kind) {
    return kind == ReasonKind::Launches || kind == ReasonKind::WorkGroups || kind == ReasonKind::GroupSize;
}

}  // namespace

std::vector<Reason> counted_reasons(const KernelResult& faster, const KernelResult& slower) {
    if (!faster.xray || !slower.xray || !faster.xray->counts || !slower.xray->counts) return {};
    const Tally fast = tally_of(faster), slow = tally_of(slower);
    Comparison comparison(fast, slow);
    compare_memory(comparison);
    compare_work(comparison);
    compare_waiting(comparison);
    compare_launches(comparison);
    std::vector<Reason> reasons = comparison.take();
    for (Reason& reason : reasons) reason.is_scaled = reason.is_scaled && !is_of_launches(reason.kind);
    return reasons;
}

}  // namespace kwb
