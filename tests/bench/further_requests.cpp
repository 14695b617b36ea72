// Part 3: what a further request to a live judge costs beyond its launches.
#include <fmt/format.h>

#include "bare_loop_process.hpp"
#include "parts.hpp"
#include "stats/interval.hpp"

namespace kwb::bench {
namespace {

constexpr int kSize = 64;
constexpr double kLimitMs = 5;

}  // namespace

std::vector<Row> measure_further_requests(const Setting& setting, LiveJudge& judge) {
    announce("further requests to a live judge");
    RunRequest check = judge.request_for(setting.kernel("01_naive.cl"), square(kSize));
    RunRequest run = check;
    check.mode = RunRequest::Mode::Check;
    check.rounds.reset();
    run.rounds = 6;
    BareLoopProcess bare(setting, setting.kernel("01_naive.cl"), run.contestants.front().kernel.value(),
                         kSize);
    judge.ask(run);
    bare.take_turn();

    // A launch costs what it costs in the bare loop, by the wall clock. A check does two of them; a run does
    // these, its turns, and one more that looks for changed inputs.
    std::vector<double> check_ms;
    std::vector<double> run_ms;
    for (int i = 0; i < setting.repetitions(40, 10); ++i) {
        const BareTurn turn = bare.take_turn();
        const double launch_ms = turn.wall_ms / turn.runs;
        check_ms.push_back(judge.ask(check).wall_ms - 2 * launch_ms);
        run_ms.push_back(judge.ask(run).wall_ms - 6 * turn.wall_ms - 3 * launch_ms);
    }
    return {{"3. a further check at 64, beyond its 2 launches", "5 ms", describe(check_ms, "ms"),
             stats::median(check_ms) <= kLimitMs},
            {"3. a further run of 6 rounds at 64, beyond its launches (as the bare loop does them)", "5 ms",
             describe(run_ms, "ms"), stats::median(run_ms) <= kLimitMs}};
}

}  // namespace kwb::bench
