// Counts for each element, and how sub-groups address memory: sectors, lines, banks, patterns.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "xray/observer.hpp"
#include "xray/sub_group_access.hpp"

namespace kwb::xray {
namespace {

class CountsObserver final : public Observer {
public:
    void begin_launch(View& view) override {
        const auto& regions = view.memory().regions();
        for (std::size_t i = counts_.size(); i < regions.size(); ++i)
            counts_.push_back({LazyArray<std::uint32_t>(regions[i].elements()),
                               LazyArray<std::uint32_t>(regions[i].elements())});
    }

    void access(View& view, const AccessEvent& event) override {
        const Region& region = view.memory()[event.region];
        Counts& counts = counts_[event.region];
        const std::uint64_t first = event.offset / region.element_bytes;
        const std::uint64_t last = (event.offset + event.bytes - 1) / region.element_bytes;
        for (std::uint64_t element = first; element <= last; ++element) {
            if (event.access != Access::Write) ++counts.loads[element];
            if (event.access != Access::Read) ++counts.stores[element];
        }
        if (event.item == kGroupItem) return;
        if (current_.size() <= event.site) current_.resize(event.site + 1, kNone);
        std::uint32_t number = current_[event.site];
        if (number == kNone || used_[number].region != event.region) number = number_of(view, event);
        Used& used = used_[number];
        if (used.offsets.size() < view.geometry().items) used.offsets.resize(view.geometry().items);
        used.is_used = true;
        used.offsets[event.item].push_back(event.offset);
    }

    /// Work-items are together again here, however often each has accessed memory before.
    void barrier(View& view, bool /*local*/, bool /*global*/) override { count_sub_groups(view); }
    void sub_group_barrier(View& view, std::uint32_t /*first*/, std::uint32_t /*last*/, bool /*local*/,
                           bool /*global*/) override {
        count_sub_groups(view);
    }
    void end_group(View& view) override { count_sub_groups(view); }

    void add_to(XrayReport& report, View& view) const override {
        for (std::size_t i = 0; i < report.buffers.size(); ++i)
            add_counts(report.buffers[i], counts_[i],
                       view.memory()[static_cast<std::uint32_t>(i)].elements());
        for (const Used& used : used_) {
            XraySite site = used.site;
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
                    used.site.adjacent += offsets[n] == offsets[n - 1] + used.site.width_bytes ? 1 : 0;
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

    struct Counts {
        LazyArray<std::uint32_t> loads;
        LazyArray<std::uint32_t> stores;
    };
    /// An access in the source, to one region.
    struct Used {
        std::uint32_t region = 0;
        XraySite site;
        std::map<Addressing, std::uint64_t> patterns;
        std::vector<std::vector<std::uint64_t>> offsets;  ///< since the last barrier, for each work-item
        bool is_used = false;                             ///< since then
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

    static void add(Used& used, const std::vector<std::uint64_t>& lanes, bool is_local,
                    std::size_t row_lanes) {
        XraySite& site = used.site;
        site.executions += lanes.size();
        site.active_lanes += lanes.size();
        site.requested_bytes += lanes.size() * site.width_bytes;
        ++site.sub_group_accesses;
        ++used.patterns[classify(lanes, site.width_bytes, row_lanes)];
        if (is_local) {
            const BankCycles cycles = count_bank_cycles(lanes, site.width_bytes);
            site.bank_cycles += cycles.cycles;
            site.ideal_bank_cycles += cycles.ideal;
        } else {
            site.sectors += count_segments(lanes, site.width_bytes, kSectorBytes);
            site.lines += count_segments(lanes, site.width_bytes, kLineBytes);
        }
    }

    static void add_counts(XrayBuffer& buffer, const Counts& counts, std::uint64_t elements) {
        const std::uint64_t columns =
            buffer.extents.empty() ? 1 : std::max<std::uint64_t>(buffer.extents.back(), 1);
        const std::uint64_t rows = (elements + columns - 1) / columns;
        buffer.rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, kMostXrayCells));
        buffer.columns = static_cast<std::uint32_t>(std::min<std::uint64_t>(columns, kMostXrayCells));
        buffer.loads_of_cell.assign(std::size_t{buffer.rows} * buffer.columns, 0);
        buffer.stores_of_cell = buffer.loads_of_cell;
        for (std::uint64_t element = 0; element < elements; ++element) {
            const std::uint32_t loads = counts.loads[element];
            const std::uint32_t stores = counts.stores[element];
            buffer.loads += loads;
            buffer.stores += stores;
            buffer.elements_loaded += loads > 0 ? 1 : 0;
            buffer.elements_stored += stores > 0 ? 1 : 0;
            const std::uint64_t row = element / columns * buffer.rows / rows;
            const std::uint64_t cell = row * buffer.columns + element % columns * buffer.columns / columns;
            buffer.loads_of_cell[cell] = std::max(buffer.loads_of_cell[cell], loads);
            buffer.stores_of_cell[cell] = std::max(buffer.stores_of_cell[cell], stores);
        }
    }

    std::vector<Counts> counts_;  ///< for each region
    std::vector<Used> used_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
        numbers_;                         ///< site and region → in used_
    std::vector<std::uint32_t> current_;  ///< site → in used_, last used
};

}  // namespace

std::unique_ptr<Observer> make_counts_observer() {
    return std::make_unique<CountsObserver>();
}

}  // namespace kwb::xray
