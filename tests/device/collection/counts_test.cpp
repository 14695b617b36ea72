// SPDX-License-Identifier: Apache-2.0
// X-ray's counts of shipped kernels: where only some work-groups are observed, they are those of the whole
// launch all the same.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "experiment/xray_request.hpp"

namespace kwb::test {
namespace {

constexpr double kWithin = 0.02;
/// Where rows are no multiple of a sector, groups lie differently in sectors; and where work-items take
/// several elements in strides, some of the groups take one more, but not all of these are at the edge.
constexpr double kWithinUneven = 0.04;
/// So many groups of a launch are observed at least.
constexpr std::uint64_t kLeastGroups = 12;

XrayReport observe(const RunRequest& run, std::uint64_t most_events) {
    XrayOptions options;
    options.keep_counts = true;
    options.most_events = most_events;
    options.most_ms = 1'000'000;  // however slow the machine is
    bench().judge.send(make_xray_request(run, *run.contestants.front().kernel, options));
    while (true) {
        const JudgeEvent event = bench().judge.next_event();
        if (const auto* const answer = std::get_if<XrayEvent>(&event)) return answer->report;
        if (const auto* const error = std::get_if<ErrorEvent>(&event)) FAIL(error->message);
    }
}

/// Everything that is counted, by name. The most of an element is known only where addresses do not depend on
/// data.
std::map<std::string, std::uint64_t> counts_of(const XrayReport& report, const XrayReport& part) {
    std::map<std::string, std::uint64_t> counts;
    for (const XrayBuffer& buffer : report.buffers) {
        counts[buffer.name + " loads"] += buffer.loads;
        counts[buffer.name + " stores"] += buffer.stores;
        counts[buffer.name + " elements loaded"] += buffer.elements_loaded;
        counts[buffer.name + " elements stored"] += buffer.elements_stored;
        const auto same = std::ranges::find(part.buffers, buffer.name, &XrayBuffer::name);
        const bool is_histogram = buffer.name == "H" || buffer.name == "bins";
        if (buffer.loads_of_cell.empty() || is_histogram || same->basis == CountBasis::Estimated) continue;
        counts[buffer.name + " most loads"] = std::ranges::max(buffer.loads_of_cell);
        counts[buffer.name + " most stores"] = std::ranges::max(buffer.stores_of_cell);
    }
    for (const XraySite& site : report.sites) {
        const std::string name =
            fmt::format("{}:{} {} ", site.place.line, site.place.column, report.buffers[site.buffer].name);
        counts[name + "executions"] += site.executions;
        counts[name + "accesses"] += site.sub_group_accesses;
        counts[name + "sectors"] += site.sectors;
        counts[name + "bank cycles"] += site.bank_cycles;
    }
    for (const XrayLine& line : report.lines)
        counts[fmt::format("line {}", line.place.line)] += line.executions;
    for (std::size_t i = 0; i < report.launches.size(); ++i)
        counts[fmt::format("barriers of launch {}", i)] = report.launches[i].barriers;
    return counts;
}

/// Observes about a quarter of what there is, and compares.
void expect_same_counts(const std::string& name, const Sizes& sizes) {
    CAPTURE(name);
    CAPTURE(to_string(sizes));
    OpenedExperiment experiment;
    experiment.contestants = {bench().catalogue.open(name)};
    const std::string problem = experiment.contestants.front()->spec.problem;
    const RunRequest run = make_request(experiment, get_problem(problem), sizes, bench().device);
    if (run.contestants.front().kernel->refusal) return;
    const XrayReport whole = observe(run, 2'000'000'000);
    for (const XrayLaunch& launch : whole.launches) REQUIRE(launch.observed_groups == launch.groups);
    std::uint64_t groups = whole.launches.front().groups;
    for (const XrayLaunch& launch : whole.launches)
        if (launch.groups > 1) groups = std::min(groups, launch.groups);
    const XrayReport part =
        observe(run, std::max(whole.events / 4, whole.events / groups * std::min(groups, kLeastGroups)));
    const auto exact = counts_of(whole, part);
    const auto scaled = counts_of(part, part);
    for (const XrayBuffer& buffer : whole.buffers) CHECK(buffer.basis == CountBasis::Counted);
    for (const auto& entry : exact) {
        const std::string& what = entry.first;
        const auto count = static_cast<double>(entry.second);
        const auto found = scaled.find(what);
        const double seen = found == scaled.end() ? 0 : static_cast<double>(found->second);
        const double within =
            what.ends_with("sectors") || what.starts_with("line ") ? kWithinUneven : kWithin;
        CHECK_MESSAGE(std::abs(seen - count) <= within * count,
                      what << ": " << seen << " instead of " << count);
    }
}

/// Long enough for many work-groups, of which some are cut off at the edges; and the same without edges.
std::vector<Sizes> sizes_for(const Problem& problem) {
    const bool is_line = problem.size_names().size() == 1;
    const bool is_cheap = problem.name() != "fma_chain";
    return {problem.square(!is_line   ? 211
                           : is_cheap ? 300'007
                                      : 50'003),
            problem.square(is_line ? 65'536 : 256)};
}

void expect_same_counts_in(const std::string& folder) {
    int kernels = 0;
    for (const CatalogueEntry& entry : bench().catalogue.entries()) {
        if (!entry.name.starts_with(folder + "/")) continue;
        ++kernels;
        const KernelFile file = bench().catalogue.open(entry.name);
        if (!file.spec.expect.empty()) continue;  // what is wrong may differ from group to group
        for (const Sizes& sizes : sizes_for(get_problem(file.spec.problem)))
            expect_same_counts(entry.name, sizes);
    }
    CHECK(kernels > 0);
}

}  // namespace

TEST_CASE("counts of a part: some kernels") {
    for (const char* const name : {"matmul/naive", "transpose/padded", "reduce/two_launches", "stencil/tiled",
                                   "histogram/local_bins", "scan/three_launches"}) {
        const Problem& problem = get_problem(bench().catalogue.open(name).spec.problem);
        const bool is_line = problem.size_names().size() == 1;
        expect_same_counts(name, problem.square(is_line ? 20'003 : 150));
    }
}

// Every shipped kernel, at sizes with edges and without; one case for each folder.
#define KWB_COUNTS_OF(folder)             \
    TEST_CASE("counts of all: " folder) { \
        expect_same_counts_in(folder);    \
    }
KWB_COUNTS_OF("convolution")
KWB_COUNTS_OF("copy")
KWB_COUNTS_OF("fma_chain")
KWB_COUNTS_OF("histogram")
KWB_COUNTS_OF("matmul")
KWB_COUNTS_OF("published")
KWB_COUNTS_OF("reduce")
KWB_COUNTS_OF("scan")
KWB_COUNTS_OF("stencil")
KWB_COUNTS_OF("transpose")
KWB_COUNTS_OF("vector_add")
#undef KWB_COUNTS_OF

}  // namespace kwb::test
