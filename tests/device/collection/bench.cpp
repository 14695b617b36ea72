// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace kwb::test {

CollectionBench::CollectionBench() : judge({KWB_JUDGE_PROGRAM, "", {{"KWB_CACHE_DIR", KWB_TEST_CACHE}}}) {
    const JudgeAnswer answer = judge.ask(ListDevices{});
    REQUIRE(answer.devices);
    device = choose_device(*answer.devices, "cpu");
}

KernelResult CollectionBench::check(const KernelFile& file, const Sizes& sizes, const ParamChoice& params) {
    OpenedExperiment experiment;
    experiment.contestants = {file};
    experiment.check_only = true;
    for (const auto& [name, value] : params) experiment.choices.params.push_back({name, to_string(value)});
    RunRequest request = make_request(experiment, get_problem(file.spec.problem), sizes, device);
    KernelResult result = judge.result_of(request);
    if (result.verdict != Verdict::Wrong) return result;
    // PoCL 6 does not always compile the same source to the same code: about one in a hundred compilations of
    // matmul/block loses work-items. A kernel only counts as wrong if it is wrong in two compilations;
    // Foreign kernels do not share a cache.
    request.contestants.front().kernel->trust = Trust::Foreign;
    return judge.result_of(request);
}

CollectionBench& bench() {
    static CollectionBench bench;
    return bench;
}

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
