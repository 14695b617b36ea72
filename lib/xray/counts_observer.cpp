// SPDX-License-Identifier: Apache-2.0
// Counts of whole launches: accesses per element, and how sub-groups address memory. If only some work-groups
// were observed, those of each kind represent the rest of their kind.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "xray/footprints.hpp"
#include "xray/group_kinds.hpp"
#include "xray/observer.hpp"
#include "xray/sub_group_access.hpp"

namespace kwb::xray {
namespace {

/// The numbers that are summed over the accesses of a site.
constexpr std::array kSums = {&XraySite::executions,
                              &XraySite::sub_group_accesses,
                              &XraySite::requested_bytes,
                              &XraySite::sectors,
                              &XraySite::lines,
                              &XraySite::bank_cycles,
                              &XraySite::ideal_bank_cycles,
                              &XraySite::active_lanes,
                              &XraySite::adjacent};

/// Maps are built from the groups' footprints if that takes at most this many changes.
constexpr std::uint64_t kMostChanges = 100'000'000;

std::uint64_t rounded(double count) {
    return static_cast<std::uint64_t>(std::llround(std::max(count, 0.0)));
}

/// Any positive count becomes at least 1.
std::uint32_t saturated(double count) {
    if (count <= 0) return 0;
    return static_cast<std::uint32_t>(
        std::clamp(std::round(count), 1.0, static_cast<double>(std::numeric_limits<std::uint32_t>::max())));
}

/// Estimates how many elements the unobserved groups use, if `observed` of `groups` were observed and some
/// elements were used by exactly one of those, or by exactly two. (A. Chao et al., "Rarefaction and
/// extrapolation with Hill numbers", Ecological Monographs 84, 2014, equations 9 and 18a, for species found
/// in samples.)
double count_unseen(double used_once, double used_twice, double observed, double groups) {
    if (used_once == 0) return 0;
    const double all =
        (observed - 1) / observed *
        (used_twice > 0 ? used_once * used_once / (2 * used_twice) : used_once * (used_once - 1) / 2);
    if (all <= 0) return used_once / observed * (groups - observed);
    return all * (1 - std::pow(1 - used_once / (observed * all + used_once), groups - observed));
}

class CountsObserver final : public Observer {
public:
    explicit CountsObserver(bool counts_elements) : counts_elements_(counts_elements) {}

    void begin_launch(View& view) override {
        const auto& regions = view.memory().regions();
        for (std::size_t i = counts_.size(); i < regions.size(); ++i) {
            const std::uint64_t elements = regions[i].elements();
            counts_.push_back({Elements(elements), Elements(elements), 0});
        }
        for (const Region& region : regions)
            if (region.elements() > scratch_.size()) scratch_ = LazyArray<std::uint32_t>(region.elements());
        kinds_ = GroupKinds(view.geometry());
        barriers_.fill(0);
        group_ = 0;
        launches_ = std::max<std::size_t>(launches_, view.launch() + 1);
        launch_barriers_.resize(launches_);
    }

    void begin_group(View&) override {
        ++group_;
        group_barriers_ = 0;
        is_in_group_ = true;
    }

    void access(View& view, const AccessEvent& event) override {
        if (event.is_part && event.access == Access::Read) return;  // the store changes only a component
        const Region& region = view.memory()[event.region];
        if (current_.size() <= event.site) current_.resize(event.site + 1, kNone);
        std::uint32_t number = current_[event.site];
        if (number == kNone || used_[number].region != event.region) number = number_of(view, event);
        Used& used = used_[number];
        if (!std::exchange(used.is_in_group, true)) in_group_.push_back(number);
        const std::uint64_t first = event.offset / region.element_bytes;
        const std::uint64_t last = (event.offset + event.bytes - 1) / region.element_bytes;
        if (counts_elements_)
            for (std::uint64_t element = first; element <= last; ++element) used.elements.push_back(element);
        if (used.elements.size() >= kMostUnfolded) fold(used);
        if (event.item == kGroupItem) return;
        if (used.offsets.size() < view.geometry().items) used.offsets.resize(view.geometry().items);
        used.is_used = true;
        used.offsets[event.item].push_back(event.offset);
    }

    /// Work-items meet here, however often each has accessed memory before.
    void barrier(View& view, bool /*local*/, bool /*global*/) override {
        count_sub_groups(view);
        ++group_barriers_;
    }
    void sub_group_barrier(View& view, std::uint32_t /*first*/, std::uint32_t /*last*/, bool /*local*/,
                           bool /*global*/) override {
        count_sub_groups(view);
        ++group_barriers_;
    }

    void end_group(View& view) override {
        count_sub_groups(view);
        const std::uint32_t kind = kinds_.kind_of(view.group());
        kinds_.observe(view.group());
        barriers_[kind] += group_barriers_;
        for (const std::uint32_t number : in_group_) {
            Used& used = used_[number];
            used.is_in_group = false;
            fold(used);
            count_elements(view, used, kind);
        }
        in_group_.clear();
        is_in_group_ = false;
    }

    void end_launch(View& view) override {
        is_cut_off_ = kinds_.observed() == 0;
        if (is_cut_off_ && !is_in_group_) return;
        if (is_cut_off_) end_group(view);
        if (is_in_group_) forget_group();
        std::array<double, GroupKinds::kKinds> weights{};
        for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind)
            weights[kind] = is_cut_off_ ? 1 : kinds_.weight(kind);
        for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind)
            launch_barriers_[view.launch()] += weights[kind] * static_cast<double>(barriers_[kind]);
        std::map<std::uint32_t, std::vector<Used*>> users;  // by region
        for (Used& used : used_) {
            if (used.kinds.empty()) continue;
            users[used.region].push_back(&used);
            for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind) {
                used.same_address += weights[kind] * static_cast<double>(used.kinds[kind].same_address);
                for (std::size_t i = 0; i < kSums.size(); ++i)
                    used.sums[i] += weights[kind] * static_cast<double>(used.kinds[kind].sums[i]);
            }
        }
        for (const auto& [region, of_region] : users) {
            Counts& counts = counts_[region];
            counts.groups += kinds_.groups();
            counts.basis = std::max({counts.basis, extend(counts.loads, of_region, true, weights),
                                     extend(counts.stores, of_region, false, weights)});
        }
        for (Used& used : used_) {
            used.kinds.clear();
            used.footprints = {};
        }
    }

    void add_to(XrayReport& report, View& view) const override {
        for (std::size_t i = 0; counts_elements_ && i < report.buffers.size() && i < counts_.size(); ++i)
            add_counts(report.buffers[i], counts_[i],
                       view.memory()[static_cast<std::uint32_t>(i)].elements());
        for (std::size_t i = 0; i < report.launches.size() && i < launches_; ++i)
            report.launches[i].barriers = rounded(launch_barriers_[i]);
        for (const Used& used : used_) {
            if (!used.is_site) continue;
            XraySite site = used.site;
            for (std::size_t i = 0; i < kSums.size(); ++i) site.*kSums[i] = rounded(used.sums[i]);
            if (site.kind == AccessKind::Atomic) site.same_address = rounded(used.same_address);
            const auto frequent =
                std::ranges::max_element(used.patterns, {}, [](const auto& entry) { return entry.second; });
            if (frequent != used.patterns.end()) {
                site.pattern = frequent->first.pattern;
                const auto bytes = static_cast<std::int64_t>(view.memory()[used.region].element_bytes);
                site.stride_elements = frequent->first.stride_bytes / bytes;
            }
            report.sites.push_back(site);
        }
    }

private:
    /// A limit has ended the group: those before it represent all.
    void forget_group() {
        for (const std::uint32_t number : in_group_) {
            Used& used = used_[number];
            used.is_in_group = used.is_used = false;
            used.elements.clear();
            used.folded.clear();
            for (std::vector<std::uint64_t>& offsets : used.offsets) offsets.clear();
            for (const auto sum : kSums) used.now.*sum = 0;
            used.same_address_now = 0;
        }
        in_group_.clear();
        is_in_group_ = false;
    }

    /// Between two barriers, the n-th executions of an access by the work-items of a sub-group are one access
    /// of the sub-group.
    void count_sub_groups(View& view) {
        const Geometry& geometry = view.geometry();
        std::vector<std::uint64_t> lanes;
        for (Used& used : used_) {
            if (!std::exchange(used.is_used, false)) continue;
            const bool is_local = view.memory()[used.region].space == AddressSpace::Local;
            for (const std::vector<std::uint64_t>& offsets : used.offsets)
                for (std::size_t n = 1; n < offsets.size(); ++n)
                    used.now.adjacent += offsets[n] == offsets[n - 1] + used.site.width_bytes ? 1 : 0;
            for (std::uint32_t first = 0; first < geometry.items; first += geometry.sub_group) {
                const std::uint32_t last = std::min(first + geometry.sub_group, geometry.items);
                std::size_t most = 0;
                for (std::uint32_t i = first; i < last; ++i) most = std::max(most, used.offsets[i].size());
                for (std::size_t n = 0; n < most; ++n) {
                    lanes.clear();
                    for (std::uint32_t i = first; i < last; ++i)
                        if (n < used.offsets[i].size()) lanes.push_back(used.offsets[i][n]);
                    add(used, lanes, is_local, lanes.size() == last - first ? geometry.local[0] : 0);
                }
            }
            for (std::vector<std::uint64_t>& offsets : used.offsets) offsets.clear();
        }
    }

    static constexpr std::uint32_t kNone = UINT32_MAX;
    /// A group's list of elements is folded into counts when it reaches this length.
    static constexpr std::size_t kMostUnfolded = std::size_t{1} << 20;

    /// Loads or stores of the elements of a region.
    struct Elements {
        Elements() = default;
        explicit Elements(std::uint64_t elements)
            : all(elements), now(elements), users(elements), changes(elements + 1) {}
        LazyArray<std::uint32_t> all;    ///< by all groups of the launches so far
        LazyArray<std::uint32_t> now;    ///< by the observed groups of this launch
        LazyArray<std::uint32_t> users;  ///< in this launch: the last group, and their number: see add_user()
        LazyArray<std::int64_t> changes;
        std::uint64_t first = UINT64_MAX, last = 0;  ///< those of this launch lie in [first, last)
        double once = 0, twice = 0;                  ///< elements used by one observed group, by two
        double accesses = 0;                         ///< of all launches
        double unseen = 0;                           ///< elements that are used, but not in `all`
    };
    struct Counts {
        Elements loads, stores;
        std::uint64_t groups = 0;  ///< of the launches that use the region
        CountBasis basis = CountBasis::Counted;
    };
    /// The activity of a kind's observed groups at a site.
    struct OfKind {
        std::array<std::uint64_t, kSums.size()> sums{};
        std::uint64_t same_address = 0;  ///< as in XraySite
        std::uint64_t elements = 0;
        std::uint64_t users = 0;                     ///< groups
        std::uint64_t least = UINT64_MAX, most = 0;  ///< elements of a group
    };
    /// An access in the source, to one region.
    struct Used {
        std::uint32_t region = 0;
        XraySite site;  ///< without sums
        XraySite now;   ///< the sums of the current group
        std::array<double, kSums.size()> sums{};
        std::uint64_t same_address_now = 0;
        double same_address = 0;
        bool is_site = false;  ///< work-items themselves access memory there, not only asynchronous copies
        std::map<Addressing, std::uint64_t> patterns;
        std::vector<std::vector<std::uint64_t>> offsets;  ///< since the last barrier, for each work-item
        bool is_used = false;                             ///< since then
        bool is_in_group = false;
        std::vector<std::uint64_t> elements;  ///< of the current group, in order of access
        std::vector<std::pair<std::uint64_t, std::uint64_t>> folded;  ///< earlier ones, each with its count
        std::vector<OfKind> kinds;  ///< of this launch; empty: not executed in it
        Footprints footprints;

        bool loads() const { return site.kind != AccessKind::Store; }
        bool stores() const { return site.kind != AccessKind::Load; }
    };

    std::uint32_t number_of(View& view, const AccessEvent& event) {
        const auto [entry, is_new] = numbers_.try_emplace(std::pair(event.site, event.region),
                                                          static_cast<std::uint32_t>(used_.size()));
        if (is_new) {
            Used& used = used_.emplace_back();
            used.region = event.region;
            used.site.place = view.site(event.site).place;
            used.site.kind = event.access == Access::Read    ? AccessKind::Load
                             : event.access == Access::Write ? AccessKind::Store
                                                             : AccessKind::Atomic;
            used.site.launch = view.launch();
            used.site.buffer = event.region;
            used.site.width_bytes = event.bytes;
        }
        return current_[event.site] = entry->second;
    }

    void fold(Used& used) {
        std::vector<std::uint64_t> different;
        for (const std::uint64_t element : used.elements)
            if (scratch_[element]++ == 0) different.push_back(element);
        used.elements.clear();
        if (!std::ranges::is_sorted(different)) std::ranges::sort(different);
        std::vector<std::pair<std::uint64_t, std::uint64_t>> sum;
        sum.reserve(different.size() + used.folded.size());
        auto earlier = used.folded.begin();
        for (const std::uint64_t element : different) {
            while (earlier != used.folded.end() && earlier->first < element) sum.push_back(*earlier++);
            std::uint64_t count = std::exchange(scratch_[element], 0);
            if (earlier != used.folded.end() && earlier->first == element) count += (earlier++)->second;
            sum.emplace_back(element, count);
        }
        sum.insert(sum.end(), earlier, used.folded.end());
        used.folded = std::move(sum);
    }

    void count_elements(View& view, Used& used, std::uint32_t kind) {
        if (used.kinds.empty()) used.kinds.resize(GroupKinds::kKinds);
        OfKind& of_kind = used.kinds[kind];
        for (std::size_t i = 0; i < kSums.size(); ++i)
            of_kind.sums[i] += std::exchange(used.now.*kSums[i], 0);
        of_kind.same_address += std::exchange(used.same_address_now, 0);
        std::uint64_t accesses = 0;
        std::vector<Run> runs;
        Counts& counts = counts_[used.region];
        for (const auto& [element, count] : used.folded) {
            accesses += count;
            if (!runs.empty() && runs.back().first + runs.back().length == element &&
                runs.back().count == count)
                ++runs.back().length;
            else
                runs.push_back({element, 1, count});
            if (used.loads()) add_user(counts.loads, element, count);
            if (used.stores()) add_user(counts.stores, element, count);
        }
        used.folded.clear();
        of_kind.elements += accesses;
        ++of_kind.users;
        of_kind.least = std::min(of_kind.least, accesses);
        of_kind.most = std::max(of_kind.most, accesses);
        if (!runs.empty()) used.footprints.add(view.group(), kind, std::move(runs));
    }

    void add_user(Elements& elements, std::uint64_t element, std::uint64_t count) {
        constexpr std::uint32_t kMost = 3;
        elements.now[element] += static_cast<std::uint32_t>(count);
        elements.first = std::min(elements.first, element);
        elements.last = std::max(elements.last, element + 1);
        std::uint32_t& known = elements.users[element];
        if (known / (kMost + 1) == group_) return;
        const std::uint32_t users = std::min(known % (kMost + 1) + 1, kMost);
        if (users == 1) ++elements.once;
        if (users == 2) --elements.once, ++elements.twice;
        if (users == kMost && known % (kMost + 1) == 2) --elements.twice;
        known = group_ * (kMost + 1) + users;
    }

    /// Extrapolates from the observed groups of this launch to all of them.
    CountBasis extend(Elements& elements, const std::vector<Used*>& users, bool is_load,
                      const std::array<double, GroupKinds::kKinds>& weights) {
        if (elements.last == 0) return CountBasis::Counted;
        double accesses = 0;
        bool is_uniform = true;
        for (const Used* used : users) {
            if (is_load ? !used->loads() : !used->stores()) continue;
            for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind) {
                const OfKind& of_kind = used->kinds[kind];
                accesses += weights[kind] * static_cast<double>(of_kind.elements);
                is_uniform = is_uniform && (of_kind.users == 0 || (of_kind.users == kinds_.observed(kind) &&
                                                                   of_kind.least == of_kind.most));
            }
        }
        CountBasis basis = CountBasis::Counted;
        if (is_cut_off_ || kinds_.observed() == kinds_.groups()) {
            for (std::uint64_t i = elements.first; i < elements.last; ++i)
                elements.all[i] = saturated(static_cast<double>(elements.all[i]) + elements.now[i]);
        } else if (const auto even = add_even(elements, users, is_load)) {
            basis = *even;
        } else {
            const bool is_known = is_uniform && elements.once == 0 && kinds_.has_all_kinds();
            basis = is_known ? CountBasis::Scaled : CountBasis::Estimated;
            add_uneven(elements, accesses);
        }
        elements.accesses += accesses;
        elements.now.clear();
        elements.users.clear();
        elements.first = UINT64_MAX;
        elements.last = 0;
        elements.once = elements.twice = 0;
        return basis;
    }

    /// @return  nullopt: the groups are not even
    std::optional<CountBasis> add_even(Elements& elements, const std::vector<Used*>& users, bool is_load) {
        CountBasis basis = CountBasis::Scaled;
        std::vector<std::pair<const Footprints*, Footprints::Steps>> even;
        std::uint64_t changes = 0;
        for (const Used* used : users) {
            if (is_load ? !used->loads() : !used->stores()) continue;
            const auto steps = used->footprints.find_steps(kinds_);
            if (!steps) return std::nullopt;
            if (!used->footprints.is_known(kinds_, *steps)) basis = CountBasis::Estimated;
            even.emplace_back(&used->footprints, *steps);
            changes += used->footprints.cost(kinds_, *steps);
        }
        if (changes > kMostChanges) return std::nullopt;
        for (const auto& [footprints, steps] : even) footprints->add_all(kinds_, steps, elements.changes);
        std::int64_t count = 0;
        for (std::size_t i = 0; i < elements.all.size(); ++i) {
            count += elements.changes[i];
            if (count != 0)
                elements.all[i] =
                    saturated(static_cast<double>(elements.all[i]) + static_cast<double>(count));
        }
        elements.changes.clear();
        return basis;
    }

    /// Observed elements get the average over all elements.
    void add_uneven(Elements& elements, double accesses) {
        double seen = 0;
        double observed = 0;
        for (std::uint64_t i = elements.first; i < elements.last; ++i) {
            seen += elements.now[i] > 0 ? 1 : 0;
            observed += elements.now[i];
        }
        const double unseen =
            std::min(count_unseen(elements.once, elements.twice, static_cast<double>(kinds_.observed()),
                                  static_cast<double>(kinds_.groups())),
                     static_cast<double>(elements.all.size()) - seen);
        const double factor = (accesses / (seen + unseen)) / (observed / seen);
        for (std::uint64_t i = elements.first; i < elements.last; ++i)
            if (elements.now[i] > 0)
                elements.all[i] = saturated(static_cast<double>(elements.all[i]) + factor * elements.now[i]);
        elements.unseen = std::max(elements.unseen, unseen);
    }

    static void add(Used& used, const std::vector<std::uint64_t>& lanes, bool is_local,
                    std::size_t row_lanes) {
        XraySite& site = used.now;
        const std::uint64_t width_bytes = used.site.width_bytes;
        used.is_site = true;
        site.executions += lanes.size();
        site.active_lanes += lanes.size();
        site.requested_bytes += lanes.size() * width_bytes;
        ++site.sub_group_accesses;
        ++used.patterns[classify(lanes, width_bytes, row_lanes)];
        if (used.site.kind == AccessKind::Atomic) used.same_address_now += count_most_equal(lanes);
        if (is_local) {
            const BankCycles cycles = count_bank_cycles(lanes, width_bytes);
            site.bank_cycles += cycles.cycles;
            site.ideal_bank_cycles += cycles.ideal;
        } else {
            site.sectors += count_segments(lanes, width_bytes, kSectorBytes);
            site.lines += count_segments(lanes, width_bytes, kLineBytes);
        }
    }

    /// `__local` memory belongs to a group: its counts are the average of one group.
    static void add_counts(XrayBuffer& buffer, const Counts& counts, std::uint64_t elements) {
        const std::uint64_t columns =
            buffer.extents.empty() ? 1 : std::max<std::uint64_t>(buffer.extents.back(), 1);
        const std::uint64_t rows = (elements + columns - 1) / columns;
        buffer.rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, kMostXrayCells));
        buffer.columns = static_cast<std::uint32_t>(std::min<std::uint64_t>(columns, kMostXrayCells));
        buffer.loads_of_cell.assign(std::size_t{buffer.rows} * buffer.columns, 0);
        buffer.stores_of_cell = buffer.loads_of_cell;
        buffer.basis = counts.basis;
        const double groups =
            buffer.space == AddressSpace::Local && counts.groups > 0 ? static_cast<double>(counts.groups) : 1;
        for (std::uint64_t element = 0; element < elements; ++element) {
            const std::uint32_t loads = counts.loads.all[element];
            const std::uint32_t stores = counts.stores.all[element];
            if (loads == 0 && stores == 0) continue;
            buffer.elements_loaded += loads > 0 ? 1 : 0;
            buffer.elements_stored += stores > 0 ? 1 : 0;
            const std::uint64_t row = element / columns * buffer.rows / rows;
            const std::uint64_t cell = row * buffer.columns + element % columns * buffer.columns / columns;
            buffer.loads_of_cell[cell] = std::max(buffer.loads_of_cell[cell], saturated(loads / groups));
            buffer.stores_of_cell[cell] = std::max(buffer.stores_of_cell[cell], saturated(stores / groups));
        }
        buffer.loads = rounded(counts.loads.accesses / groups);
        buffer.stores = rounded(counts.stores.accesses / groups);
        buffer.elements_loaded = std::min(buffer.elements_loaded + rounded(counts.loads.unseen), elements);
        buffer.elements_stored = std::min(buffer.elements_stored + rounded(counts.stores.unseen), elements);
    }

    bool counts_elements_;
    GroupKinds kinds_;  ///< of this launch
    std::array<std::uint64_t, GroupKinds::kKinds> barriers_{};
    std::uint32_t group_ = 0;           ///< number of the observed group in this launch, from 1
    std::uint64_t group_barriers_ = 0;  ///< of the current group
    bool is_in_group_ = false;
    bool is_cut_off_ = false;              ///< the launch was stopped in its first group
    std::vector<std::uint32_t> in_group_;  ///< indices into used_: what the current group has executed
    std::size_t launches_ = 0;
    std::vector<double> launch_barriers_;
    LazyArray<std::uint32_t> scratch_;  ///< zero for each element of the largest region
    std::vector<Counts> counts_;        ///< for each region
    std::vector<Used> used_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
        numbers_;                         ///< site and region → in used_
    std::vector<std::uint32_t> current_;  ///< site → in used_, last used
};

}  // namespace

std::unique_ptr<Observer> make_counts_observer(bool counts_elements) {
    return std::make_unique<CountsObserver>(counts_elements);
}

}  // namespace kwb::xray
