// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of the requests to a judge and its progress messages.
#pragma once

#include "model/plan_fields.hpp"
#include "model/request.hpp"
#include "model/result_fields.hpp"
#include "model/xray_fields.hpp"

namespace kwb {

template <>
struct JsonForm<std::shared_ptr<const DeclaredInstance>> {
    using Pointer = std::shared_ptr<const DeclaredInstance>;
    static Json write(const Pointer& declared) { return declared ? write_json(*declared) : Json(nullptr); }
    static void read(const JsonPlace& place, Pointer& declared) {
        if (place.json.is_null()) return;
        auto instance = std::make_shared<DeclaredInstance>();
        read_json(place, *instance);
        declared = std::move(instance);
    }
};

/// The fields of a contestant that is a kernel.
struct ContestantParts {
    KernelPlan kernel;
    std::optional<XraySize> xray_size;
};

template <class Fields>
void describe(Fields& f, XraySize& size) {
    f("sizes", size.sizes, at_least(1));
    f("plan", size.plan);
    f("declared", size.declared);
}

template <class Fields>
void describe(Fields& f, ContestantParts& parts) {
    f("kernel", parts.kernel);
    f("xray_size", parts.xray_size);
}

/// A record, or the string "cpu:blas".
template <>
struct JsonForm<Contestant> {
    static Json write(const Contestant& contestant) {
        if (!contestant.kernel) return kHostBlasName;
        return write_json(ContestantParts{*contestant.kernel, contestant.xray_size});
    }
    static void read(const JsonPlace& place, Contestant& contestant) {
        if (place.json == kHostBlasName) return;
        ContestantParts parts;
        read_json(place, parts);
        contestant = {std::move(parts.kernel), std::move(parts.xray_size)};
    }
};

template <class Fields>
void describe(Fields& f, RunRequest& request) {
    constexpr Limits kAboveZero = {
        .least = std::numeric_limits<double>::denorm_min(), .takes_nan = false, .wanted = "above 0"};
    f("mode", request.mode);
    f("device", request.device);
    f("problem", request.problem);
    f("sizes", request.sizes, at_least(1));
    f("seed", request.seed);
    f("contestants", request.contestants, items(1));
    f("baseline", request.baseline);
    f("rounds", request.rounds, at_most(1'000'000));
    f("time_budget_ms", request.time_budget_ms, at_least(0));
    f("interval_budget_ms", request.interval_budget_ms, at_least(0));
    f("answer_budget_ms", request.answer_budget_ms, at_least(0));
    f("races", request.races);
    f("timeout_ms", request.timeout_ms, kAboveZero);
    f("unreadable_pages", request.unreadable_pages);
    f("keep_outputs", request.keep_outputs);
    f("send_maps", request.send_maps);
    f("xray", request.xray);
    f("what_if", request.what_if);
    f("most_gflops", request.most_gflops, kAboveZero);
    f("most_gbytes_s", request.most_gbytes_s, kAboveZero);
    f("submission", request.submission);
    f("declared", request.declared);
}

inline std::optional<Flaw> check(const RunRequest& request) {
    if (request.baseline >= request.contestants.size()) return Flaw{"baseline", "one of the contestants"};
    return std::nullopt;
}

template <class Fields>
void describe(Fields& f, XrayRequest& request) {
    f("device", request.device);
    f("problem", request.problem);
    f("sizes", request.sizes, at_least(1));
    f("kernel", request.kernel);
    f("options", request.options);
    f("machine_code", request.machine_code);
    f("find_wrong", request.find_wrong);
    f("declared", request.declared);
}

template <class Fields>
void describe(Fields& f, Progress& progress) {
    f("stage", progress.stage);
    f("kernel", progress.kernel);
    f("rounds", progress.rounds);
    f("runs", progress.runs);
    f("median_ms", progress.median_ms);
    f("ci95_ms", progress.ci95_ms);
    f("elapsed_ms", progress.elapsed_ms, kDuration);
    f("limit_ms", progress.limit_ms, kDuration);
    f("contestant", progress.contestant);
    f("extended", progress.is_extended);
}

}  // namespace kwb
