#include "html_page.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/error.hpp"
#include "report/html.hpp"

namespace kwb::cli {
namespace {

/// The source texts of a contestant, its own file first.
NamedList<std::string> source_texts(const std::optional<KernelFile>& contestant) {
    NamedList<std::string> texts;
    if (!contestant) return texts;
    const std::filesystem::path file = contestant->spec.file;
    texts.push_back({file.filename().string(), contestant->spec.source_text});
    texts.insert(texts.end(), contestant->includes.begin(), contestant->includes.end());
    return texts;
}

}  // namespace

std::string html_page(const Experiment& experiment, const Problem& problem, const std::vector<Sizes>& sizes,
                      const DeviceInfo& device, const Environment& environment,
                      const std::vector<KernelResult>& results, const std::string& error) {
    HtmlSection section;
    section.lead = error;
    section.environment = environment;
    if (section.environment.device.empty()) section.environment.device = device.name;
    const std::size_t contestants = experiment.contestants.size();
    const std::span<const KernelResult> all = results;
    for (std::size_t first = 0; first < all.size(); first += contestants) {
        section.results.push_back(all.subspan(first, std::min(contestants, all.size() - first)));
        section.sizes.push_back(section.results.back().front().size);
    }
    for (std::size_t i = 0; i < contestants; ++i) {
        const auto& contestant = experiment.contestants[i];
        if (experiment.baseline == (contestant ? contestant->spec.name : kHostBlasName)) section.baseline = i;
        section.sources.push_back(source_texts(contestant));
    }

    HtmlReport report;
    report.title = fmt::format(
        "{}, {}", problem.title(),
        sizes.size() == 1 ? "size " + to_string(sizes.front()) : fmt::format("{} sizes", sizes.size()));
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    report.made = fmt::format("{:%Y-%m-%d %H:%M} UTC, on {} ({})", fmt::gmtime(now), device.name, device.id);
    report.sections.push_back(std::move(section));
    return html_report(report);
}

}  // namespace kwb::cli
