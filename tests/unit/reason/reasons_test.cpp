// SPDX-License-Identifier: Apache-2.0
// Reasons from what was measured and counted of two kernels.
#include "reason/reasons.hpp"

#include <doctest/doctest.h>

#include "report/charts.hpp"
#include "report/effect_words.hpp"
#include "report/reason_words.hpp"
#include "support/words.hpp"

namespace kwb::test {
namespace {

KernelResult timed(double median_ms, std::vector<Effect> effects = {}) {
    KernelResult result;
    result.verdict = Verdict::Correct;
    result.median_ms = median_ms;
    result.samples_ms.assign(10, median_ms);
    for (Effect& one : effects) one.as_it_is_ms = median_ms;
    result.effects = std::move(effects);
    return result;
}

Effect effect(WhatIf what, double share, double half_width, const std::string& buffer = "") {
    Effect effect{.what = what, .buffer = buffer, .rounds = 10};
    effect.share = share;
    effect.interval = Interval{share - half_width, share + half_width};
    return effect;
}

/// One access of a global float buffer by `accesses` sub-groups of 32, each with this many sectors.
KernelResult counted(std::uint64_t accesses, std::uint64_t sectors, std::uint64_t barriers = 0,
                     AccessKind kind = AccessKind::Load) {
    XrayReport counts;
    counts.launches = {{"k", {1024}, {64}, 16, 16, barriers}};
    counts.buffers = {{.name = "A", .type = "float", .element_bytes = 4, .extents = {1024}}};
    XraySite site;
    site.place = {"", 7, 3};
    site.kind = kind;
    site.width_bytes = 4;
    site.executions = site.active_lanes = 32 * accesses;
    site.sub_group_accesses = accesses;
    site.requested_bytes = 128 * accesses;
    site.sectors = sectors * accesses;
    counts.sites = {site};
    KernelResult result = timed(1);
    result.effects.reset();
    result.xray.emplace().counts = counts;
    return result;
}

TEST_CASE("what costs only the slower kernel time is the first reason, by milliseconds") {
    const KernelResult slow =
        timed(100, {effect(WhatIf::CacheHits, 0.1, 0.02, "A"), effect(WhatIf::CacheHits, 0.6, 0.05, "B"),
                    effect(WhatIf::NoBarriers, 0.0, 0.05)});
    const KernelResult fast =
        timed(40, {effect(WhatIf::CacheHits, 0.0, 0.03, "B"), effect(WhatIf::NoBarriers, 0.3, 0.05)});
    const std::vector<Reason> reasons = measured_reasons(fast, slow);
    REQUIRE(reasons.size() == 3);
    CHECK(reasons[0].kind == ReasonKind::CacheMisses);
    CHECK(reasons[0].subject == "B");
    CHECK(reasons[0].is_for);
    CHECK_FALSE(reasons[0].faster.interval);  // nothing was seen
    CHECK(reasons[1].subject == "A");
    CHECK(reasons[2].kind == ReasonKind::Barriers);
    CHECK_FALSE(reasons[2].is_for);
    CHECK(reason_words(reasons[0], "tiled", "naive") ==
          "cache misses of B cost naive 60 % (55 – 65 %) of its time, and tiled nothing that was seen");
    CHECK(evidence_words(reasons[0], "tiled", "naive") == "measured with B always in the nearest cache");
    CHECK(reason_words(reasons[2], "tiled", "naive") ==
          "barriers cost tiled 30 % (25 – 35 %) of its time, and naive nothing that was seen");
}

TEST_CASE("equal shares of unequal times are told as such") {
    const std::vector<Reason> reasons =
        measured_reasons(timed(40, {effect(WhatIf::CacheHits, 0.5, 0.02, "B")}),
                         timed(100, {effect(WhatIf::CacheHits, 0.5, 0.02, "B")}));
    REQUIRE(reasons.size() == 1);
    CHECK(reason_words(reasons[0], "tiled", "naive") ==
          "cache misses of B cost naive 50.0 ms of its 100 ms (48 – 52 %), and tiled 20.0 ms of its 40.0 ms "
          "(48 – 52 %)");
}

TEST_CASE("a reason that accounts for less than half of the difference is a part of it") {
    const auto reason_with = [](double share) {
        const auto reasons =
            measured_reasons(timed(40), timed(100, {effect(WhatIf::NoBarriers, share, 0.02)}));
        REQUIRE(reasons.size() == 1);
        return reasons[0];
    };
    CHECK(reason_with(0.45).gap_share == doctest::Approx(0.75));  // 45 of 60 ms
    CHECK(because_words(reason_with(0.45)) == "Because ");
    CHECK(because_words(reason_with(0.2)) == "Partly because ");
    CHECK(reason_words(reason_with(0.2), "tiled", "naive") ==
          "barriers cost naive 20 % (18 – 22 %) of its time, and tiled has none");
    // An experiment gives a share: the times are those of the run, however slow the machine was afterwards.
    KernelResult slow = timed(100, {effect(WhatIf::NoBarriers, 0.2, 0.02)});
    slow.effects->front().as_it_is_ms = 300;
    CHECK(measured_reasons(timed(40), slow)[0].gap_share == doctest::Approx(20.0 / 60));
}

TEST_CASE("no reason without an interval that excludes 0, nor where the costs may be the same") {
    CHECK(measured_reasons(timed(40), timed(100)).empty());
    // The library of the CPU, or a kernel after a stop: nothing was measured of it.
    KernelResult unmeasured = timed(40);
    unmeasured.effects.reset();
    CHECK(measured_reasons(unmeasured, timed(100, {effect(WhatIf::CacheHits, 0.5, 0.1, "B")})).empty());
    // Every kernel has a start: without the other's, nothing is known.
    CHECK(measured_reasons(timed(40), timed(100, {effect(WhatIf::EmptyKernel, 0.5, 0.1)})).empty());
    CHECK(measured_reasons(timed(40), timed(100, {effect(WhatIf::CacheHits, 0.04, 0.05, "B")})).empty());
    CHECK(measured_reasons(timed(40), timed(100, {effect(WhatIf::CacheHits, 0.01, 0.005, "B")})).empty());
    Effect no_interval = effect(WhatIf::CacheHits, 0.5, 0.1, "B");
    no_interval.interval.reset();
    CHECK(measured_reasons(timed(40), timed(100, {no_interval})).empty());
    // What was seen of one kernel, and not of the other for want of rounds, may be the same.
    CHECK(measured_reasons(timed(40, {effect(WhatIf::CacheHits, 0.5, 0.1, "B")}), timed(100, {no_interval}))
              .empty());
    // 45 to 55 ms against 44 to 50 ms.
    CHECK(measured_reasons(timed(94, {effect(WhatIf::NoBarriers, 0.5, 0.03)}),
                           timed(100, {effect(WhatIf::NoBarriers, 0.5, 0.05)}))
              .empty());
    // All buffers together say nothing about one of them, nor does the rest say what it is.
    CHECK(measured_reasons(timed(40), timed(100, {effect(WhatIf::CacheHits, 0.5, 0.1)})).empty());
    CHECK(measured_reasons(timed(40), timed(100, {effect(WhatIf::Together, 0.5, 0.1)})).empty());
}

TEST_CASE("an experiment that ended after its first rounds costs at most what they showed") {
    Effect idle = effect(WhatIf::NoBarriers, 0.01, 0);
    idle.interval.reset();
    idle.at_most = 0.03;
    CHECK(effect_words(idle) == "no effect seen");
    const KernelResult fast = timed(90, {idle});
    // 2.7 ms at most, against 18 to 22 and 3 to 5.
    const auto reasons = measured_reasons(fast, timed(100, {effect(WhatIf::NoBarriers, 0.2, 0.02)}));
    REQUIRE(reasons.size() == 1);
    CHECK(reasons[0].faster.value == 0);
    CHECK_FALSE(reasons[0].faster.is_none);
    CHECK(measured_reasons(fast, timed(100, {effect(WhatIf::NoBarriers, 0.04, 0.01)})).empty());
    CHECK(measured_reasons(fast, timed(100, {idle})).empty());
    Effect start = effect(WhatIf::EmptyKernel, 0.0001, 0);
    start.interval.reset();
    start.at_most = 0.0002;
    CHECK(effect_words(start) == "below 0.1 %");
    CHECK(measured_reasons(timed(90, {start}), timed(100, {effect(WhatIf::EmptyKernel, 0.2, 0.02)})).size() ==
          1);
}

TEST_CASE("inputs that were not tried one by one may cost what all of them do") {
    const KernelResult slow =
        timed(100, {effect(WhatIf::CacheHits, 0.12, 0.02, "B"), effect(WhatIf::CacheHits, 0.14, 0.02)});
    // At least 10 ms, against at most 11 of all inputs.
    CHECK(measured_reasons(timed(100, {effect(WhatIf::CacheHits, 0.09, 0.02)}), slow).empty());
    CHECK(measured_reasons(timed(100, {effect(WhatIf::CacheHits, 0.03, 0.02)}), slow).size() == 1);
    Effect unknown = effect(WhatIf::CacheHits, 0, 0);
    unknown.interval.reset();
    CHECK(measured_reasons(timed(100, {unknown}), slow).empty());
    // A was tried, so there is no B.
    const auto reasons = measured_reasons(
        timed(100, {effect(WhatIf::CacheHits, 0.09, 0.02), effect(WhatIf::CacheHits, 0.01, 0.01, "A")}),
        slow);
    REQUIRE(reasons.size() == 1);
    CHECK(reasons[0].subject == "B");
}

TEST_CASE("equal shares are no reason where the times may be equal") {
    KernelResult fast = timed(80, {effect(WhatIf::Sorted, 0.8, 0.02, "X")}),
                 slow = timed(100, {effect(WhatIf::Sorted, 0.8, 0.02, "X")});
    CHECK(measured_reasons(fast, slow).size() == 1);
    fast.samples_ms = {80, 110, 80, 110, 80, 110, 80, 110, 80, 110};
    CHECK(measured_reasons(fast, slow).empty());
}

TEST_CASE("the order of values is a reason where it costs time, and the answer says where it is a gain") {
    const KernelResult slow = timed(100, {effect(WhatIf::Sorted, 0.4, 0.05, "X")});
    KernelResult fast = timed(40, {effect(WhatIf::Sorted, -0.5, 0.1, "X")});
    const std::vector<Reason> reasons = measured_reasons(fast, slow);
    REQUIRE(reasons.size() == 1);
    CHECK(reasons[0].kind == ReasonKind::ValueOrder);
    CHECK(reasons[0].is_for);
    CHECK(
        reason_words(reasons[0], "local", "global") ==
        "the order of the values in X costs global 40 % (35 – 45 %) of its time, and local nothing that was "
        "seen");
    CHECK(evidence_words(reasons[0], "tiled", "naive") == "measured with X in ascending order");
    CHECK(effect_words(fast.effects->front()) == "1.5× as long when sorted (1.4 – 1.6)");
    const std::vector<KernelResult> results = {slow, fast};
    const std::vector<std::string> labels = {"global", "local"};
    const std::vector<std::string> sentences = order_sentences(results, labels);
    REQUIRE(sentences.size() == 1);
    CHECK(
        sentences[0] ==
        "The answer holds for this order of the values in X: in ascending order, global takes 0.60× its time "
        "and local takes 1.5× its time.");
    // A gain of the order is no cost, however large.
    CHECK(measured_reasons(timed(40), timed(100, {effect(WhatIf::Sorted, -0.5, 0.1, "X")})).empty());
}

TEST_CASE("hot loops differ in vectors and instructions where both are known") {
    KernelResult slow = timed(100), fast = timed(40);
    CHECK(code_reasons(fast, slow).empty());
    slow.hot_loop = {.share = 0.9, .lanes = 1, .instructions_per_operation = 3};
    fast.hot_loop = {.share = 0.8, .lanes = 8, .instructions_per_operation = std::nullopt};
    std::vector<Reason> reasons = code_reasons(fast, slow);
    REQUIRE(reasons.size() == 1);
    CHECK(reasons[0].is_for);
    CHECK(reason_words(reasons[0], "tiled", "naive") ==
          "tiled computes 8 floating-point numbers with an instruction of its hot loop, naive 1");
    CHECK(evidence_words(reasons[0], "tiled", "naive") == "counted in the loop where most samples were");
    fast.hot_loop->lanes = 0;  // it computes with no floating-point numbers there
    CHECK(code_reasons(fast, slow).empty());
    fast.hot_loop->instructions_per_operation = 6;
    reasons = code_reasons(fast, slow);
    REQUIRE(reasons.size() == 1);
    CHECK(reasons[0].kind == ReasonKind::LoopInstructions);
    CHECK_FALSE(reasons[0].is_for);
}

TEST_CASE("kernels that count the same have no counted reason") {
    CHECK(counted_reasons(counted(1000, 4), counted(1000, 4)).empty());
    CHECK(counted_reasons(counted(1000, 4), counted(1100, 4)).empty());  // too small a difference
    KernelResult unknown = counted(1000, 4);
    unknown.xray->counts.reset();
    CHECK(counted_reasons(unknown, counted(4000, 4)).empty());
    unknown.xray.reset();
    CHECK(counted_reasons(counted(4000, 4), unknown).empty());
}

TEST_CASE("each difference has its kind, its figures and its lines") {
    const auto only = [](const KernelResult& fast, const KernelResult& slow) {
        const std::vector<Reason> reasons = counted_reasons(fast, slow);
        REQUIRE(reasons.size() == 1);
        return reasons.front();
    };
    const Reason traffic = only(counted(1000, 4), counted(16000, 4));
    CHECK(traffic.kind == ReasonKind::GlobalTraffic);
    CHECK(traffic.is_for);
    CHECK(reason_words(traffic, "tiled", "naive") ==
          "tiled requests 125 KiB of global memory in loads and stores, naive 2.0 MiB (16\u00d7 as much)");
    CHECK(evidence_words(traffic, "tiled", "naive") == "counted: line 7 of tiled; line 7 of naive");

    const Reason scattered = only(counted(1000, 4), counted(1000, 32));
    CHECK(scattered.kind == ReasonKind::Coalescing);
    CHECK(scattered.slower.value == doctest::Approx(8));
    CHECK(evidence_words(scattered, "tiled", "naive") == "counted: line 7 of naive");

    const Reason barriers = only(counted(10, 4, 5000), counted(10, 4));
    CHECK(barriers.kind == ReasonKind::Barriers);
    CHECK_FALSE(barriers.is_for);
    CHECK(reason_words(barriers, "tiled", "naive") == "tiled passes 5,000 barriers, naive none");

    const Reason atomic =
        only(counted(100, 4, 0, AccessKind::Atomic), counted(1000, 4, 0, AccessKind::Atomic));
    CHECK(atomic.kind == ReasonKind::Atomicity);
    CHECK(atomic.slower.value == 32000);

    // Not of digits that are compared at a glance.
    Reason passes = barriers;
    passes.slower.value = 512;
    CHECK(reason_words(passes, "tiled", "naive") ==
          "tiled passes 5,000 barriers, naive 512 (9.8\u00d7 fewer)");
    passes.faster.value = 8;
    passes.slower.value = 2;
    CHECK(reason_words(passes, "tiled", "naive") == "tiled passes 8 barriers, naive 2");

    // In local memory: other kinds, and only where both kernels use it.
    KernelResult little = counted(1000, 4), much = little;
    for (KernelResult* result : {&little, &much}) {
        XrayReport& counts = *result->xray->counts;
        counts.buffers[0].space = AddressSpace::Local;
        counts.sites[0].ideal_bank_cycles = counts.sites[0].bank_cycles = 1000;
    }
    much.xray->counts->sites[0].requested_bytes *= 8;
    much.xray->counts->sites[0].ideal_bank_cycles = much.xray->counts->sites[0].bank_cycles = 8000;
    CHECK(only(little, much).kind == ReasonKind::LocalTraffic);
    for (KernelResult* result : {&little, &much}) result->xray->counts->sites[0].kind = AccessKind::Atomic;
    much.xray->counts->sites[0].executions *= 8;
    CHECK(only(little, much).kind == ReasonKind::LocalAtomicity);
    little.xray->counts->sites.clear();
    CHECK(counted_reasons(little, much).empty());
}

TEST_CASE("work-groups, launches, width, contention and work differ in one figure each") {
    struct Case {
        ReasonKind kind;
        void (*change)(XrayReport&);  // of the slower kernel
        const char* words;
    };
    for (const auto& [kind, change, words] :
         {Case{ReasonKind::Launches, [](XrayReport& counts) { counts.launches[0].runs = 3; },
               "fast runs in 1 launch, slow 3 launches"},
          Case{ReasonKind::WorkGroups, [](XrayReport& counts) { counts.launches[0].groups = 2; },
               "fast has at most 16 work-groups in a launch, slow 2 work-groups"},
          Case{ReasonKind::GroupSize, [](XrayReport& counts) { counts.launches[0].local = {8}; },
               "fast has 64 work-items in a work-group, slow 8 work-items"},
          Case{ReasonKind::Width, [](XrayReport& counts) { counts.sites[0].executions *= 4; },
               "fast moves 4 bytes per access of global memory, slow 1"},
          Case{ReasonKind::Contention, [](XrayReport& counts) { counts.sites[1].same_address = 8000; },
               "fast directs 1 of a sub-group's atomic operations to the same address (on average), slow "
               "8"},
          Case{ReasonKind::Work,
               [](XrayReport& counts) {
                   counts.launches[0].blocks = XrayBlocks{3'200'000, 100'000, 3'200'000};
               },
               "fast executes 320,000 basic blocks (code between branches), slow 3,200,000 (10\u00d7 "
               "as many)"}}) {
        KernelResult fast = counted(1000, 4), slow = fast;
        for (KernelResult* result : {&fast, &slow}) {
            XrayReport& counts = *result->xray->counts;
            counts.launches[0].runs = 1;
            counts.launches[0].blocks = XrayBlocks{320'000, 10'000, 320'000};
            counts.sites.push_back(counts.sites[0]);
            counts.sites[1].kind = AccessKind::Atomic;
            counts.sites[1].executions = 8000;
            counts.sites[1].same_address = 1000;
            result->launches = {{"k", {1024}, {64}, {}}};
        }
        CHECK(counted_reasons(fast, slow).empty());
        change(*slow.xray->counts);
        const std::vector<Reason> reasons = counted_reasons(fast, slow);
        const std::string name(to_string(kind));
        REQUIRE_MESSAGE(reasons.size() == 1, name);
        CHECK(reasons[0].kind == kind);
        CHECK(reasons[0].is_for);
        CHECK(reason_words(reasons[0], "fast", "slow") == std::string(words));
        // What an earlier version has not counted, and sizes that the driver chooses, are unknown.
        fast.xray->counts->launches[0].runs.reset();
        fast.xray->counts->launches[0].blocks.reset();
        fast.xray->counts->sites[1].same_address.reset();
        fast.launches[0].local.clear();
        CHECK(counted_reasons(fast, slow).size() == (kind == ReasonKind::Width ? 1 : 0));
    }
}

TEST_CASE("the largest difference comes first") {
    const std::vector<Reason> reasons = counted_reasons(counted(1000, 4, 50), counted(16000, 32));
    REQUIRE(reasons.size() >= 2);
    CHECK(reasons[0].kind == ReasonKind::Coalescing);
    CHECK(reasons[1].kind == ReasonKind::GlobalTraffic);
}

/// A run of two kernels, the second one twice as fast.
std::vector<KernelResult> run(KernelResult slow, KernelResult fast) {
    slow.kernel = "p/naive";
    fast.kernel = "p/tiled";
    slow.median_ms = 2;
    fast.median_ms = 1;
    slow.samples_ms.assign(10, 2);
    fast.samples_ms.assign(10, 1);
    fast.speedup = Speedup{"p/naive", 2, Interval{1.9, 2.1}};
    for (KernelResult* const result : {&slow, &fast})
        if (!result->xray) result->xray.emplace();
    return {slow, fast};
}

TEST_CASE("a kernel without local memory has no bank conflicts to compare, and files are told apart") {
    KernelResult conflicts = counted(1000, 4), none = counted(1000, 4);
    XraySite local = conflicts.xray->counts->sites[0];
    conflicts.xray->counts->buffers.push_back(
        {.name = "t", .space = AddressSpace::Local, .type = "float", .element_bytes = 4, .extents = {64}});
    local.buffer = 1;
    local.bank_cycles = 32000;
    local.ideal_bank_cycles = 1000;
    conflicts.xray->counts->sites.push_back(local);
    CHECK(counted_reasons(none, conflicts).empty());
    // Line 7 of the kernel and line 7 of an included file are two places.
    KernelResult slow = counted(16000, 4);
    slow.xray->counts->sites.push_back(slow.xray->counts->sites[0]);
    slow.xray->counts->sites[1].place.file = "part.cl";
    const std::vector<Reason> reasons = counted_reasons(none, slow);
    REQUIRE(!reasons.empty());
    CHECK(reasons[0].slower.places.size() == 2);
}

TEST_CASE("a run ends with the counted reasons and the command that measures") {
    const std::string text = reasons_text(run(counted(16000, 4), counted(1000, 4)), 0, {}, true, {});
    CHECK_MESSAGE(
        says(text, "p/tiled is 2.0× as fast as p/naive (1.9 – 2.1). What X-ray counts differently:"), text);
    CHECK(says(text, "p/tiled requests 125 KiB"));
    CHECK(says(text, "The same command with --why measures what each spends its time on."));
    CHECK(says(reasons_text(run(counted(1000, 4), counted(1000, 4)), 0, {}, false, {}), "no reason found."));
}

TEST_CASE("where no difference is seen, it still says what differs") {
    std::vector<KernelResult> results = run(counted(16000, 4), counted(1000, 4));
    results[1].speedup = Speedup{"p/naive", 1.01, Interval{0.98, 1.04}};
    CHECK(
        says(reasons_text(results, 0, {}, false, {}),
             "No difference seen between p/tiled and p/naive. What X-ray counts differently all the same:"));
}

TEST_CASE("faulty kernels are not explained, and one kernel has only its experiments") {
    std::vector<KernelResult> results = run(counted(16000, 4), counted(1000, 4));
    results[1].verdict = Verdict::Wrong;
    results[1].speedup.reset();
    results[1].median_ms.reset();
    CHECK(reasons_text(results, 0, {}, true, {}) == "");
    Effect refused = effect(WhatIf::NoBarriers, 0, 0);
    refused.share.reset();
    refused.interval.reset();
    refused.obstacle = "the changed source does not compile";
    KernelResult alone = timed(1, {effect(WhatIf::CacheHits, 0.5, 0.1, "B"), refused});
    alone.kernel = "p/naive";
    const std::string text = reasons_text(std::vector{alone}, 0, {}, false, {});
    CHECK(says(text, "B hits the nearest cache"));
    CHECK(says(text, "50 % (40 – 60 %)"));
    CHECK(says(text, "Not measured (p/naive, without barriers): the changed source does not compile."));
}

TEST_CASE("what speaks against the faster kernel comes after the reasons") {
    std::vector<KernelResult> results = run(timed(2, {effect(WhatIf::CacheHits, 0.6, 0.05, "B")}),
                                            timed(1, {effect(WhatIf::NoBarriers, 0.3, 0.05)}));
    CHECK_MESSAGE(says(reasons_text(results, 0, {}, false, {}),
                       "because cache misses of B cost p/naive 60 % (55 – 65 %)"),
                  reasons_text(results, 0, {}, false, {}));
    CHECK(says(reasons_text(results, 0, {}, false, {}), "although barriers cost p/tiled 30 % (25 – 35 %)"));
    results[0].effects->clear();
    CHECK(says(reasons_text(results, 0, {}, false, {}),
               "None of the experiments shows a reason. although barriers cost p/tiled"));
}

TEST_CASE("a decided run whose experiments show nothing says so") {
    std::vector<KernelResult> results =
        run(timed(2, {effect(WhatIf::NoBarriers, 0, 0.1)}), timed(1, {effect(WhatIf::NoBarriers, 0, 0.1)}));
    CHECK(says(reasons_text(results, 0, {}, false, {}), "None of the experiments shows a reason."));
}

/// On one GPU: the shortest possible time, and the occupancy of its launch.
KernelResult on_gpu(double least_ms, BoundKind by, double percent, bool knows_registers = true) {
    KernelResult result = timed(1);
    GpuView view{.gpu = "GPU"};
    view.at_least = LowerBound{.ms = least_ms, .by = by};
    view.launches.push_back({.kernel = "k", .registers = 32, .occupancy = {}, .better = {}});
    view.launches.back().occupancy.percent = percent;
    view.launches.back().occupancy.binding = {OccupancyLimit::LocalMemory};
    view.launches.back().occupancy.knows_registers = knows_registers;
    result.gpus = std::vector{view};
    return result;
}

TEST_CASE("bounds on a GPU are reasons where they differ clearly, for whichever kernel they favour") {
    const KernelResult naive = on_gpu(4, BoundKind::Cache, 100),
                       tiled = on_gpu(1, BoundKind::LocalMemory, 50);
    const std::vector<Reason> reasons = computed_reasons(tiled, naive);
    REQUIRE(reasons.size() == 2);
    CHECK(reasons[0].kind == ReasonKind::GpuTime);
    CHECK(reasons[0].basis == ReasonBasis::Computed);
    CHECK(reasons[0].is_for);
    CHECK(reasons[0].slower.bound == BoundKind::Cache);
    CHECK(reasons[1].kind == ReasonKind::Occupancy);
    CHECK_FALSE(reasons[1].is_for);
    CHECK(
        reason_words(reasons[0], "tiled", "naive") ==
        "on GPU, naive takes at least 4.00 ms (bound by cache), tiled takes at least 1.00 ms (bound by local "
        "memory)");
    CHECK(reason_words(reasons[1], "tiled", "naive") ==
          "on GPU, naive fills 100 % of a compute unit (limited by local memory), tiled fills 50 % of a "
          "compute "
          "unit (limited by local memory)");
    CHECK_FALSE(computed_reasons(naive, tiled)[0].is_for);
    CHECK(computed_reasons(naive, on_gpu(4.5, BoundKind::Cache, 90)).empty());
    // Without registers, the occupancy is only an upper bound.
    CHECK(computed_reasons(tiled, on_gpu(1, BoundKind::Cache, 100, false)).empty());
    CHECK(computed_reasons(tiled, timed(1)).empty());
}

TEST_CASE("memory for lack of registers and double precision are reasons where both kernels' are known") {
    KernelResult lean = on_gpu(1, BoundKind::Cache, 100), large = lean;
    CHECK(computed_reasons(lean, large).empty());
    lean.gpus->front().launches[0].scratch_bytes = 0;
    lean.gpus->front().launches[0].double_share = 0;
    large.gpus->front().launches[0].scratch_bytes = 512;
    CHECK(computed_reasons(lean, large).size() == 1);
    large.gpus->front().launches[0].double_share = 0.5;
    const std::vector<Reason> reasons = computed_reasons(lean, large);
    REQUIRE(reasons.size() == 2);
    CHECK(reasons[0].is_for);
    CHECK(reason_words(reasons[0], "lean", "large") ==
          "on GPU, lean keeps none of each work-item's private variables in memory, large 512 bytes");
    CHECK(reason_words(reasons[1], "lean", "large") ==
          "on GPU, lean has none of its floating-point instructions in double precision, large 50 %");
}

TEST_CASE("all reasons: measured, then counted, then computed") {
    KernelResult slow = counted(1000, 4), fast = counted(100, 4);
    slow.effects = {effect(WhatIf::CacheHits, 0.6, 0.05, "A")};
    fast.effects = {effect(WhatIf::CacheHits, 0.0, 0.03, "A")};
    for (KernelResult* one : {&slow, &fast})
        for (Effect& any : *one->effects) any.as_it_is_ms = 1;
    slow.gpus = on_gpu(4, BoundKind::Cache, 100).gpus;
    fast.gpus = on_gpu(1, BoundKind::Cache, 100).gpus;
    std::vector<ReasonBasis> bases;
    for (const Reason& reason : reasons_of(fast, slow)) bases.push_back(reason.basis);
    CHECK(bases == std::vector{ReasonBasis::Measured, ReasonBasis::Counted, ReasonBasis::Computed});
}

TEST_CASE(
    "repeated loads that the second-level cache serves are named, with the size from which it does not") {
    // A of 512 x 512 floats, 1 MiB: loaded 512 times in one kernel, and 32 times in the other.
    constexpr std::uint64_t kOnce = 512 * 512 / 32;
    KernelResult naive = counted(512 * kOnce, 4), tiled = counted(32 * kOnce, 4);
    for (KernelResult* result : {&naive, &tiled}) {
        result->size = {{"M", 512}, {"N", 512}};
        result->xray->counts->buffers.front().extents = {512, 512};
    }
    struct Cache {
        std::uint64_t kib;
        std::int64_t exceeding_size;  // 0: the buffer does not fit
    };
    for (const auto& [kib, size] : {Cache{256, 0},
                                    {512, 0},
                                    {1023, 0},
                                    {1024, 576},
                                    {1280, 576},
                                    {2048, 768},
                                    {4096, 1088},
                                    {32768, 2944}}) {
        const auto hidden = find_hidden_loads(naive, tiled, kib * 1024);
        REQUIRE(hidden.has_value() == (size > 0));
        if (!hidden) continue;
        CHECK(hidden->buffer == "A");
        CHECK(hidden->exceeding_size == size);
        CHECK(4 * size * size > static_cast<std::int64_t>(kib) * 1024);
    }
    CHECK(hidden_words(*find_hidden_loads(naive, tiled, 2 << 20)) ==
          "A, 1 MiB, fits in the 2 MiB second-level cache of this CPU, which can serve its repeated "
          "loads; from "
          "size 768 on it does not fit");
    CHECK_FALSE(find_hidden_loads(naive, tiled, 0));
    CHECK_FALSE(find_hidden_loads(naive, naive, 2 << 20));
    CHECK_FALSE(find_hidden_loads(counted(3 * kOnce, 4), counted(2 * kOnce, 4), 2 << 20));
}

}  // namespace
}  // namespace kwb::test

TEST_CASE("one kernel is compared with what the device can do") {
    KernelResult result;
    result.kernel = "naive";
    const RooflineCeilings ceilings{.gflops = 100, .gbytes_s = 10};
    CHECK(ceilings_text(result, ceilings, {}).empty());  // without a time
    result.gflops = 2;
    result.gbytes_s = 0.1;
    CHECK(ceilings_text(result, {}, {}).empty());
    CHECK(has(
        ceilings_text(result, ceilings, {.width = 1000}),
        "naive reaches 2.0 % of the device's single-precision arithmetic (2.00 of 100 GFLOP/s) and 1.0 % of "
        "its memory bandwidth (0.100 of 10.0 GB/s of bytes that must move) [measured]. It is near neither "
        "limit, so something else takes its time."));
    result.gbytes_s = 20;
    CHECK(has(ceilings_text(result, ceilings, {.width = 1000}),
              "[measured]. Caches serve it: it moves these bytes faster than memory does.\n"));
    result.gflops = 200;
    CHECK(has(ceilings_text(result, ceilings, {.width = 1000}), "ceiling of arithmetic is too low"));
    result.gflops = 2;
    result.gbytes_s = 9;
    CHECK(has(ceilings_text(result, ceilings, {.width = 1000}), "Its limit is memory bandwidth."));
    KernelResult library = result;
    library.kernel = kHostBlasName;
    CHECK(ceilings_text(library, ceilings, {}).empty());
    result.gpus = {GpuView{.gpu = "NVIDIA A100", .at_least = LowerBound{.ms = 0.5, .by = BoundKind::Cache}}};
    CHECK(has(ceilings_text(result, {}, {.width = 1000}),
              "On NVIDIA A100, it takes at least 500 µs (bound by cache), computed from X-ray's counts."));
}
