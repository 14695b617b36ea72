// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "base/error.hpp"
#include "catalog/kernel_file.hpp"
#include "parts.hpp"
#include "stats/interval.hpp"

namespace kwb::bench {

namespace {

std::string load_average() {
    double loads[3] = {};
    if (::getloadavg(loads, 3) != 3) return "unknown";
    return fmt::format("{:.2f} {:.2f} {:.2f}", loads[0], loads[1], loads[2]);
}

}  // namespace

std::string describe(std::span<const double> values, const char* unit) {
    std::string text = fmt::format("median {:.4g} {}", stats::median(values), unit);
    if (const auto interval = stats::median_interval(values))
        text += fmt::format(" ({:.4g} to {:.4g})", interval->low, interval->high);
    return text + fmt::format(", worst {:.4g}, n = {}", std::ranges::max(values), values.size());
}

void print_heading(const std::string& device, const std::string& host) {
    fmt::print("Measured {:%Y-%m-%d %H:%M} UTC\n\n* device: {}\n* host: {}, {} cores\n* load average: {}\n\n",
               fmt::gmtime(std::time(nullptr)), device, host, std::thread::hardware_concurrency(),
               load_average());
}

void print_rows(const std::vector<Row>& rows) {
    fmt::print("| goal | limit | measured | met? |\n|---|---|---|---|\n");
    for (const Row& row : rows)
        fmt::print("| {} | {} | {} | {} |\n", row.goal, row.limit, row.measured, row.met ? "yes" : "**no**");
    fmt::print("\nLoad average at the end: {}\n", load_average());
}

void announce(const std::string& what) {
    fmt::print(stderr, "bench: {}\n", what);
}

namespace {

JudgeCommand command_of(const Setting& setting, const std::vector<std::string>& options) {
    JudgeCommand command = {setting.judge().string()};
    command.insert(command.end(), options.begin(), options.end());
    return command;
}

}  // namespace

LiveJudge::LiveJudge(const Setting& setting, const std::vector<std::string>& options)
    : session_(command_of(setting, options), [this] {
          // The snapshot is already published: a waiter that checks after this sees it, one that checked
          // before is woken.
          const std::lock_guard lock(mutex_);
          changed_.notify_all();
      }) {}

std::shared_ptr<const Snapshot> LiveJudge::wait_for(std::uint64_t command) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<const Snapshot> snapshot;
    changed_.wait(lock, [&] {
        snapshot = session_.snapshot();
        return snapshot->answered >= command;
    });
    if (!snapshot->error.empty()) throw EnvironmentError(snapshot->error);
    return snapshot;
}

const DeviceInfo& LiveJudge::device() {
    if (!devices_) devices_ = wait_for(session_.list_devices())->devices;
    return choose_device(*devices_, std::nullopt);
}

RunRequest LiveJudge::request_for(const std::filesystem::path& file, const Sizes& sizes) {
    OpenedExperiment experiment;
    experiment.contestants = {open_kernel_file(file, file.stem().string())};
    experiment.rounds = 1;
    return make_request(experiment, common_problem(experiment.contestants), sizes, device());
}

LiveJudge::Answer LiveJudge::ask(RunRequest request) {
    const auto start = std::chrono::steady_clock::now();
    const auto snapshot = wait_for(session_.ask(std::move(request)));
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    const KernelResult& result = snapshot->results.at(0);
    if (result.verdict != Verdict::Correct)
        throw EnvironmentError(result.kernel + " is " + std::string(to_string(result.verdict)) + ": " +
                               result.reason);
    return {wall.count(), result, snapshot->environment};
}

Sizes square(std::int64_t n) {
    return {{"M", n}, {"N", n}, {"K", n}};
}

}  // namespace kwb::bench
