// Executions of basic blocks, and how many lanes of a sub-group execute them together.
#include <algorithm>
#include <map>
#include <vector>

#include "xray/observer.hpp"

namespace kwb::xray {
namespace {

class LinesObserver final : public Observer {
public:
    void block(View& view, std::uint32_t site, std::uint32_t item) override {
        if (counts_.size() <= site) counts_.resize(site + 1);
        std::vector<std::uint32_t>& counts = counts_[site];
        if (counts.empty()) counts.resize(view.geometry().items);
        ++counts[item];
    }

    void end_group(View& view) override {
        const std::uint32_t items = view.geometry().items;
        const std::uint32_t lanes = view.geometry().sub_group;
        totals_.resize(std::max(totals_.size(), counts_.size()));
        for (std::size_t site = 0; site < counts_.size(); ++site) {
            std::vector<std::uint32_t>& counts = counts_[site];
            if (counts.empty()) continue;
            for (std::uint32_t first = 0; first < items; first += lanes) {
                const std::uint32_t last = std::min(first + lanes, items);
                std::uint64_t sum = 0;
                std::uint32_t most = 0;
                for (std::uint32_t i = first; i < last; ++i) {
                    sum += counts[i];
                    most = std::max(most, counts[i]);
                }
                totals_[site].executions += sum;
                totals_[site].sub_group_executions += most;
                totals_[site].lanes += std::uint64_t{most} * (last - first);
            }
            counts.clear();
        }
    }

    /// Of several blocks that begin in a line, the one with the smallest share of active lanes counts.
    void add_to(XrayReport& report, View& view) const override {
        std::map<XrayPlace, XrayLine> lines;
        for (std::size_t site = 0; site < totals_.size(); ++site) {
            const XrayLine& total = totals_[site];
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
    }

private:
    std::vector<std::vector<std::uint32_t>> counts_;  ///< for each site and work-item of the group
    std::vector<XrayLine> totals_;                    ///< for each site
};

}  // namespace

std::unique_ptr<Observer> make_lines_observer() {
    return std::make_unique<LinesObserver>();
}

}  // namespace kwb::xray
