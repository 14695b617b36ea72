// SPDX-License-Identifier: Apache-2.0
// Reads of uninitialised memory: local memory at the start of a group, scratch buffers and outputs.
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "xray/observer.hpp"

namespace kwb::xray {
namespace {

class UnsetObserver final : public Observer {
public:
    void begin_launch(View& view) override { resize(view); }

    /// Local memory of a new group holds garbage.
    void begin_group(View& view) override {
        for (std::size_t i = 0; i < set_.size(); ++i)
            if (view.memory()[static_cast<std::uint32_t>(i)].space == AddressSpace::Local) {
                const Region& region = view.memory()[static_cast<std::uint32_t>(i)];
                if (region.bytes <= kMostBytesByHand)
                    std::memset(&set_[i][0], 0, region.bytes);
                else
                    set_[i].clear();
            }
    }

    void end_group(View& view) override { tell_never(view, AddressSpace::Local); }
    void end_launch(View& view) override {
        if (view.is_whole()) tell_never(view, AddressSpace::Global);
        reads_.clear();
    }

    void access(View& view, const AccessEvent& event) override {
        const Region& region = view.memory()[event.region];
        if (region.is_set) return;
        std::uint8_t* const set = &set_[event.region][event.offset];
        if (event.access == Access::Write || event.access == Access::Exchange) {
            std::memset(set, 1, event.bytes);
            return;
        }
        if (event.is_part || std::memchr(set, 1, event.bytes) != nullptr) return;
        if (is_atomic(event.access)) std::memset(set, 1, event.bytes);
        if (!reported_.insert({event.site, event.region}).second) return;
        const auto finding = view.report(
            {.code = FindingCode::UnsetRead,
             .subject = element_name(region, event.offset),
             .place = view.place_name(event.site),
             .texts = {{"space", to_string(region.space)}, {"item", view.item_name(event.item)}}});
        if (finding) reads_.push_back({*finding, event.region, event.bytes, event.offset});
    }

    /// What they have set is not known, so that all may be.
    void rest_done(View& view) override {
        for (Region& region : view.memory().regions())
            if (region.space == AddressSpace::Global) region.is_set = true;
    }

private:
    struct UnsetRead {
        std::size_t finding = 0;
        std::uint32_t region = 0;
        std::uint32_t bytes = 0;
        std::uint64_t offset = 0;
    };

    /// Told at the end of a group or launch: whether anybody has stored there after the read.
    void tell_never(View& view, AddressSpace space) {
        std::erase_if(reads_, [&](const UnsetRead& read) {
            if (view.memory()[read.region].space != space) return false;
            if (std::memchr(&set_[read.region][read.offset], 1, read.bytes) == nullptr)
                view.add_number(read.finding, "never", 1);
            return true;
        });
    }

    static constexpr std::uint64_t kMostBytesByHand = 64 << 10;

    void resize(View& view) {
        const auto& regions = view.memory().regions();
        for (std::size_t i = set_.size(); i < regions.size(); ++i)
            set_.emplace_back(regions[i].is_set ? 0 : regions[i].bytes);
    }

    std::vector<LazyArray<std::uint8_t>> set_;  ///< for each region and byte: 1: somebody has set it
    std::set<std::pair<std::uint32_t, std::uint32_t>> reported_;
    std::vector<UnsetRead> reads_;  ///< of this group or launch
};

}  // namespace

std::unique_ptr<Observer> make_unset_observer() {
    return std::make_unique<UnsetObserver>();
}

}  // namespace kwb::xray
