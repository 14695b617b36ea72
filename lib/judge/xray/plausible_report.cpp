// SPDX-License-Identifier: Apache-2.0
#include "judge/xray/plausible_report.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostFindings = 64;
constexpr std::size_t kMostSites = 100'000;
constexpr std::size_t kMostBuffers = 10'000;
constexpr std::size_t kMostTextBytes = 4096;
constexpr std::size_t kMostEntries = 32;

void require(bool holds, const char* finding) {
    if (!holds) throw ProtocolError(finding);
}

class Sources {
public:
    explicit Sources(const ObserveRequest& asked) : own_(asked.file_name) {
        lines_[""] = count_lines(asked.source_text);
        for (const auto& [name, text] : asked.includes) lines_[name] = count_lines(text);
    }

    void require_place(const std::string& file, std::uint64_t line) const {
        const auto found = lines_.find(file == own_ ? "" : file);
        require(found != lines_.end(), "a place in a file that is no part of the source");
        require(line <= found->second, "a place beyond the end of its file");
    }

    /// "file:line:column", "line:column" or empty. @return  without the kernel's own file
    std::string checked(const std::string& place) const {
        if (place.empty()) return place;
        const std::size_t second = place.rfind(':');
        require(second != std::string::npos, "a place without a column");
        const std::size_t first = second == 0 ? std::string::npos : place.rfind(':', second - 1);
        const std::size_t line_at = first == std::string::npos ? 0 : first + 1;
        const std::string file = first == std::string::npos ? "" : place.substr(0, first);
        const std::string_view line = std::string_view(place).substr(line_at, second - line_at);
        require_place(file, number(line));
        number(std::string_view(place).substr(second + 1));
        return file.empty() || file == own_ ? place.substr(line_at) : place;
    }

private:
    static std::uint64_t count_lines(const std::string& text) {
        return static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + 1;
    }
    static std::uint64_t number(std::string_view digits) {
        std::uint32_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        require(error == std::errc{} && end == digits.data() + digits.size(), "a place that is no number");
        return value;
    }

    std::string own_;
    std::map<std::string, std::uint64_t> lines_;
};

void check_findings(std::vector<Finding>& findings, FindingCode first, FindingCode last,
                    const Sources& sources) {
    if (findings.size() > kMostFindings) findings.resize(kMostFindings);
    for (Finding& finding : findings) {
        require(first <= finding.code && finding.code <= last, "a finding that X-ray cannot have");
        require(!finding.remedy && finding.numbers.size() <= kMostEntries &&
                    finding.texts.size() <= kMostEntries && finding.subject.size() <= kMostTextBytes,
                "a finding without end");
        for (const auto& [name, number] : finding.numbers)
            require(name.size() <= kMostTextBytes && std::isfinite(number), "a finding without numbers");
        finding.place = sources.checked(finding.place);
        for (auto& [name, text] : finding.texts) {
            require(name.size() <= kMostTextBytes && text.size() <= kMostTextBytes, "a text without end");
            if (name == "first_place" || name == "other_place" || name == "barrier")
                text = sources.checked(text);
        }
        // The judge adds these itself.
        std::erase_if(finding.numbers,
                      [](const auto& entry) { return entry.name == "foreign" || entry.name == "beyond"; });
        std::erase_if(finding.texts,
                      [](const auto& entry) { return entry.name == "sizes" || entry.name == "clean_at"; });
    }
}

std::uint64_t product(const std::vector<std::uint64_t>& extents) {
    std::uint64_t all = 1;
    for (const std::uint64_t extent : extents) {
        require(extent == 0 || all <= std::numeric_limits<std::uint64_t>::max() / extent,
                "a buffer larger than any memory");
        all *= extent;
    }
    return all;
}

void check_launches(const XrayReport& report, const ObserveRequest& asked) {
    require(report.launches.size() <= asked.launches.size(), "more launches than were asked for");
    for (const XrayLaunch& launch : report.launches) {
        require(std::ranges::find(asked.launches, launch.kernel, &Launch::kernel) != asked.launches.end(),
                "a launch of another kernel");
        require(launch.local.size() == launch.global.size() && launch.observed_groups <= launch.groups,
                "more groups than there are");
        const std::uint64_t items = product(launch.local);
        require(items > 0 && items <= kMostXrayGroupItems, "a group that is empty or too large");
    }
}

void check_buffers(const XrayReport& report) {
    require(report.buffers.size() <= kMostBuffers, "more buffers than any kernel has");
    for (const XrayBuffer& buffer : report.buffers) {
        require(buffer.name.size() <= kMostTextBytes && buffer.type.size() <= kMostTextBytes,
                "a buffer with an endless name");
        const std::uint64_t elements = product(buffer.extents);
        require(buffer.elements_loaded <= elements && buffer.elements_stored <= elements,
                "more elements than a buffer has");
        require(buffer.rows <= kMostXrayCells && buffer.columns <= kMostXrayCells, "a map that is too large");
        const std::size_t cells = std::size_t{buffer.rows} * buffer.columns;
        require(buffer.loads_of_cell.size() == cells && buffer.stores_of_cell.size() == cells,
                "a map without its cells");
    }
}

void check_trace(const XrayReport& report) {
    if (!report.trace) return;
    const XrayTrace& trace = *report.trace;
    require(trace.items.size() <= kMostTracedAccesses, "a trace without end");
    std::uint64_t most_items = 0;
    for (const XrayLaunch& launch : report.launches) most_items = std::max(most_items, product(launch.local));
    for (std::size_t i = 0; i < trace.items.size(); ++i) {
        require(trace.items[i] < most_items, "a work-item that does not exist");
        const XrayBuffer& buffer = report.buffers[report.sites[trace.sites[i]].buffer];
        require(trace.elements[i] < product(buffer.extents), "an element that does not exist");
    }
}

}  // namespace

void require_plausible(XrayReport& report, const ObserveRequest& asked) {
    const Sources sources(asked);
    require(report.sub_group == asked.xray.sub_group, "sub-groups of another size");
    check_findings(report.undefined, FindingCode::DataRace, FindingCode::Recursion, sources);
    check_findings(report.remarks, FindingCode::XraySampled, FindingCode::XrayNotObserved, sources);
    check_launches(report, asked);
    check_buffers(report);
    require(report.sites.size() <= kMostSites && report.lines.size() <= kMostSites &&
                report.barriers.size() <= kMostSites,
            "more places than any source has");
    for (const XraySite& site : report.sites) sources.require_place(site.place.file, site.place.line);
    for (const XrayLine& line : report.lines) sources.require_place(line.place.file, line.place.line);
    for (const XrayPlace& barrier : report.barriers) sources.require_place(barrier.file, barrier.line);
    check_trace(report);
}

}  // namespace kwb
