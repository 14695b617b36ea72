// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "reason/reasons.hpp"

namespace kwb {
namespace {

/// Smaller factors are no difference that a learner should look at.
constexpr double kLeastFactor = 1.25;

// How much a difference weighs: cycles of a sub-group on a GPU, in a coarse model that only orders reasons.
constexpr double kCyclesOfSector = 4;
constexpr double kCyclesOfAtomic = 16;   ///< of one work-item
constexpr double kCyclesOfBarrier = 16;  ///< of one work-group
constexpr double kCyclesOfBlock = 4;     ///< a basic block, executed by a sub-group

double real(std::uint64_t value) {
    return static_cast<double>(value);
}

/// Sums over all launches.
struct Tally {
    double requested_bytes = 0;  ///< of global memory
    double sector_bytes = 0;
    double wasted_bytes = 0;  ///< of sectors, beyond what each access requests
    double atomics = 0;       ///< of work-items
    double bank_cycles = 0, ideal_bank_cycles = 0;
    double barriers = 0;
    double executions = 0, lanes = 0;  ///< of basic blocks: work-items, and the lanes of their sub-groups
    double blocks = 0;                 ///< by sub-groups
    std::vector<XrayPlace> accesses, scattered, atomic, conflicting, divergent;

    double cycles() const {
        return kCyclesOfSector * sector_bytes / kSectorBytes + kCyclesOfAtomic * atomics + bank_cycles +
               kCyclesOfBarrier * barriers + kCyclesOfBlock * blocks;
    }
};

/// Places in one line are one.
void add(std::vector<std::pair<double, XrayPlace>>& places, double weight, const XrayPlace& place) {
    const auto known = std::ranges::find_if(places, [&](const auto& entry) {
        return entry.second.file == place.file && entry.second.line == place.line;
    });
    if (known == places.end())
        places.emplace_back(weight, place);
    else
        known->first += weight;
}

/// The most important places, in the order of the source.
std::vector<XrayPlace> top(std::vector<std::pair<double, XrayPlace>> places) {
    constexpr std::size_t kMost = 2;
    std::ranges::stable_sort(places, std::ranges::greater(), [](const auto& place) { return place.first; });
    if (places.size() > kMost) places.resize(kMost);
    std::vector<XrayPlace> sorted;
    for (auto& [weight, place] : places) sorted.push_back(std::move(place));
    std::ranges::sort(sorted);
    return sorted;
}

Tally tally_of(const XrayReport& counts) {
    Tally tally;
    std::vector<std::pair<double, XrayPlace>> accesses, scattered, atomic, conflicting, divergent;
    for (const XraySite& site : counts.sites) {
        const AddressSpace space = counts.buffers[site.buffer].space;
        if (site.kind == AccessKind::Atomic) {
            tally.atomics += real(site.executions);
            add(atomic, real(site.executions), site.place);
            continue;  // a kind of its own
        }
        if (space == AddressSpace::Local) {
            tally.bank_cycles += real(site.bank_cycles);
            tally.ideal_bank_cycles += real(site.ideal_bank_cycles);
            if (site.bank_cycles > site.ideal_bank_cycles)
                add(conflicting, real(site.bank_cycles - site.ideal_bank_cycles), site.place);
        } else if (space == AddressSpace::Global || space == AddressSpace::Constant) {
            const double fetched = real(site.sectors) * kSectorBytes;
            tally.requested_bytes += real(site.requested_bytes);
            tally.sector_bytes += fetched;
            tally.wasted_bytes += std::max(0.0, fetched - real(site.requested_bytes));
            add(accesses, real(site.requested_bytes), site.place);
            if (fetched > real(site.requested_bytes) * kLeastFactor)
                add(scattered, fetched - real(site.requested_bytes), site.place);
        }
    }
    for (const XrayLine& line : counts.lines) {
        tally.executions += real(line.executions);
        tally.lanes += real(line.lanes);
        tally.blocks += real(line.sub_group_executions);
        if (line.executions < line.lanes) add(divergent, real(line.lanes - line.executions), line.place);
    }
    for (const XrayLaunch& launch : counts.launches) tally.barriers += real(launch.barriers);
    tally.accesses = top(std::move(accesses));
    tally.scattered = top(std::move(scattered));
    tally.atomic = top(std::move(atomic));
    tally.conflicting = top(std::move(conflicting));
    tally.divergent = top(std::move(divergent));
    return tally;
}

bool is_sampled(const XrayReport& counts) {
    return std::ranges::any_of(
        counts.launches, [](const XrayLaunch& launch) { return launch.observed_groups < launch.groups; });
}

/// @return  0: there is nothing to compare
double ratio(double above, double below) {
    return below > 0 ? above / below : 0;
}

class Comparison {
public:
    Comparison(const Tally& faster, const Tally& slower)
        : faster_(faster), slower_(slower), cycles_(std::max(faster.cycles(), slower.cycles())) {}

    /// @param cost    value → what a larger one costs; of equal costs there is no reason
    /// @param cycles  of what is counted, in the kernel that has more of it
    void add(ReasonKind kind, const auto& value_of, const auto& cost_of, const auto& cycles_of,
             const auto& places_of) {
        const double fast = cost_of(faster_), slow = cost_of(slower_);
        const double low = std::min(fast, slow), high = std::max(fast, slow);
        if (high <= 0 || (low > 0 && high / low < kLeastFactor)) return;
        Reason reason;
        reason.kind = kind;
        reason.faster = {value_of(faster_), {}, places_of(faster_)};
        reason.slower = {value_of(slower_), {}, places_of(slower_)};
        reason.is_for = slow > fast;
        reason.weight =
            (cycles_of(slow > fast ? slower_ : faster_) - cycles_of(slow > fast ? faster_ : slower_)) /
            std::max(cycles_, 1.0);
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
    double cycles_;
    std::vector<Reason> reasons_;
};

}  // namespace

std::vector<Reason> counted_reasons(const KernelResult& faster, const KernelResult& slower) {
    if (!faster.xray || !slower.xray || !faster.xray->counts || !slower.xray->counts) return {};
    const Tally fast = tally_of(*faster.xray->counts), slow = tally_of(*slower.xray->counts);
    Comparison comparison(fast, slow);
    const auto bytes = [](const Tally& tally) { return tally.requested_bytes; };
    comparison.add(
        ReasonKind::GlobalTraffic, bytes, bytes,
        [](const Tally& tally) { return kCyclesOfSector * tally.requested_bytes / kSectorBytes; },
        [](const Tally& tally) { return tally.accesses; });
    const auto fetched = [](const Tally& tally) {
        return ratio(tally.requested_bytes + tally.wasted_bytes, tally.requested_bytes);
    };
    if (fetched(fast) > 0 && fetched(slow) > 0)
        comparison.add(
            ReasonKind::Coalescing, fetched, fetched,
            [](const Tally& tally) { return kCyclesOfSector * tally.wasted_bytes / kSectorBytes; },
            [](const Tally& tally) { return tally.scattered; });
    const auto conflicts = [](const Tally& tally) {
        return ratio(tally.bank_cycles, tally.ideal_bank_cycles);
    };
    if (conflicts(fast) > 0 && conflicts(slow) > 0)
        comparison.add(
            ReasonKind::BankConflicts, conflicts, conflicts,
            [](const Tally& tally) { return tally.bank_cycles - tally.ideal_bank_cycles; },
            [](const Tally& tally) { return tally.conflicting; });
    const auto active = [](const Tally& tally) { return ratio(tally.executions, tally.lanes); };
    if (active(fast) > 0 && active(slow) > 0)
        comparison.add(
            ReasonKind::Divergence, active, [&](const Tally& tally) { return 1 / active(tally); },
            [&](const Tally& tally) { return kCyclesOfBlock * tally.blocks * (1 - active(tally)); },
            [](const Tally& tally) { return tally.divergent; });
    const auto atomics = [](const Tally& tally) { return tally.atomics; };
    comparison.add(
        ReasonKind::Atomicity, atomics, atomics,
        [](const Tally& tally) { return kCyclesOfAtomic * tally.atomics; },
        [](const Tally& tally) { return tally.atomic; });
    const auto none = [](const Tally&) { return std::vector<XrayPlace>(); };
    const auto barriers = [](const Tally& tally) { return tally.barriers; };
    comparison.add(
        ReasonKind::Barriers, barriers, barriers,
        [](const Tally& tally) { return kCyclesOfBarrier * tally.barriers; }, none);
    std::vector<Reason> reasons = comparison.take();
    for (Reason& reason : reasons)
        reason.is_scaled = is_sampled(*faster.xray->counts) || is_sampled(*slower.xray->counts);
    return reasons;
}

}  // namespace kwb
