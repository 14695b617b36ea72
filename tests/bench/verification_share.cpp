// Part 9: how much of a run is verification, told from the stages that the judge reports.
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
    double whole_ms = 0;         ///< from the start of the judge to the end of the request
    double verification_ms = 0;  ///< of it
};

/// When what was heard of one request, in milliseconds from its sending.
struct Course {
    double done_ms = 0;
    std::optional<double> build_ms;       ///< the stage "build" began
    std::optional<double> first_turn_ms;  ///< ended
    double last_turn_ms = 0;              ///< of those that were reported: ended
    std::uint32_t turns_between = 0;      ///< the first and the last reported
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

/// A turn is reported when it has ended: its length is the time from one report to the next.
double turn_ms(test::JudgeClient& judge, RunRequest request) {
    request.rounds = 4;
    request.time_budget_ms.reset();
    const Course course = follow(judge, request);
    if (course.turns_between == 0) throw EnvironmentError("the judge did not report its turns");
    return (course.last_turn_ms - course.first_turn_ms.value()) / course.turns_between;
}

/// One run as `kwb run matmul/tiled --size 1024` makes it, with a judge of its own.
///
/// What comes before the build, the build itself and the turns would be there without verification, and one
/// run before the first turn: runs as long as these have none discarded within a turn (model/turn.hpp), and
/// the first compiles. The rest is counted as verification: making inputs and references, and both checks.
/// Inputs are needed for timing too, so the share is rather too large than too small.
Split run_once(const Setting& setting) {
    const auto start = std::chrono::steady_clock::now();
    test::JudgeClient judge({setting.judge(), "", {}});
    const auto devices = judge.ask(ListDevices{}).devices;
    if (!devices) throw EnvironmentError("the judge lists no devices");
    Experiment experiment;
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
