// SPDX-License-Identifier: Apache-2.0
// The published kernels behave as their files declare, including their faults, and the repaired versions are
// correct.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "device/collection/bench.hpp"
#include "experiment/opened_experiment.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

constexpr const char* kRepaired = "_repaired";

/// Names of all published kernels of one project.
std::vector<std::string> published(const std::string& project) {
    std::vector<std::string> names;
    for (const CatalogueEntry& entry : bench().catalogue.entries())
        if (entry.name.starts_with("published/" + project)) names.push_back(entry.name);
    REQUIRE(!names.empty());
    return names;
}

bool is_repaired(const std::string& name) {
    return name.ends_with(kRepaired);
}

Sizes sizes_of(std::int64_t m, std::int64_t n, std::int64_t k) {
    return {{"M", m}, {"N", n}, {"K", k}};
}

RunRequest request_for(const KernelFile& file, const Sizes& sizes, const ParamChoice& params,
                       ExpectSpec::Mode mode) {
    OpenedExperiment experiment;
    experiment.contestants = {file};
    for (const auto& [name, value] : params) experiment.choices.params.push_back({name, to_string(value)});
    experiment.check_only = mode == ExpectSpec::Mode::Check;
    if (!experiment.check_only) experiment.rounds = 1;
    return make_request(experiment, get_problem(file.spec.problem), sizes, bench().device);
}

std::int64_t number_of(const ParamChoice& params, const char* name) {
    const ParamValue* value = find_named(params, name);
    return value != nullptr ? std::get<std::int64_t>(*value) : 1;
}

/// A size that is a multiple of everything a work-group covers in either dimension, and of the steps of the
/// loops.
std::int64_t whole(const KernelPlan& plan) {
    const std::int64_t wide = number_of(plan.params, "block_size_x") * number_of(plan.params, "tile_size_x");
    const std::int64_t fixed = number_of(plan.params, "blocksize") * number_of(plan.params, "gridsize");
    return std::max({tile_edge(plan), wide, fixed});
}

/// Sizes at which all tiles are full, and sizes that deviate in each dimension.
/// @param e  see whole()
std::vector<Sizes> telling_sizes(std::int64_t e) {
    return {sizes_of(e, e, e), sizes_of(e, e, 2 * e), sizes_of(e, e, e / 2), sizes_of(e + 1, e, e),
            sizes_of(e, e - 1, e)};
}

/// Observed behaviour of a kernel, over all sizes and parameters.
struct Seen {
    std::set<std::string> causes;  ///< reasons of the rules that applied
    std::size_t correct = 0;
    std::size_t sizes = 0;
};

void behaves_at(const KernelFile& file, const Sizes& sizes, const ParamChoice& params, ExpectSpec::Mode mode,
                Seen& seen) {
    const std::string at = to_string(sizes);
    const std::string with = words_of(params);
    CAPTURE(at);
    CAPTURE(with);
    RunRequest request = request_for(file, sizes, params, mode);
    KernelResult result = bench().judge.result_of(request);
    if (result.verdict == Verdict::KernelCrashed) {  // retry with a new compilation, see collection/bench.cpp
        request.contestants.front().kernel->trust = Trust::Foreign;
        result = bench().judge.result_of(request);
    }
    CAPTURE(to_string(result.verdict));
    CHECK_MESSAGE(result.as_expected(), result.reason);
    // These accesses are too close to the buffers to crash.
    CHECK(result.verdict != Verdict::KernelCrashed);
    if (result.expected) seen.causes.insert(result.expected->why);
    seen.correct += result.verdict == Verdict::Correct ? 1 : 0;
    ++seen.sizes;
}

void behaves(const std::string& name, ExpectSpec::Mode mode) {
    CAPTURE(name);
    const KernelFile file = bench().catalogue.open(name);
    const Problem& problem = get_problem(file.spec.problem);
    const ProblemInstance small = problem.at(sizes_of(64, 64, 64));
    const Combinations combinations = combine_params(file, small, bench().device);
    Seen seen;
    for (std::size_t i = 0; i < combinations.covering.size(); ++i) {
        const ParamChoice& params = combinations.covering[i];
        KernelChoices choices;
        for (const auto& [param, value] : params) choices.params.push_back({param, to_string(value)});
        const KernelPlan plan = make_kernel_plan(file, small, bench().device, choices);
        std::vector<Sizes> sizes = telling_sizes(whole(plan));
        if (i > 0 && mode == ExpectSpec::Mode::Run) break;
        if (i > 0) sizes = {sizes.front(), sizes_of(61, 127, 29)};
        if (i == 0 && mode == ExpectSpec::Mode::Check)
            for (const Sizes& awkward : problem.awkward_sizes(tile_edge(plan))) sizes.push_back(awkward);
        for (const Sizes& size : sizes) behaves_at(file, size, params, mode, seen);
    }
    // Every rule must apply at least once; otherwise it is not tested.
    for (const ExpectSpec& rule : file.spec.expect)
        if (rule.mode == mode || rule.mode == ExpectSpec::Mode::Both) CHECK(seen.causes.contains(rule.why));
    const bool always_wrong =
        std::any_of(file.spec.expect.begin(), file.spec.expect.end(), [](const auto& r) { return !r.when; });
    CHECK((seen.correct > 0) == !always_wrong);
    if (is_repaired(name)) CHECK(seen.correct == seen.sizes);
    if (is_repaired(name)) CHECK(file.spec.expect.empty());
    for (const ExpectSpec& rule : file.spec.expect) CHECK(!rule.why.empty());
}

}  // namespace

TEST_CASE("check_numba: Numba's examples do at every awkward size what their files announce") {
    for (const std::string& name : published("numba")) behaves(name, ExpectSpec::Mode::Check);
}

TEST_CASE(
    "check_kernel_tuner_block: Kernel Tuner's block kernels behave as announced at every awkward size") {
    for (const std::string& name : published("kernel_tuner_block")) behaves(name, ExpectSpec::Mode::Check);
}

TEST_CASE(
    "check_kernel_tuner_naive: Kernel Tuner's naive kernels behave as announced at every awkward size") {
    for (const std::string& name : published("kernel_tuner_naive")) behaves(name, ExpectSpec::Mode::Check);
}

TEST_CASE(
    "check_kernel_tuner_others: Kernel Tuner's other kernels behave as announced at every awkward size") {
    for (const std::string& name : published("kernel_tuner"))
        if (name.find("_block") == std::string::npos && name.find("_naive") == std::string::npos)
            behaves(name, ExpectSpec::Mode::Check);
}

TEST_CASE("run_numba: Numba's examples do in a run what their files announce") {
    for (const std::string& name : published("numba")) behaves(name, ExpectSpec::Mode::Run);
}

TEST_CASE("run_kernel_tuner: Kernel Tuner's examples do in a run what their files announce") {
    for (const std::string& name : published("kernel_tuner")) behaves(name, ExpectSpec::Mode::Run);
}

TEST_CASE("files: every kernel tells its source, and beside every faulty one stands the repaired one") {
    std::vector<std::string> names = published("");
    CHECK(names.size() == 19);
    for (const std::string& name : names) {
        CAPTURE(name);
        const KernelFile file = bench().catalogue.open(name);
        CHECK(file.spec.source.find("licence") != std::string::npos);
        CHECK(file.spec.expect.empty() ==
              (is_repaired(name) || name.ends_with("numba_cuda_naive") || name.ends_with("numba_roc_naive")));
        if (file.spec.expect.empty()) continue;
        // "kernel_tuner_naive_declared" lies between "kernel_tuner_naive" and its repaired version.
        const std::string begin = name.substr(0, name.rfind('_'));
        CHECK((std::count(names.begin(), names.end(), name + kRepaired) +
               std::count(names.begin(), names.end(), begin + kRepaired)) == 1);
    }
}

TEST_CASE("files: a kernel that is right where its file announces a fault is not as it should be") {
    const Sizes odd = sizes_of(17, 33, 21);
    for (const auto mode : {ExpectSpec::Mode::Check, ExpectSpec::Mode::Run})
        for (const std::string& name : published("")) {
            CAPTURE(name);
            if (is_repaired(name) || name.ends_with("_declared") || name.ends_with("_spelt") ||
                name.ends_with("_zeroed"))
                continue;
            const KernelFile faulty = bench().catalogue.open(name);
            if (faulty.spec.expect.empty()) continue;
            const RunRequest told = request_for(faulty, odd, {}, mode);
            REQUIRE(told.contestants[0].kernel->expected);
            RunRequest request = request_for(bench().catalogue.open(name + kRepaired), odd, {}, mode);
            request.contestants[0].kernel->expected = told.contestants[0].kernel->expected;
            const KernelResult result = bench().judge.result_of(request);
            CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
            CHECK(!result.as_expected());
        }
}

TEST_CASE("files: a fault that the file does not announce is not as it should be") {
    const Sizes odd = sizes_of(17, 33, 21);
    for (const auto mode : {ExpectSpec::Mode::Check, ExpectSpec::Mode::Run})
        for (const std::string& name : published("")) {
            CAPTURE(name);
            KernelFile file = bench().catalogue.open(name);
            if (file.spec.expect.empty()) continue;
            file.spec.expect.clear();
            const KernelResult result = bench().judge.result_of(request_for(file, odd, {}, mode));
            CHECK(result.verdict != Verdict::Correct);
            CHECK(!result.as_expected());
        }
}
