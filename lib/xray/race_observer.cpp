// SPDX-License-Identifier: Apache-2.0
// Data races: for each granule of memory the last writer and two readers since the last barrier, and the last
// group that wrote and one that read it. (The idea of such a shadow: C. Flanagan and S. Freund, "FastTrack:
// efficient and precise dynamic race detection", PLDI 2009, where barriers take the place of vector clocks.)
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "xray/observer.hpp"
#include "xray/race_shadow.hpp"

namespace kwb::xray {
namespace {

struct Conflict {
    bool first_writes = false;
    bool first_is_atomic = false;
    std::uint32_t first_item = 0;
    std::uint32_t first_site = 0;
    Epoch first_epoch = 0;
    std::optional<std::uint32_t> seen = {};  ///< by the first access, a read
};

class RaceObserver final : public Observer {
public:
    void begin_launch(View& view) override {
        shadows_.resize(view.memory().regions().size());
        launch_begin_ = next_epoch_;
        released_.clear();
    }

    void begin_group(View& view) override {
        group_begin_ = local_ = global_ = since_barrier_ = new_epoch(view.group());
        is_fenced_ = false;
        acquired_.clear();
        orders_.clear();
        releases_.clear();
        is_copy_done_.clear();
    }

    void barrier(View& view, bool local, bool global) override {
        since_barrier_ = new_epoch(view.group());
        if (local) local_ = since_barrier_;
        if (global) global_ = since_barrier_;
        is_fenced_ = is_fenced_ || global;
    }

    void sub_group_barrier(View& view, std::uint32_t first, std::uint32_t last, bool local,
                           bool global) override {
        if (orders_.empty()) orders_.resize(view.geometry().items);
        for (const bool is_global : {false, true}) {
            if (!(is_global ? global : local)) continue;
            std::vector<Epoch> all(orders_.size());
            for (std::uint32_t i = first; i < last; ++i) {
                join(all, orders_[i].acquired[is_global]);
                all[i] = std::max(all[i], epoch_of(i));
            }
            for (std::uint32_t i = first; i < last; ++i) orders_[i].acquired[is_global] = all;
        }
        const Epoch next = new_epoch(view.group());
        for (std::uint32_t i = first; i < last; ++i) orders_[i].epoch = next;
    }

    void fence(View& view, std::uint32_t item, bool local, bool global) override {
        is_fenced_ = is_fenced_ || global;
        if (orders_.empty()) orders_.resize(view.geometry().items);
        std::array<bool, 2>& fenced = orders_[item].fenced;
        fenced = {fenced[0] || local, fenced[1] || global};
    }
    void copies_done(View&, const std::vector<std::uint32_t>& copies) override {
        for (const std::uint32_t copy : copies) {
            if (copy >= is_copy_done_.size()) is_copy_done_.resize(copy + 1);
            is_copy_done_[copy] = true;
        }
    }
    void end_launch(View& view) override {
        for (Guess& guess : guesses_)
            if (!attempts_.contains(guess.read_site)) report(view, guess.key, std::move(guess.finding));
        guesses_.clear();
        const Geometry& geometry = view.geometry();
        for (auto& [key, race] : races_)
            if (const auto finding = std::exchange(race.finding, std::nullopt);
                finding && !race.crosses_sub_groups && geometry.items > geometry.sub_group)
                view.add_number(*finding, "sub_group", geometry.sub_group);
    }

    void access(View& view, const AccessEvent& event) override {
        Region& region = view.memory()[event.region];
        if (region.space == AddressSpace::Constant) return;
        if (event.is_part) {
            if (event.access == Access::Write) remember_part(view, event);
            return;
        }
        shadows_[event.region].refine(region, event);
        if (is_atomic(event.access)) {
            if (event.access == Access::CompareExchange || event.access == Access::FailedExchange)
                forgive(event);
            if (region.space == AddressSpace::Global) synchronize(view, event);
            if (!orders_.empty()) synchronize_items(view, event);
        }
        const std::uint64_t first = event.offset / region.granule_bytes;
        const std::uint64_t last = (event.offset + event.bytes - 1) / region.granule_bytes;
        for (std::uint64_t granule = first; granule <= last; ++granule) use(view, event, region, granule);
    }

    void settle(View& view) override {
        if (part_) {
            const AccessEvent event = std::exchange(part_, std::nullopt).value();
            const Region& region = view.memory()[event.region];
            const auto* const now = reinterpret_cast<const std::byte*>(region.begin + event.offset);
            for (std::uint64_t at = 0; at < event.bytes; at += region.granule_bytes)
                if (std::memcmp(now + at, before_.data() + at, region.granule_bytes) != 0)
                    use(view, event, region, (event.offset + at) / region.granule_bytes);
        }
        for (Suspicion& suspicion : suspicions_) {
            const auto* const now = reinterpret_cast<const std::byte*>(suspicion.address);
            if (std::memcmp(now, suspicion.before.data(), suspicion.bytes) == 0)
                races_.erase(suspicion.key);  // the same value: whoever is last, nothing changes
            else
                report(view, suspicion.key, std::move(suspicion.finding));
        }
        suspicions_.clear();
    }

private:
    /// For each work-item, the last epoch whose accesses to local [0] and global memory [1] are before.
    using Acquired = std::array<std::vector<Epoch>, 2>;
    /// How a work-item is ordered with others of its group by fences and atomic operations, and by barriers
    /// of its sub-group.
    struct Order {
        /// Since its last atomic operation: local [0] and global memory [1].
        std::array<bool, 2> fenced{};
        Epoch epoch = 0;                  ///< a new one begins when it releases what it has done
        std::array<Epoch, 2> released{};  ///< the last one before its last fence
        Acquired acquired;
    };
    /// The sites of both accesses, the region, whether the first one writes, and whether they are of two
    /// groups.
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool, bool>;
    struct Race {
        std::optional<std::size_t> finding = {};  ///< its number, during the launch
        bool crosses_sub_groups = false;          ///< also of work-items of two sub-groups
    };
    /// A race of two writes, or of a read and a write after it, unless the write changes nothing.
    struct Suspicion {
        Finding finding;
        std::uintptr_t address = 0;
        std::uint64_t bytes = 0;
        std::array<std::byte, 4> before{};
        Key key;
    };
    /// A plain read of what others change by atomic operations. It is no race where the read only starts an
    /// attempt with compare and exchange, by this work-item or by another one in the same place.
    struct Guess {
        Finding finding;
        Key key;
        std::uint32_t read_site = 0;
    };

    Epoch new_epoch(std::uint64_t group) {
        if (group_of_.size() <= next_epoch_) group_of_.resize(next_epoch_ + 1024);
        group_of_[next_epoch_] = group;
        return next_epoch_++;
    }

    void remember_part(View& view, const AccessEvent& event) {
        const Region& region = view.memory()[event.region];
        shadows_[event.region].refine(view.memory()[event.region], event);
        part_ = event;
        before_.resize(event.bytes);
        std::memcpy(before_.data(), reinterpret_cast<const void*>(region.begin + event.offset), event.bytes);
        view.settle_later();
    }

    /// The work-item's last read of what it now tries to exchange was the start of that attempt.
    void forgive(const AccessEvent& event) {
        Shadow& shadow = shadows_[event.region];
        const Cell& cell = shadow.cells[event.offset / shadow.granule_bytes];
        for (const User& reader : {cell.one, cell.another})
            if (reader.epoch != 0 && reader.item == event.item) attempts_.insert(reader.site);
    }

    /// A group that fences and then does an atomic operation lets a group that does one there later see its
    /// writes.
    void synchronize(View& view, const AccessEvent& event) {
        const auto key = std::pair(event.region, event.offset);
        const auto found = released_.find(key);
        if (found != released_.end()) acquired_.insert(found->second.begin(), found->second.end());
        if (is_fenced_) {
            std::set<std::uint64_t>& groups = released_[key];
            groups.insert(acquired_.begin(), acquired_.end());
            groups.insert(view.group());
        }
    }

    /// The same between work-items of a group, up to what each did before its last fence.
    void synchronize_items(View& view, const AccessEvent& event) {
        Order& own = orders_[event.item];
        const auto key = std::pair(event.region, event.offset);
        const auto join_both = [&](Acquired& into, const Acquired& from) {
            for (std::size_t memory = 0; memory < into.size(); ++memory) join(into[memory], from[memory]);
        };
        if (const auto found = releases_.find(key); found != releases_.end())
            join_both(own.acquired, found->second);
        if (own.fenced[0] || own.fenced[1]) {
            for (std::size_t memory = 0; memory < own.released.size(); ++memory)
                if (std::exchange(own.fenced[memory], false)) own.released[memory] = epoch_of(event.item);
            own.epoch = new_epoch(view.group());
        }
        if (own.released == std::array<Epoch, 2>{} || event.access == Access::FailedExchange) return;
        Acquired& release = releases_[key];
        join_both(release, own.acquired);
        for (std::size_t memory = 0; memory < release.size(); ++memory)
            release[memory][event.item] = std::max(release[memory][event.item], own.released[memory]);
    }

    void join(std::vector<Epoch>& into, const std::vector<Epoch>& from) const {
        into.resize(orders_.size());
        for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
    }

    /// In which a work-item is now.
    Epoch epoch_of(std::uint32_t item) const {
        return orders_.empty() || item == kGroupItem ? since_barrier_
                                                     : std::max(since_barrier_, orders_[item].epoch);
    }

    /// What `first` did in an epoch is certainly before what `second` does now.
    bool is_ordered(std::uint32_t first, Epoch epoch, std::uint32_t second, bool is_global) const {
        if (orders_.empty() || first == kGroupItem || second == kGroupItem) return false;
        const std::vector<Epoch>& acquired = orders_[second].acquired[is_global];
        return !acquired.empty() && acquired[first] >= epoch;
    }

    void use(View& view, const AccessEvent& event, const Region& region, std::uint64_t granule) {
        Shadow& shadow = shadows_[event.region];
        Cell& cell = shadow.cells[granule];
        RareCell& rare = shadow.rare[granule];
        const bool is_global = region.space == AddressSpace::Global;
        const Epoch span = is_global ? global_ : local_;
        const Epoch now = epoch_of(event.item);
        const std::uint64_t group = view.group();
        const bool writes = event.access != Access::Read && event.access != Access::FailedExchange;
        const bool is_atomic_now = is_atomic(event.access);
        const auto is_elsewhere = [&](Epoch epoch) {
            return is_global && epoch >= launch_begin_ && epoch < span && epoch > 0 &&
                   group_of_[epoch] != group && !acquired_.contains(group_of_[epoch]);
        };
        const auto clashes = [&](Epoch epoch, std::uint32_t item) {
            if (epoch == 0) return false;
            // No barrier waits for an asynchronous copy.
            if (item == kGroupItem && epoch >= group_begin_)
                return cell.copy != event.copy && !is_done(cell.copy);
            if (epoch < span) return is_elsewhere(epoch);
            return item != event.item && !is_ordered(item, epoch, event.item, is_global);
        };
        if (clashes(cell.write_epoch, cell.write_item) && !(cell.write_is_atomic != 0 && is_atomic_now)) {
            conflict(view, event, region, granule,
                     {true, cell.write_is_atomic != 0, cell.write_item, cell.write_site, cell.write_epoch});
        } else if (cell.write_is_atomic != 0) {
            if (clashes(rare.plain.epoch, rare.plain.item))
                conflict(view, event, region, granule,
                         {true, false, rare.plain.item, rare.plain.site, rare.plain.epoch});
            else if (!is_atomic_now && clashes(rare.atomic.epoch, rare.atomic.item))
                conflict(view, event, region, granule,
                         {true, true, rare.atomic.item, rare.atomic.site, rare.atomic.epoch});
        }
        if (writes) {
            if (!is_atomic_now) note_update(view, event, cell);
            const auto check = [&](const User& reader, std::uint32_t seen) {
                if (clashes(reader.epoch, reader.item))
                    conflict(view, event, region, granule,
                             {false, false, reader.item, reader.site, reader.epoch, seen});
            };
            if (!is_atomic_now && clashes(rare.failed.epoch, rare.failed.item))
                conflict(view, event, region, granule,
                         {.first_is_atomic = true,
                          .first_item = rare.failed.item,
                          .first_site = rare.failed.site,
                          .first_epoch = rare.failed.epoch});
            check(cell.one, cell.seen);
            check(cell.another, cell.seen);
            if (is_global) check(rare.elsewhere, rare.seen_elsewhere);
        }
        if (event.item == kGroupItem) cell.copy = event.copy;
        if (writes) {
            if (is_atomic_now && cell.write_is_atomic == 0) {
                rare.plain = {cell.write_epoch, cell.write_item, cell.write_site};
                rare.atomic = {};
            } else if (is_atomic_now && cell.write_item != event.item) {
                rare.atomic = {cell.write_epoch, cell.write_item, cell.write_site};
            }
            cell.write_epoch = now;
            cell.write_item = event.item;
            cell.write_site = event.site;
            cell.write_is_atomic = is_atomic_now ? 1 : 0;
            return;
        }
        if (is_atomic_now) {  // at most a plain store races with it
            rare.failed = {now, event.item, event.site};
            return;
        }
        if (cell.one.epoch < span) {
            if (is_elsewhere(cell.one.epoch)) {
                rare.elsewhere = cell.one;
                rare.seen_elsewhere = cell.seen;
            }
            cell.one = {now, event.item, event.site};
            cell.another = {};
            cell.seen = value_of(region, granule);
        } else if (cell.one.item != event.item && cell.another.epoch == 0) {
            cell.another = {now, event.item, event.site};
        }
    }

    void conflict(View& view, const AccessEvent& event, const Region& region, std::uint64_t granule,
                  const Conflict& first) {
        const std::uint64_t first_group = group_of_[first.first_epoch];
        const bool between = first_group != view.group();
        const Key key{first.first_site, event.site, event.region, first.first_writes, between};
        const auto [race, is_new] = races_.try_emplace(key);
        race->second.crosses_sub_groups =
            race->second.crosses_sub_groups || !shares_sub_group(view, event.item, first.first_item, between);
        if (!is_new) return;
        Finding finding{.code = FindingCode::DataRace,
                        .subject = element_name(region, granule * region.granule_bytes),
                        .place = view.place_name(event.site),
                        .numbers = {{"interval", static_cast<double>(view.interval())},
                                    {"between_groups", between ? 1.0 : 0.0}},
                        .texts = {{"space", to_string(region.space)},
                                  {"type", region.type},
                                  {"access", access_name(event.access)},
                                  {"first_access", first.first_is_atomic ? "atomic"
                                                   : first.first_writes  ? "write"
                                                                         : "read"},
                                  {"first_place", view.place_name(first.first_site)},
                                  {"item", view.item_name(event.item)},
                                  {"first_item", view.item_name(first.first_item, first_group)}}};
        if (!between && first.first_epoch < since_barrier_ && first.first_item != kGroupItem)
            finding.texts.push_back({"fence", to_string(region.space)});
        if (between) {
            finding.texts.push_back({"group", view.group_name(view.group())});
            finding.texts.push_back({"first_group", view.group_name(first_group)});
        }
        if (is_update(first.first_site, event.site)) finding.numbers.push_back({"update", 1});
        if (const auto d = only_dimension(view, event.item, first.first_item, first_group))
            finding.numbers.push_back({"one_dimension", static_cast<double>(*d)});
        if (event.access == Access::Read && first.first_is_atomic) {
            guesses_.push_back({std::move(finding), key, event.site});
            return;
        }
        if (!first.first_writes && is_atomic(event.access)) {
            guesses_.push_back({std::move(finding), key, first.first_site});
            return;
        }
        if (event.access == Access::Write && !first.first_is_atomic) {
            Suspicion& suspicion = suspicions_.emplace_back();
            suspicion.finding = std::move(finding);
            suspicion.address = region.begin + granule * region.granule_bytes;
            suspicion.bytes = region.granule_bytes;
            suspicion.key = key;
            // A write of the value that the reader saw changes nothing, either.
            const void* const before = first.seen ? &*first.seen : value_before(region, event, granule);
            std::memcpy(suspicion.before.data(), before, suspicion.bytes);
            view.settle_later();
            return;
        }
        report(view, key, std::move(finding));
    }

    void report(View& view, const Key& key, Finding finding) {
        races_[key].finding = view.report(std::move(finding));
    }

    bool is_done(std::uint32_t copy) const { return copy < is_copy_done_.size() && is_copy_done_[copy]; }

    static bool shares_sub_group(View& view, std::uint32_t one, std::uint32_t other, bool between) {
        const std::uint32_t items = view.geometry().sub_group;
        return !between && one != kGroupItem && other != kGroupItem && one / items == other / items;
    }

    /// A work-item stores to what it has read, in one line of the source: x[i] += 1.
    void note_update(View& view, const AccessEvent& event, const Cell& cell) {
        for (const User& reader : {cell.one, cell.another}) {
            if (reader.epoch == 0 || reader.item != event.item || reader.epoch != epoch_of(event.item))
                continue;
            const XrayPlace& read = view.site(reader.site).place;
            const XrayPlace& write = view.site(event.site).place;
            if (read.line == write.line && read.file == write.file) updates_[event.site] = reader.site;
        }
    }

    /// Both sites belong to one such update.
    bool is_update(std::uint32_t one, std::uint32_t other) const {
        const auto reads_for = [&](std::uint32_t write, std::uint32_t read) {
            const auto found = updates_.find(write);
            return found != updates_.end() && (found->second == read || write == read);
        };
        return reads_for(one, other) || reads_for(other, one);
    }

    /// The only one of several dimensions in which the two work-items differ.
    static std::optional<std::size_t> only_dimension(View& view, std::uint32_t item, std::uint32_t first,
                                                     std::uint64_t first_group) {
        const Geometry& geometry = view.geometry();
        if (geometry.dimensions < 2 || item == kGroupItem || first == kGroupItem) return std::nullopt;
        const auto ids = geometry.global_id(item, view.group());
        const auto first_ids = geometry.global_id(first, first_group);
        std::optional<std::size_t> only;
        for (std::size_t d = 0; d < geometry.dimensions; ++d) {
            if (ids[d] == first_ids[d]) continue;
            if (only) return std::nullopt;
            only = d;
        }
        return only;
    }

    /// Granules have 1, 2 or 4 bytes.
    static std::uint32_t value_of(const Region& region, std::uint64_t granule) {
        const auto* const place =
            reinterpret_cast<const void*>(region.begin + granule * region.granule_bytes);
        std::uint32_t value = 0;
        if (region.granule_bytes == 4)
            std::memcpy(&value, place, 4);
        else
            std::memcpy(&value, place, region.granule_bytes);
        return value;
    }

    /// The granule before this write; a part of a vector has been written already.
    const void* value_before(const Region& region, const AccessEvent& event, std::uint64_t granule) const {
        if (event.is_part) return before_.data() + (granule * region.granule_bytes - event.offset);
        return reinterpret_cast<const void*>(region.begin + granule * region.granule_bytes);
    }

    std::vector<Shadow> shadows_;
    std::vector<std::uint64_t> group_of_;
    Epoch next_epoch_ = 1;
    Epoch launch_begin_ = 1;
    // The epochs that began with the group, with its last barrier, with the last one that fences local
    // memory, and with the last one that fences global memory.
    Epoch group_begin_ = 0;
    Epoch since_barrier_ = 0;
    Epoch local_ = 0;
    Epoch global_ = 0;
    std::vector<bool> is_copy_done_;  ///< by number
    bool is_fenced_ = false;
    std::set<std::uint64_t> acquired_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::set<std::uint64_t>> released_;
    std::vector<Order> orders_;  ///< for each work-item; empty: none has fenced in this group
    std::map<std::pair<std::uint32_t, std::uint64_t>, Acquired> releases_;  ///< by atomic
    std::map<Key, Race> races_;
    std::map<std::uint32_t, std::uint32_t> updates_;  ///< site of a write → site of the read that it updates
    std::vector<Suspicion> suspicions_;
    std::vector<Guess> guesses_;
    std::set<std::uint32_t> attempts_;  ///< sites of reads that start an attempt
    std::optional<AccessEvent> part_;
    std::vector<std::byte> before_;
};

}  // namespace

std::unique_ptr<Observer> make_race_observer() {
    return std::make_unique<RaceObserver>();
}

}  // namespace kwb::xray
