// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "xray/observer.hpp"

namespace kwb::xray {
namespace {

class TraceObserver final : public Observer {
public:
    TraceObserver(std::uint32_t launch, std::vector<std::uint64_t> group)
        : launch_(launch), group_(std::move(group)) {
        group_.resize(3);
    }

    void begin_group(View& view) override {
        const auto id = view.geometry().group_id(view.group());
        is_on_ = view.launch() == launch_ && trace_.items.empty() &&
                 std::equal(id.begin(), id.end(), group_.begin());
    }

    void access(View& view, const AccessEvent& event) override {
        if (!is_on_ || event.item == kGroupItem) return;
        if (trace_.items.size() >= kMostTracedAccesses) {
            trace_.is_whole = false;
            return;
        }
        const Region& region = view.memory()[event.region];
        trace_.items.push_back(event.item);
        sites_.push_back({event.site, event.region, event.access});
        trace_.elements.push_back(static_cast<std::uint32_t>(event.offset / region.element_bytes));
        trace_.intervals.push_back(static_cast<std::uint32_t>(view.interval()));
    }

    void end_group(View&) override { is_on_ = false; }

    /// Runs after the counts observer: it refers to its sites.
    void add_to(XrayReport& report, View& view) const override {
        std::map<std::tuple<XrayPlace, std::uint32_t, AccessKind>, std::uint32_t> numbers;
        for (std::size_t i = 0; i < report.sites.size(); ++i)
            numbers[{report.sites[i].place, report.sites[i].buffer, report.sites[i].kind}] =
                static_cast<std::uint32_t>(i);
        XrayTrace trace = trace_;
        for (const auto& [site, region, access] : sites_) {
            const AccessKind kind = access == Access::Read    ? AccessKind::Load
                                    : access == Access::Write ? AccessKind::Store
                                                              : AccessKind::Atomic;
            trace.sites.push_back(numbers[{view.site(site).place, region, kind}]);
        }
        report.trace = std::move(trace);
    }

private:
    std::uint32_t launch_;
    std::vector<std::uint64_t> group_;
    bool is_on_ = false;
    XrayTrace trace_;  ///< without sites
    std::vector<std::tuple<std::uint32_t, std::uint32_t, Access>> sites_;
};

}  // namespace

std::unique_ptr<Observer> make_trace_observer(std::uint32_t launch, std::vector<std::uint64_t> group) {
    return std::make_unique<TraceObserver>(launch, std::move(group));
}

}  // namespace kwb::xray
