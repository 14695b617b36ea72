// SPDX-License-Identifier: Apache-2.0
// Every kernel in the collection, with every value of its parameters, at every awkward size.
#include <doctest/doctest.h>

#include <algorithm>

#include "bench.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// Upper limit for the edge from which awkward sizes are derived. Larger ones take long, and the small sizes
/// cover the same cases.
constexpr std::int64_t kLongestEdge = 64;

/// The largest extent that a kernel handles as a unit: a work-group's, or a parameter.
std::int64_t edge_of(const KernelPlan& plan) {
    std::int64_t edge = tile_edge(plan);
    for (const auto& [name, value] : plan.params)
        if (const auto* number = std::get_if<std::int64_t>(&value))
            if (*number <= kLongestEdge) edge = std::max(edge, *number);
    return edge;
}

void check_at(const KernelFile& file, const Sizes& sizes, const ParamChoice& params) {
    const std::string at = to_string(sizes);
    CAPTURE(at);
    const KernelResult result = bench().check(file, sizes, params);
    CHECK_MESSAGE(result.verdict == Verdict::Correct, result.reason);
}

/// Does the kernel require a feature that the device does not have?
bool lacks_feature(const KernelSpec& kernel) {
    const DeviceInfo& device = bench().device;
    const std::pair<const char*, bool> features[] = {
        {"device.has_fp64", device.has_fp64},
        {"device.has_fp16", device.has_fp16},
        {"device.has_work_group_functions", device.has_work_group_functions},
        {"device.has_sub_groups", device.has_sub_groups}};
    return std::ranges::any_of(features, [&](const auto& feature) {
        return !feature.second && std::ranges::any_of(kernel.require, [&](const auto& required) {
            return required.value.text == feature.first;
        });
    });
}

void check_kernel(const std::string& name) {
    CAPTURE(name);
    const KernelFile file = bench().catalogue.open(name);
    const Problem& problem = get_problem(file.spec.problem);
    const ProblemInstance small = problem.at(problem.awkward_sizes(16).back());
    const Combinations combinations = combine_params(file, small, bench().device);
    if (combinations.covering.empty()) {
        CHECK_MESSAGE(lacks_feature(file.spec), "none of its parameters' values fits this device");
        const KernelResult result = bench().check(file, small.sizes);
        CHECK_MESSAGE(result.verdict == Verdict::Constraint, result.reason);
        return;
    }
    CHECK(combinations.missing.empty());
    for (const ParamChoice& params : combinations.covering) {
        const std::string with = words_of(params);
        CAPTURE(with);
        KernelChoices choices;
        for (const auto& [param, value] : params) choices.params.push_back({param, to_string(value)});
        const std::int64_t edge = edge_of(make_kernel_plan(file, small, bench().device, choices));
        for (const Sizes& sizes : problem.awkward_sizes(edge)) check_at(file, sizes, params);
    }
    for (const ParamChoice& params : combinations.others) {
        const std::string with = words_of(params);
        CAPTURE(with);
        check_at(file, small.sizes, params);
    }
}

void check_folder(const std::string& folder) {
    int kernels = 0;
    for (const CatalogueEntry& entry : bench().catalogue.entries()) {
        if (!entry.name.starts_with(folder + "/")) continue;
        ++kernels;
        check_kernel(entry.name);
    }
    CHECK(kernels > 0);
}

}  // namespace

TEST_CASE("convolution: every kernel is right at every size with every value") {
    check_folder("convolution");
}

TEST_CASE("copy: every kernel is right at every size with every value") {
    check_folder("copy");
}

TEST_CASE("fma_chain: every kernel is right at every size with every value") {
    check_folder("fma_chain");
}

TEST_CASE("histogram: every kernel is right at every size with every value") {
    check_folder("histogram");
}

TEST_CASE("matmul: every kernel is right at every size with every value") {
    check_folder("matmul");
}

TEST_CASE("reduce: every kernel is right at every size with every value") {
    check_folder("reduce");
}

TEST_CASE("scan: every kernel is right at every size with every value") {
    check_folder("scan");
}

TEST_CASE("stencil: every kernel is right at every size with every value") {
    check_folder("stencil");
}

TEST_CASE("transpose: every kernel is right at every size with every value") {
    check_folder("transpose");
}

TEST_CASE("vector_add: every kernel is right at every size with every value") {
    check_folder("vector_add");
}

// Every shipped kernel once. CTest runs it before all other tests of shipped kernels, which then find them
// compiled.

TEST_CASE("brief: every kernel does at one awkward size, with its defaults, what its file announces") {
    int kernels = 0;
    for (const CatalogueEntry& entry : bench().catalogue.entries()) {
        ++kernels;
        CAPTURE(entry.name);
        const KernelFile file = bench().catalogue.open(entry.name);
        // Some published kernels know square matrices only.
        const Sizes square = {{"M", 17}, {"N", 17}, {"K", 17}};
        const bool is_published = entry.name.starts_with("published/");
        const Sizes odd = get_problem(file.spec.problem).awkward_sizes(16).back();
        const KernelResult result = bench().check(file, is_published ? square : odd);
        CHECK_MESSAGE((result.as_expected() || result.verdict == Verdict::Constraint), result.reason);
    }
    CHECK(kernels > 0);
}
