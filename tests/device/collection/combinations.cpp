// SPDX-License-Identifier: Apache-2.0
#include "combinations.hpp"

#include <algorithm>
#include <set>

#include "experiment/experiment.hpp"

namespace kwb::test {
namespace {

/// All combinations, with the last parameter varying fastest; the defaults come first.
std::vector<ParamChoice> all_combinations(const ParamSpace& params) {
    std::vector<ParamChoice> all = {{}};
    for (const auto& [name, values] : params) {
        std::vector<ParamChoice> longer;
        for (const ParamChoice& before : all)
            for (const ParamValue& value : values) {
                longer.push_back(before);
                longer.back().push_back({name, value});
            }
        all = std::move(longer);
    }
    return all;
}

KernelChoices choices_of(const ParamChoice& params) {
    KernelChoices choices;
    for (const auto& [name, value] : params) choices.params.push_back({name, to_string(value)});
    return choices;
}

}  // namespace

std::string words_of(const ParamChoice& params) {
    std::string words;
    for (const auto& [name, value] : params)
        words += (words.empty() ? "" : " ") + name + "=" + to_string(value);
    return words;
}

Combinations combine_params(const KernelFile& file, const ProblemInstance& problem,
                            const DeviceInfo& device) {
    Combinations combinations;
    std::set<std::string> covered;
    for (ParamChoice& params : all_combinations(file.spec.params)) {
        if (make_kernel_plan(file, problem, device, choices_of(params)).refusal) continue;
        bool brings = combinations.covering.empty();
        for (const auto& param : params) brings |= covered.insert(words_of({param})).second;
        (brings ? combinations.covering : combinations.others).push_back(std::move(params));
    }
    for (const auto& [name, values] : file.spec.params)
        for (const ParamValue& value : values)
            if (!covered.contains(words_of({{name, value}})))
                combinations.missing.push_back(words_of({{name, value}}));
    return combinations;
}

}  // namespace kwb::test
