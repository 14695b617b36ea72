// SPDX-License-Identifier: Apache-2.0
#include "experiment/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/choose_params.hpp"
#include "experiment/plan.hpp"

namespace kwb {
namespace {

/// Contestants of one run, counting all variants: for more, `kwb tune` is the better tool.
constexpr std::size_t kMostVariants = 64;

void require_few(std::size_t contestants) {
    if (contestants > kMostVariants)
        throw BadInput(fmt::format("more than {} contestants; use 'kwb tune' for this many", kMostVariants));
}

/// Powers of two with 16 to 1024 work-items; of several dimensions those that use sub-groups well: at least 4
/// in each, and at most 256 in all.
std::vector<std::string> usual_locals(std::size_t dimensions) {
    std::vector<std::string> locals;
    if (dimensions == 1)
        for (unsigned x = 16; x <= 1024; x *= 2) locals.push_back(std::to_string(x));
    if (dimensions == 2)
        for (unsigned y = 4; y <= 64; y *= 2)
            for (unsigned x = 4; x <= 64; x *= 2)
                if (x * y >= 16 && x * y <= 256) locals.push_back(fmt::format("{}x{}", x, y));
    if (dimensions == 3)
        for (unsigned z = 2; z <= 8; z *= 2)
            for (unsigned y = 4; y <= 8; y *= 2)
                for (unsigned x = 4; x <= 16; x *= 2)
                    if (x * y * z <= 256) locals.push_back(fmt::format("{}x{}x{}", x, y, z));
    return locals;
}

/// @throws BadInput  the size is malformed
void choose_listed(KernelChoices& choices, const std::string& local) {
    try {
        choose_local(choices, local);
    } catch (const BadInput&) {
        throw BadInput(fmt::format(
            "--locals {}: give work-group sizes above 0, separated by commas, e.g. 8x8,16x16; or all",
            local));
    }
}

}  // namespace

void expand_param_lists(OpenedExperiment& experiment) {
    const NamedList<std::string>& params = experiment.choices.params;
    std::vector<std::optional<KernelFile>> contestants;
    for (const auto& contestant : experiment.contestants) {
        std::vector<KernelChoices> variants = {experiment.choices};
        for (std::size_t i = 0; i < params.size(); ++i) {
            if (!contestant || find_named(contestant->spec.params, params[i].name) == nullptr) continue;
            std::vector<KernelChoices> more;
            for (const KernelChoices& variant : variants)
                for (const std::string& value : split_values(params[i].name, params[i].value)) {
                    more.push_back(variant);
                    more.back().params[i].value = value;
                }
            variants = std::move(more);
            require_few(variants.size() + contestants.size());
        }
        contestants.insert(contestants.end(), variants.size(), contestant);
        std::ranges::move(variants, std::back_inserter(experiment.own_choices));
    }
    experiment.contestants = std::move(contestants);
}

void expand_all_params(OpenedExperiment& experiment) {
    OpenedExperiment expanded = experiment;
    expanded.contestants.clear();
    expanded.own_choices.clear();
    for (std::size_t i = 0; i < experiment.contestants.size(); ++i) {
        OpenedExperiment one = alone(experiment, i);
        NamedList<std::string>& chosen = one.choices.params;
        if (one.contestants.front())
            for (const auto& [name, values] : one.contestants.front()->spec.params) {
                if (find_named(chosen, name) != nullptr) continue;
                std::vector<std::string> texts;
                for (const ParamValue& value : values) texts.push_back(to_string(value));
                chosen.push_back({name, join(texts, ",")});
            }
        expand_param_lists(one);
        std::ranges::move(one.contestants, std::back_inserter(expanded.contestants));
        std::ranges::move(one.own_choices, std::back_inserter(expanded.own_choices));
    }
    experiment = std::move(expanded);
}

OpenedExperiment alone(const OpenedExperiment& experiment, std::size_t contestant) {
    OpenedExperiment one = experiment;
    one.contestants = {experiment.contestants[contestant]};
    if (!one.own_choices.empty()) one.own_choices = {experiment.own_choices[contestant]};
    one.baseline.reset();
    return one;
}

void expand_locals(OpenedExperiment& experiment, const std::vector<std::string>& locals,
                   const Problem& problem, const Sizes& sizes, const DeviceInfo& device) {
    const bool is_all = locals == std::vector<std::string>{"all"};
    if (!is_all && std::ranges::find(locals, "all") != locals.end())
        throw BadInput("--locals: all already has every size that it tries; name it alone, or name sizes");
    OpenedExperiment expanded = experiment;
    expanded.contestants.clear();
    expanded.own_choices.clear();
    const auto add = [&](const OpenedExperiment& one) {
        expanded.contestants.push_back(one.contestants.front());
        expanded.own_choices.push_back(one.own_choices.empty() ? one.choices : one.own_choices.front());
        require_few(expanded.contestants.size());
    };
    for (std::size_t i = 0; i < experiment.contestants.size(); ++i) {
        OpenedExperiment one = alone(experiment, i);
        const auto& kernel = one.contestants.front();
        if (!kernel || kernel->refusal) {
            add(one);
            continue;
        }
        const std::size_t before = expanded.contestants.size();
        const KernelChoices chosen = one.own_choices.empty() ? one.choices : one.own_choices.front();
        const LaunchSpec* const launch =
            kernel->spec.launches.empty() ? nullptr : &kernel->spec.launches.front();
        std::vector<std::string> tried = locals;
        if (is_all) tried = usual_locals(launch != nullptr ? launch->global.size() : 1);
        for (const std::string& local : tried) {
            one.own_choices = {chosen};
            choose_listed(one.own_choices.front(), local);
            try {
                const RunRequest request = make_request(one, problem, sizes, device);
                const auto& plan = request.contestants.front().kernel;
                if (plan && plan->refusal) throw Refused(*plan->refusal);
            } catch (const BadInput&) {
                if (is_all) continue;
                throw;
            }
            add(one);
        }
        if (expanded.contestants.size() == before)
            throw BadInput(fmt::format(
                "{} takes none of the work-group sizes that --locals all tries; name some: --locals {}",
                kernel->spec.name, launch != nullptr && launch->global.size() == 1 ? "64,128" : "8x8,16x16"));
    }
    experiment = std::move(expanded);
}

}  // namespace kwb
