// SPDX-License-Identifier: Apache-2.0
// Parts 7 and 8: cost of the sandbox at a runner's start and while a kernel runs.
#include <fmt/format.h>
#include <poll.h>

#include <chrono>
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "ipc/channel.hpp"
#include "ipc/child.hpp"
#include "ipc/runner_messages.hpp"
#include "parts.hpp"
#include "sandbox/policies.hpp"
#include "stats/interval.hpp"

namespace kwb::bench {
namespace {

constexpr double kLargestStartMs = 10;
constexpr double kLargestSandboxDeviation = 0.02;
constexpr double kPatienceMs = 30'000;

Message next_message(Child& runner) {
    const Deadline deadline = deadline_after_ms(kPatienceMs);
    for (;;) {
        if (auto message = runner.channel().take()) return std::move(*message);
        pollfd ready{runner.channel().read_fd(), POLLIN, 0};
        const bool silent = ::poll(&ready, 1, poll_timeout_ms(deadline)) == 0;
        if (silent || (!runner.channel().read_available() && !runner.channel().cut_off()))
            throw EnvironmentError("a runner says nothing, or has ended");
    }
}

template <class Reply, class Request>
Reply ask(Child& runner, const Request& request) {
    runner.channel().send(to_json(request));
    RunnerReply reply = runner_reply_from_json(next_message(runner).json);
    if (const auto* failed = std::get_if<FailedReply>(&reply)) throw EnvironmentError(failed->describe());
    return std::get<Reply>(std::move(reply));
}

/// Time from starting a runner, as the judge does it, until it has listed its devices. This includes loading
/// libraries inside the sandbox.
double start_ms(const Setting& setting, bool confined) {
    const std::filesystem::path cache = setting.warm_cache() / "runner";
    const std::filesystem::path temporary = setting.scratch / "tmp";
    for (const auto& folder : {cache, temporary}) std::filesystem::create_directories(folder);
    ChildOptions options;
    options.command = {setting.runner()};
    options.environment = {{"POCL_CACHE_DIR", cache}, {"TMPDIR", temporary}};
    options.over_sockets = true;
    const auto start = std::chrono::steady_clock::now();
    Child runner = Child::spawn(options);
    require_hello(next_message(runner), "kwb-runner");
    if (confined) {
        const SandboxReport report =
            ask<ConfinedReply>(runner, ConfineRequest{make_policy("", cache, temporary)}).report;
        if (!report.enforced) throw EnvironmentError("the sandbox is not in force: " + report.describe());
    }
    const auto devices = ask<DeviceList>(runner, DevicesRequest{});
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    if (devices.devices.empty()) throw EnvironmentError("a runner found no device");
    return wall.count();
}

/// Median time of a kernel in new processes. The placement of a runner's memory changes the speed of kernels
/// with strided access by up to about 15 %, for the life of that runner.
double median_ms(const Setting& setting, const char* file, int n, bool confined) {
    LiveJudge judge(setting,
                    confined ? std::vector<std::string>{} : std::vector<std::string>{"--no-sandbox"});
    RunRequest request = judge.request_for(setting.kernel(file), square(n));
    request.rounds = 5;
    return judge.ask(std::move(request)).result.median_ms.value();
}

Row compare_sandboxed(const Setting& setting, const char* file, int n) {
    std::vector<double> sandboxed_ms;
    std::vector<double> open_ms;
    std::mt19937 random(static_cast<unsigned>(n));
    const int rounds = setting.repetitions(30, 6);
    for (int round = 0; round < rounds; ++round) {
        const bool open_first = random() % 2 == 0;
        if (open_first) open_ms.push_back(median_ms(setting, file, n, false));
        sandboxed_ms.push_back(median_ms(setting, file, n, true));
        if (!open_first) open_ms.push_back(median_ms(setting, file, n, false));
    }
    const stats::Comparison comparison = stats::compare_paired(sandboxed_ms, open_ms).value();
    std::string measured = fmt::format("{:+.1f} %", (comparison.ratio - 1) * 100);
    if (comparison.interval) {
        const auto [low, high] = *comparison.interval;
        measured += fmt::format(" ({:+.1f} to {:+.1f})", (low - 1) * 100, (high - 1) * 100);
        if (high - low > 2 * kLargestSandboxDeviation) measured += ", too noisy to tell";
    }
    measured += fmt::format(", {:.3g} ms, n = {}", stats::median(open_ms), rounds);
    return {fmt::format("8. time with the sandbox against --no-sandbox, {} at {}", file, n), "within 2 %",
            measured, std::abs(comparison.ratio - 1) <= kLargestSandboxDeviation};
}

}  // namespace

std::vector<Row> measure_sandbox_start_up(const Setting& setting) {
    announce("starts of a runner with and without the sandbox");
    start_ms(setting, true);  // fills the page cache
    std::vector<double> extra_ms;
    std::vector<double> open_ms;
    for (int i = 0; i < setting.repetitions(40, 10); ++i) {
        const bool open_first = i % 2 == 0;
        if (open_first) open_ms.push_back(start_ms(setting, false));
        extra_ms.push_back(start_ms(setting, true));
        if (!open_first) open_ms.push_back(start_ms(setting, false));
        extra_ms.back() -= open_ms.back();
    }
    return {{"7. what the sandbox adds to a runner's start, up to its list of devices",
             fmt::format("{} ms", kLargestStartMs),
             fmt::format("{}; without it {:.3g} ms", describe(extra_ms, "ms"), stats::median(open_ms)),
             stats::median(extra_ms) <= kLargestStartMs}};
}

std::vector<Row> measure_sandboxed_times(const Setting& setting) {
    std::vector<Row> rows;
    for (const char* file : {"01_naive.cl", "02_tiled.cl"})
        for (const int n : {64, 256, 512}) {
            announce(fmt::format("times of {} at {} with and without the sandbox", file, n));
            rows.push_back(compare_sandboxed(setting, file, n));
        }
    return rows;
}

}  // namespace kwb::bench
