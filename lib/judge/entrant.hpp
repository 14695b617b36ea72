// One contestant on its way through a run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "ipc/output_capture.hpp"
#include "ipc/runner_messages.hpp"
#include "judge/processes/device_bench.hpp"
#include "judge/processes/runner_process.hpp"
#include "judge/reference/inputs.hpp"
#include "judge/timing/plausible_times.hpp"
#include "model/finding_words.hpp"
#include "model/request.hpp"

namespace kwb {

struct Entrant {
    std::size_t index = 0;             ///< in the request
    const KernelPlan* plan = nullptr;  ///< null: cpu:blas
    DeviceBench* bench = nullptr;      ///< of its domain of trust; null: cpu:blas
    KernelResult result;
    bool in_race = true;  ///< nothing has gone wrong so far

    std::vector<ExecuteLaunch> launches;
    std::vector<BufferOperation> init;
    std::vector<std::vector<double>> launch_ms;  ///< per round, one time a launch
    std::uint32_t runs = 0;                      ///< timed so far
    double last_run_ms = 0;                      ///< of the last checked or timed run, without compiling
    double last_turn_ms = 0;                     ///< device time of the last turn
    bool is_unseen = false;  ///< a timed turn came after the last outputs that were judged
    /// The payloads that passed each pass, in the order of the instance's outputs: with the same inputs an
    /// output with these very bits is right, and with others it is an old answer.
    std::map<Pass, std::vector<std::vector<std::byte>>> proven_outputs;
    bool keeps_outputs = false;
    /// What it wrote last in a checked run, right or wrong; only if they are kept.
    NamedList<std::vector<std::byte>> kept_outputs;
    OutputCapture output;                     ///< what the program printed in all its runs
    bool pages_checked = false;               ///< its buffers have been against unreadable pages
    std::vector<TurnTimes> turn_times;        ///< one a turn that a warm runner took
    std::optional<ClockDisagreement> clocks;  ///< of the first turn in which they disagreed

    /// Whether it still has to show that it is right.
    bool is_unsettled() const { return in_race && result.verdict != Verdict::Correct; }

    /// Out of the race, with this verdict.
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
    void fail(const Loss& loss) {
        fail(loss.verdict, loss.reason);
        result.evidence = loss.evidence;
    }
};

}  // namespace kwb
