// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "bare_loop_process.hpp"
#include "base/secret.hpp"
#include "ipc/arena.hpp"
#include "parts.hpp"
#include "stats/interval.hpp"

namespace kwb::bench {

// Part 3: overhead of a further request to a running judge, beyond its launches.

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

    // Launches are assumed to take as long as in the bare loop (wall clock). A check has two launches; a run
    // has these, its turns, and one more to detect changed inputs.
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

// Part 3: reading 16 MiB back into the judge takes two copies: device to arena, arena to judge.

namespace {

constexpr std::size_t kBytes = 16u << 20;

/// The judge's copy cannot be measured from outside, so repeat it here: the arena was written through another
/// mapping, and this mapping has not been touched yet.
double copy_out_ms() {
    Arena owner = Arena::create();
    owner.grow(kBytes);
    Arena borrower = Arena::adopt(Fd(::fcntl(owner.fd(), F_DUPFD_CLOEXEC, 0)));
    borrower.require(kBytes);
    std::ranges::fill(borrower.range(0, kBytes), std::byte{1});
    const auto start = std::chrono::steady_clock::now();
    const auto place = owner.range(0, kBytes);
    const std::vector<std::byte> copy(place.begin(), place.end());
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    return copy.back() == std::byte{1} ? wall.count() : 0;
}

}  // namespace

std::vector<Row> measure_read_back(const Setting& setting, LiveJudge& judge) {
    announce("reading 16 MiB back");
    // C has 2048 x 2048 floats. With K = 1 the inputs, which a check reads back too, are small.
    RunRequest request =
        judge.request_for(setting.kernel("01_naive.cl"), {{"M", 2048}, {"N", 2048}, {"K", 1}});
    request.mode = RunRequest::Mode::Check;
    request.rounds.reset();
    judge.ask(request);
    std::vector<double> total_ms;
    std::vector<double> download_ms;
    for (int i = 0; i < setting.repetitions(20, 6); ++i) {
        download_ms.push_back(judge.ask(request).result.download_ms.value());
        total_ms.push_back(download_ms.back() + copy_out_ms());
    }
    return {
        {"3. 16 MiB from the device to the judge (download_ms, and a copy out of the arena as the judge "
         "does it)",
         "10 ms",
         fmt::format("{}; of it download_ms {:.3g}", describe(total_ms, "ms"), stats::median(download_ms)),
         stats::median(total_ms) <= 10}};
}

// Part 20: from the command to the result, of a kernel of one's own that is edited before each run.

namespace {

/// As long as somebody needs at least to read a result and edit a line.
constexpr std::chrono::seconds kEditing{4};

/// @param expects_runs  as the window and kwb learn do
std::vector<double> time_new_texts(const Setting& setting, bool expects_runs) {
    LiveJudge judge(setting);
    if (expects_runs) judge.session().expect_runs(judge.device().id);
    std::vector<double> ms;
    for (int i = 0; i < setting.repetitions(12, 4); ++i) {
        RunRequest request = judge.request_for(setting.kernel("02_tiled.cl"), square(64));
        KernelPlan& plan = request.contestants.front().kernel.value();
        plan.trust = Trust::Own;
        plan.source_text += fmt::format("// {}\n", draw_secret());
        std::this_thread::sleep_for(kEditing);
        ms.push_back(judge.ask(request).wall_ms);
    }
    return ms;
}

}  // namespace

std::vector<Row> measure_new_texts(const Setting& setting) {
    announce("texts that no compiler has seen");
    const std::vector<double> cold_ms = time_new_texts(setting, false);
    const std::vector<double> ready_ms = time_new_texts(setting, true);
    const double goal_ms = std::min(800.0, stats::median(cold_ms) / 2);
    return {{"20. a run of matmul/tiled as an own kernel, each text new, where runs are expected",
             fmt::format("800 ms, and half of that without: {:.0f} ms", goal_ms), describe(ready_ms, "ms"),
             stats::median(ready_ms) <= goal_ms},
            {"20. the same where none are expected", "none", describe(cold_ms, "ms"), true}};
}

}  // namespace kwb::bench
