// SPDX-License-Identifier: Apache-2.0
// The state of one contestant during a run, and the result that it becomes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "ipc/captured_output.hpp"
#include "ipc/judge_messages.hpp"
#include "ipc/runner_messages.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/processes/runner_process.hpp"
#include "judge/reference/inputs.hpp"
#include "judge/timing/plausible_times.hpp"
#include "model/finding_words.hpp"
#include "model/request.hpp"
#include "model/xray.hpp"

namespace kwb {

struct ContestantState {
    std::size_t index = 0;             ///< in the request
    const KernelPlan* plan = nullptr;  ///< null: cpu:blas
    DeviceBench* bench = nullptr;      ///< of its trust domain; null: cpu:blas
    KernelResult result;
    bool in_race = true;  ///< false once it has failed

    std::vector<Launch> launches;
    std::vector<BufferOperation> init;
    std::vector<std::vector<double>> launch_ms;  ///< one row for each round, one time for each launch
    std::uint32_t runs = 0;                      ///< timed so far
    double last_run_ms = 0;                      ///< of the last checked or timed run, without compilation
    double last_turn_ms = 0;                     ///< device time of the last turn
    /// The output payloads that were correct in each pass, in the order of the instance's outputs. An output
    /// that is identical to the proven one of the same pass is correct; identical to that of the other pass,
    /// it is stale.
    std::map<Pass, std::vector<std::vector<std::byte>>> proven_outputs;
    Verdict verdict_if_sound = Verdict::Correct;  ///< or Ran, if no reference defines what is correct
    bool keeps_outputs = false;
    /// The outputs of its last checked run that was not timed, right or wrong, in the order of the instance's
    /// outputs; only with `keeps_outputs`.
    std::vector<std::vector<std::byte>> kept_outputs;
    std::optional<std::vector<Finding>>
        suspicions;                   ///< source/suspicions.hpp; nullopt: the source has not been read
    std::vector<XrayPlace> barriers;  ///< that X-ray saw work-items reach
    /// The sizes at which its source gives the expected result as X-ray runs it, though it is wrong on the
    /// device, and X-ray found nothing that the language does not promise.
    std::optional<Sizes> right_in_xray;
    OutputCapture output;                     ///< what it printed: see keep_output()
    bool pages_checked = false;               ///< it has been run with buffers next to unreadable pages
    std::vector<TurnTimes> turn_times;        ///< one for each turn of a warm runner
    std::optional<ClockDisagreement> clocks;  ///< from the first turn in which they disagreed
    bool has_clock = true;                    ///< the device's clock has measured usable times in each turn

    /// True while it has no verdict yet.
    bool is_undecided() const { return in_race && !is_good(result.verdict); }

    /// Keeps what one run printed: that of the first that did, because the others say the same hundreds of
    /// times, and that of one that failed.
    void keep_output(OutputCapture printed, bool has_failed) {
        if (has_failed || output.kept().empty()) output.append(std::move(printed));
    }

    /// Gives it this verdict and takes it out of the race.
    void fail(Verdict verdict, std::string reason) {
        result.verdict = verdict;
        result.reason = std::move(reason);
        result.finding.reset();
        in_race = false;
    }
    void fail(Verdict verdict, Finding finding) {
        fail(verdict, sentence_of(finding));
        result.finding = std::move(finding);
    }
    void fail(const Failure& failure) {
        fail(failure.verdict, failure.reason);
        result.evidence = failure.evidence;
    }
};

// Converts a contestant's state to its result, during a run and at its end.

/// The part of a contestant's result that the face does not have yet: new samples, or, once it has a verdict,
/// everything but the error map.
/// @param samples_sent  number of samples sent earlier
ResultEvent partial_result(const ContestantState& contestant, const RunRequest& request,
                           std::size_t samples_sent);

/// Completes the result at the end of a run: times, rates, warnings, and a verdict if it has none yet.
/// @param stopped  the user stopped the run
/// @param failure  a sentence with the reason why the run could not continue; empty if it could
void complete_result(ContestantState& contestant, const ProblemInstance& instance, bool stopped,
                     const std::string& failure);

/// Adds the speedup over `baseline` if both have times. Its interval extends to the quotient of the medians
/// where that contradicts the ratios of the rounds, so that no answer contradicts the times beside it.
void compare_times(const ContestantState& baseline, ContestantState& contestant);

}  // namespace kwb
