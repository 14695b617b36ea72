// SPDX-License-Identifier: Apache-2.0
#include "grade/gpu_facts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "experiment/gpus.hpp"
#include "experiment/xray_request.hpp"

namespace kwb {

NamedGpus gpus_of(const Rubric& rubric, const Expression& condition) {
    NamedGpus gpus;
    const std::vector<std::string> names = gpus_in(condition);
    const std::vector<GpuProfile> known = names.empty() ? std::vector<GpuProfile>{} : known_gpus();
    for (const std::string& name : names) {
        std::vector<GpuProfile> meant;
        try {
            meant = choose_targets({name}, known).gpus;
        } catch (const BadInput& error) {
            throw BadInput(fmt::format("{}: in `{}`, {}", rubric.file, condition.text(), error.what()));
        }
        if (meant.empty())
            throw BadInput(
                fmt::format("{}: in `{}`, no figures of {} are known. Describe it in gpus.toml "
                            "(docs/gpus.md)",
                            rubric.file, condition.text(), name));
        gpus.push_back({name, meant.front()});
    }
    return gpus;
}

NamedGpus gpus_of(const Rubric& rubric) {
    NamedGpus gpus;
    for (const Criterion& criterion : rubric.criteria)
        for (auto& gpu : criterion.when ? gpus_of(rubric, *criterion.when) : NamedGpus{})
            if (find_named(gpus, gpu.name) == nullptr) gpus.push_back(std::move(gpu));
    return gpus;
}

std::future<std::vector<TargetReport>> begin_compiling(const NamedGpus& gpus, const SourceText& source) {
    std::vector<std::string> codes;
    for (const auto& [name, gpu] : gpus)
        if (std::ranges::find(codes, gpu.target) == codes.end()) codes.push_back(gpu.target);
    return std::async(std::launch::async, compile_for_targets, codes, source);
}

std::vector<SizedReport> sized_reports(const std::vector<SizedXray>& asked,
                                       const std::vector<std::shared_ptr<const XrayReport>>& reports,
                                       const NamedGpus& gpus, const std::vector<TargetReport>& compiled) {
    std::vector<SizedReport> sized;
    for (std::size_t i = 0; i < reports.size(); ++i) {
        const SizedXray& at = asked[i];
        if (at.sub_group != XrayOptions{}.sub_group) continue;
        SizedReport& report = sized.emplace_back(SizedReport{at.size, reports[i]});
        if (gpus.empty() || reports[i] == nullptr) continue;
        const auto observe = [&](std::uint32_t sub_group) {
            for (std::size_t k = 0; k < reports.size(); ++k)
                if (asked[k].size == at.size && asked[k].sub_group == sub_group && reports[k] != nullptr)
                    return *reports[k];
            return XrayReport{};
        };
        for (const auto& [name, gpu] : gpus) {
            ObservedKernel observed = observed_kernel("", at.run, at.run.contestants.front(), *reports[i]);
            observed.targets = compiled;
            add_gpus(observed, {gpu}, observe);
            if (!observed.gpus.empty()) report.gpus.push_back({name, observed.gpus.front()});
        }
    }
    return sized;
}

}  // namespace kwb
