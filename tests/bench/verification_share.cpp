// SPDX-License-Identifier: Apache-2.0
// Part 9: verification's share of a run, from the stages that the judge reports.
#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "base/error.hpp"
#include "catalog/kernel_file.hpp"
#include "parts.hpp"
#include "stats/interval.hpp"
#include "support/judge_client.hpp"

namespace kwb::bench {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr int kVerifiedSize = 1024;
constexpr double kLargestShare = 0.25;

struct Split {
    double whole_ms = 0;         ///< from the judge's start to the end of the request
    double verification_ms = 0;  ///< part of whole_ms
};

/// When the messages of one request arrived, in milliseconds after sending it.
struct Course {
    double done_ms = 0;
    std::optional<double> build_ms;       ///< start of the stage "build"
    std::optional<double> first_turn_ms;  ///< end of the first turn
    double last_turn_ms = 0;              ///< end of the last reported turn
    std::uint32_t turns_between = 0;      ///< number of turns from the first to the last reported one
    KernelResult result;
};

Course follow(test::JudgeClient& judge, const RunRequest& request) {
    const auto start = std::chrono::steady_clock::now();
    judge.send(request);
    Course course;
    for (;;) {
        JudgeEvent event = judge.next_event();
        const double now_ms = Milliseconds(std::chrono::steady_clock::now() - start).count();
        if (const auto* progress = std::get_if<Progress>(&event)) {
            if (progress->stage == "build" && !course.build_ms) course.build_ms = now_ms;
            if (progress->stage != "time") continue;
            if (!course.first_turn_ms) course.first_turn_ms = now_ms;
            course.last_turn_ms = now_ms;
            course.turns_between = progress->rounds;
        } else if (auto* result = std::get_if<ResultEvent>(&event)) {
            if (!result->is_final) continue;
            if (result->result.verdict != Verdict::Correct) throw EnvironmentError(result->result.reason);
            course.result = std::move(result->result);
        } else if (const auto* error = std::get_if<ErrorEvent>(&event)) {
            throw EnvironmentError(error->message);
        } else {
            course.done_ms = now_ms;
            return course;
        }
    }
}

/// A turn is reported when it ends, so its length is the time between two reports.
double turn_ms(test::JudgeClient& judge, RunRequest request) {
    request.rounds = 4;
    request.time_budget_ms.reset();
    const Course course = follow(judge, request);
    if (course.turns_between == 0) throw EnvironmentError("the judge did not report its turns");
    return (course.last_turn_ms - course.first_turn_ms.value()) / course.turns_between;
}

/// One run as in `kwb run matmul/tiled --size 1024`, with a new judge.
///
/// A run without verification would also need everything up to the build, the build itself, the turns, and
/// one run before the first turn: launches of this length have no warm-up runs within a turn
/// (model/turn.hpp), and the first one compiles. The rest counts as verification: generating inputs and
/// references, and both checks. Timing needs inputs too, so the share is an overestimate.
Split run_once(const Setting& setting) {
    const auto start = std::chrono::steady_clock::now();
    test::JudgeClient judge({setting.judge(), "", {}});
    const auto devices = judge.ask(ListDevices{}).devices;
    if (!devices) throw EnvironmentError("the judge lists no devices");
    OpenedExperiment experiment;
    experiment.contestants = {open_kernel_file(setting.kernel("02_tiled.cl"), "tiled")};
    const RunRequest request = make_request(experiment, common_problem(experiment.contestants),
                                            square(kVerifiedSize), choose_device(*devices, std::nullopt));
    const double before_ms = Milliseconds(std::chrono::steady_clock::now() - start).count();
    const Course course = follow(judge, request);

    const double turns = static_cast<double>(course.result.samples_ms.size());
    const double timing_ms = turn_ms(judge, request) * turns + course.result.median_ms.value();
    return {before_ms + course.done_ms,
            course.done_ms - course.build_ms.value() - course.result.build_ms.value() - timing_ms};
}

}  // namespace

std::vector<Row> measure_verification(const Setting& setting) {
    announce("stages of a run at 1024");
    run_once(setting);
    std::vector<double> added;
    std::vector<double> verification_ms;
    for (int i = 0; i < setting.repetitions(15, 6); ++i) {
        const Split split = run_once(setting);
        verification_ms.push_back(split.verification_ms);
        added.push_back(split.verification_ms / (split.whole_ms - split.verification_ms) * 100);
    }
    return {{fmt::format("9. what verification adds to kwb run matmul/tiled --size {}", kVerifiedSize),
             fmt::format("{:.0f} %", kLargestShare * 100),
             fmt::format("{}; {:.3g} ms", describe(added, "%"), stats::median(verification_ms)),
             stats::median(added) <= kLargestShare * 100}};
}

}  // namespace kwb::bench
