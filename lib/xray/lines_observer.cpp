// SPDX-License-Identifier: Apache-2.0
// Executions of basic blocks by whole launches, and how many lanes of a sub-group execute them together.
// If only some work-groups were observed, those of each kind represent the rest of their kind.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "xray/group_kinds.hpp"
#include "xray/observer.hpp"

namespace kwb::xray {
namespace {

class LinesObserver final : public Observer {
public:
    void block(View& view, std::uint32_t site, std::uint32_t item, std::uintptr_t frame) override {
        if (counts_.size() <= site) counts_.resize(site + 1);
        std::vector<std::uint32_t>& counts = counts_[site];
        if (counts.empty()) counts.resize(view.geometry().items);
        ++counts[item];
        add_edge(site, view.site(site).is_called, frames_[item], frame);
    }

    void begin_group(View& view) override { frames_.assign(view.geometry().items, {}); }

    void begin_launch(View& view) override {
        kinds_ = GroupKinds(view.geometry());
        of_kind_.clear();
    }

    void end_group(View& view) override {
        const std::uint32_t kind = kinds_.kind_of(view.group());
        kinds_.observe(view.group());
        const std::uint32_t items = view.geometry().items;
        const std::uint32_t lanes = view.geometry().sub_group;
        of_kind_.resize(std::max(of_kind_.size(), counts_.size()));
        for (std::size_t site = 0; site < counts_.size(); ++site) {
            std::vector<std::uint32_t>& counts = counts_[site];
            if (counts.empty()) continue;
            Sums& sums = of_kind_[site][kind];
            for (std::uint32_t first = 0; first < items; first += lanes) {
                const std::uint32_t last = std::min(first + lanes, items);
                std::uint64_t sum = 0;
                std::uint32_t most = 0;
                for (std::uint32_t i = first; i < last; ++i) {
                    sum += counts[i];
                    most = std::max(most, counts[i]);
                }
                sums[0] += static_cast<double>(sum);
                sums[1] += most;
                sums[2] += static_cast<double>(std::uint64_t{most} * (last - first));
            }
            counts.clear();
        }
    }

    void end_launch(View& view) override {
        // Of a group that was stopped: lanes that have not run yet are not inactive ones.
        for (auto& counts : counts_) counts.clear();
        totals_.resize(std::max(totals_.size(), of_kind_.size()));
        of_launch_.resize(std::max<std::size_t>(of_launch_.size(), view.launch() + 1));
        std::vector<Sums>& of_launch = of_launch_[view.launch()];
        of_launch.resize(std::max(of_launch.size(), of_kind_.size()));
        for (std::uint32_t kind = 0; kind < GroupKinds::kKinds; ++kind) {
            const double weight = kinds_.weight(kind);
            for (std::size_t site = 0; site < of_kind_.size(); ++site)
                for (std::size_t i = 0; i < totals_[site].size(); ++i) {
                    totals_[site][i] += weight * of_kind_[site][kind][i];
                    of_launch[site][i] += weight * of_kind_[site][kind][i];
                }
        }
    }

    /// Of several blocks that begin in a line, the one with the smallest share of active lanes counts.
    void add_to(XrayReport& report, View& view) const override {
        std::map<XrayPlace, XrayLine> lines;
        for (std::size_t site = 0; site < totals_.size(); ++site) {
            XrayLine total;
            total.executions = rounded(totals_[site][0]);
            total.sub_group_executions = rounded(totals_[site][1]);
            total.lanes = rounded(totals_[site][2]);
            if (total.executions == 0) continue;
            XrayPlace place = view.site(static_cast<std::uint32_t>(site)).place;
            if (place.line == 0) continue;
            place.column = 0;
            XrayLine& line = lines[place];
            const auto share = [](const XrayLine& of) {
                return of.lanes == 0 ? 2.0
                                     : static_cast<double>(of.executions) / static_cast<double>(of.lanes);
            };
            if (line.lanes == 0 || share(total) < share(line) ||
                (share(total) == share(line) && total.executions > line.executions))
                line = total;
            line.place = place;
        }
        for (auto& [place, line] : lines) report.lines.push_back(line);
        for (std::size_t i = 0; i < std::min(report.launches.size(), of_launch_.size()); ++i) {
            Sums all{};
            for (std::size_t site = 0; site < of_launch_[i].size(); ++site) {
                if (is_continued(site) || view.site(static_cast<std::uint32_t>(site)).is_called) continue;
                for (std::size_t k = 0; k < all.size(); ++k) all[k] += of_launch_[i][site][k];
            }
            report.launches[i].blocks = XrayBlocks{rounded(all[0]), rounded(all[1]), rounded(all[2])};
        }
    }

private:
    /// Executions, sub_group_executions and lanes of XrayLine.
    using Sums = std::array<double, 3>;
    /// Which blocks work-items have executed before and after a block.
    static constexpr std::uint32_t kNone = UINT32_MAX, kSeveral = UINT32_MAX - 1;
    struct Edges {
        std::uint32_t before = kNone, after = kNone;
    };
    /// A function in progress and its last block.
    struct Frame {
        std::uintptr_t base;
        std::uint32_t last;
    };
    void add_edge(std::uint32_t site, bool is_called, std::vector<Frame>& frames, std::uintptr_t base) {
        if (edges_.size() <= site) edges_.resize(site + 1);
        while (!frames.empty() && frames.back().base < base) frames.pop_back();  // returned
        if (frames.empty() || frames.back().base != base) frames.push_back({base, kNone});
        std::uint32_t& last = frames.back().last;
        if (!is_called) keep_only(edges_[site].before, last == kNone ? kSeveral : last);
        if (!is_called && last != kNone) keep_only(edges_[last].after, site);
        last = site;
    }
    static void keep_only(std::uint32_t& known, std::uint32_t site) {
        known = known == kNone || known == site ? site : kSeveral;
    }
    /// Whether a block always continues the same other one: the compiler's checks divide blocks of the
    /// source.
    bool is_continued(std::size_t site) const {
        if (site >= edges_.size()) return false;
        const std::uint32_t before = edges_[site].before;
        return before < edges_.size() && edges_[before].after == site;
    }
    static std::uint64_t rounded(double count) { return static_cast<std::uint64_t>(std::llround(count)); }

    std::vector<std::vector<std::uint32_t>> counts_;             ///< for each site and work-item of the group
    GroupKinds kinds_;                                           ///< of this launch
    std::vector<std::array<Sums, GroupKinds::kKinds>> of_kind_;  ///< for each site, by observed groups
    std::vector<Sums> totals_;                                   ///< for each site
    std::vector<std::vector<Sums>> of_launch_;                   ///< for each launch and site
    std::vector<Edges> edges_;                                   ///< for each site
    std::vector<std::vector<Frame>> frames_;                     ///< of each work-item, the innermost last
};

}  // namespace

std::unique_ptr<Observer> make_lines_observer() {
    return std::make_unique<LinesObserver>();
}

}  // namespace kwb::xray
