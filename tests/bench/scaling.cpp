// SPDX-License-Identifier: Apache-2.0
// Part 19: a tuning that 1 to 1,000 judges share, simulated with recorded times: how long judges have nothing
// to do.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <queue>
#include <vector>

#include "parts.hpp"
#include "support/recorded_space.hpp"
#include "tune/tuning.hpp"

namespace kwb::bench {
namespace {

/// As measured with `kwb tune matmul/tiled` on PoCL (docs/scaling.md): processor time and bytes that each
/// configuration of a run costs the process that hands the work out.
constexpr double kFaceMs = 1.4;
constexpr double kFaceBytes = 13'400;

/// From handing out a run to its first byte there, and back.
constexpr double kLatencyMs = 2;

/// A configuration's build and checks, and the rounds of its timing.
constexpr double kChecksMs = 400;
constexpr double kTimedRuns = 60;
constexpr double kLeastTimingMs = 100;
constexpr double kMostTimingMs = 2000;

constexpr std::size_t kConfigurations = 10'000;

/// Kernel times of all recorded spaces, again and again.
std::vector<double> recorded_times_ms() {
    std::vector<double> recorded;
    for (const RecordedSpace& space : recorded_spaces())
        for (const auto& time_ms : space.times_ms)
            if (time_ms) recorded.push_back(*time_ms);
    std::vector<double> times_ms;
    for (std::size_t i = 0; i < kConfigurations; ++i) times_ms.push_back(recorded[i % recorded.size()]);
    return times_ms;
}

Space space_of_all() {
    SpaceInput input;
    for (const char* name : {"A", "B"}) {
        input.params.push_back({name, {}});
        for (std::int64_t value = 0; value < 100; ++value) input.params.back().value.emplace_back(value);
    }
    return Space(std::move(input));
}

struct Judge {
    double slowness = 1;
    double busy_ms = 0;
    std::optional<TuneRun> run = {};
};

struct Outcome {
    double total_ms = 0;
    double idle_share = 0;   ///< of the judges' time
    double face_share = 0;   ///< of the time, in which the process that hands out has work
    double megabytes_s = 0;  ///< through it
    double speeds = 0;       ///< of all judges together; 1: of the fastest one
    std::size_t runs = 0;
    std::size_t tried = 0;
};

class Simulation {
public:
    explicit Simulation(std::size_t judges)
        : space_(space_of_all()),
          strategy_(make_strategy(StrategyKind::Random, space_, 1)),
          tuning_(*strategy_, {}, space_.size(), judges) {
        for (std::size_t i = 0; i < judges; ++i)
            judges_.push_back({1 + static_cast<double>(i % 4) / 3});  // up to twice as slow
    }

    Outcome run() {
        hand_out(0);
        while (!ends_.empty()) {
            const auto [end_ms, judge] = ends_.top();
            ends_.pop();
            take(judge, end_ms);
            hand_out(end_ms);
        }
        Outcome outcome;
        outcome.total_ms = last_ms_;
        double busy_ms = 0;
        for (const Judge& judge : judges_) {
            busy_ms += judge.busy_ms;
            outcome.speeds += 1 / judge.slowness;
        }
        outcome.idle_share = 1 - busy_ms / (last_ms_ * static_cast<double>(judges_.size()));
        outcome.face_share = face_ms_ / last_ms_;
        outcome.megabytes_s = kFaceBytes * static_cast<double>(handed_out_) / 1e6 / (last_ms_ / 1000);
        outcome.runs = runs_;
        outcome.tried = tuning_.tried();
        return outcome;
    }

private:
    using End = std::pair<double, std::size_t>;

    void hand_out(double now_ms) {
        for (std::size_t i = 0; i < judges_.size(); ++i) {
            if (judges_[i].run) continue;
            judges_[i].run = tuning_.next_run(now_ms);
            if (!judges_[i].run) return;
            const double begin_ms = work_of_face(now_ms, judges_[i].run->configurations.size()) + kLatencyMs;
            double took_ms = 0;
            for (const std::size_t configuration : judges_[i].run->configurations)
                took_ms += wall_ms(configuration) * judges_[i].slowness;
            judges_[i].busy_ms += took_ms;
            ends_.push({begin_ms + took_ms, i});
            ++runs_;
        }
    }

    void take(std::size_t judge, double end_ms) {
        const TuneRun run = *std::exchange(judges_[judge].run, std::nullopt);
        std::vector<KernelResult> results;
        const std::size_t baseline = run.configurations.front();
        for (const std::size_t configuration : run.configurations) {
            KernelResult& result = results.emplace_back();
            result.verdict = Verdict::Correct;
            result.median_ms = times_ms_[configuration] * judges_[judge].slowness;
            if (configuration != baseline)
                result.speedup = Speedup{"", times_ms_[baseline] / times_ms_[configuration], {}};
        }
        tuning_.take(run, std::move(results), Tuning::End::Complete);
        last_ms_ = std::max(last_ms_, end_ms);
    }

    /// One run after the other. @return  when it is done
    double work_of_face(double now_ms, std::size_t configurations) {
        const double took_ms = kFaceMs * static_cast<double>(configurations);
        handed_out_ += configurations;
        face_ms_ += took_ms;
        face_free_ms_ = std::max(face_free_ms_, now_ms) + took_ms;
        return face_free_ms_;
    }

    double wall_ms(std::size_t configuration) const {
        return kChecksMs + std::clamp(kTimedRuns * times_ms_[configuration], kLeastTimingMs, kMostTimingMs);
    }

    const std::vector<double> times_ms_ = recorded_times_ms();
    Space space_;
    std::unique_ptr<Strategy> strategy_;
    Tuning tuning_;
    std::vector<Judge> judges_;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
    double face_ms_ = 0;
    double face_free_ms_ = 0;
    double last_ms_ = 0;
    std::size_t runs_ = 0;
    std::size_t handed_out_ = 0;
};

}  // namespace

std::vector<Row> measure_scaling() {
    std::vector<Row> rows;
    double alone_ms = 0;
    for (const std::size_t judges : {1u, 10u, 100u, 1000u}) {
        announce(fmt::format("{} judges, simulated", judges));
        const auto start = std::chrono::steady_clock::now();
        const Outcome outcome = Simulation(judges).run();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        if (judges == 1) alone_ms = outcome.total_ms;
        rows.push_back({fmt::format("19. {} configurations, {} judges of which some are up to twice as slow",
                                    kConfigurations, judges),
                        "all tried",
                        fmt::format("{:.0f} s ({:.1f} times as fast, at best {:.1f}), judges idle {:.1f} %, "
                                    "the face busy {:.1f} %, {:.2f} MB/s "
                                    "through it, {} runs; deciding what runs next took {:.2f} s",
                                    outcome.total_ms / 1000, alone_ms / outcome.total_ms, outcome.speeds,
                                    100 * outcome.idle_share, 100 * outcome.face_share, outcome.megabytes_s,
                                    outcome.runs, took.count()),
                        outcome.tried == kConfigurations});
    }
    return rows;
}

}  // namespace kwb::bench
