// SPDX-License-Identifier: Apache-2.0
#include "task/slurm_allocation.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

constexpr unsigned kMostTasks = 1000;

/// Longest time for salloc to release the allocation.
constexpr double kReleaseTimeoutMs = 5000;

/// Not SIGTERM: if its command ends at that moment, salloc 22.05 revokes the allocation but may run forever.
constexpr int kEndSignal = SIGHUP;

constexpr std::size_t kMostSaid = std::size_t{1} << 16;

/// Printed by the command that salloc runs, before the number of the job.
constexpr std::string_view kGranted = "kwb-allocation ";

/// "PARTITION" and TASKS. @throws BadInput
std::pair<std::string, unsigned> parse_wanted(const std::string& word) {
    const std::size_t colon = word.rfind(':');
    const std::string partition =
        colon > kSlurmScheme.size() ? word.substr(kSlurmScheme.size(), colon - kSlurmScheme.size()) : "";
    unsigned tasks = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + colon + 1, end, tasks);
    if (partition.empty() || error != std::errc{} || stop != end || tasks < 1 || tasks > kMostTasks)
        throw BadInput(
            fmt::format("--on {}: give slurm:PARTITION:TASKS with 1 to {} tasks, as in slurm:gpu:8; "
                        "options for Slurm may follow, as in \"slurm:gpu:8 --gpus-per-task=1 -c 4\"",
                        word, kMostTasks));
    return {partition, tasks};
}

}  // namespace

bool is_allocation(const JudgePlace& place) {
    return place.command.front().starts_with(kSlurmScheme);
}

SlurmAllocation::SlurmAllocation(const JudgePlace& wanted)
    : wanted_(wanted), said_(::memfd_create("salloc", MFD_CLOEXEC)) {
    if (!said_) throw_errno("memfd_create");
    const auto [partition, count] = parse_wanted(wanted.command.front());
    count_ = count;
    ChildOptions options;
    // To a file, because salloc runs forever if it cannot write its last words into a closed pipe.
    options.command = {"sh", "-c", fmt::format("exec 2>&{0} {0}>&-; exec salloc \"$@\"", kKeptFd), "sh"};
    const auto add = [&](const JudgeCommand& words) {
        options.command.insert(options.command.end(), words.begin(), words.end());
    };
    add({"--job-name=kwb", "--no-kill", "-p", partition, "-n", std::to_string(count)});
    add({wanted.command.begin() + 1, wanted.command.end()});
    add({"sh", "-c", fmt::format("echo \"{}$SLURM_JOB_ID\" >&2; exec cat", kGranted)});
    options.keep_fd = said_.get();
    options.death_signal = kEndSignal;
    salloc_ = Child::spawn(options);
}

SlurmAllocation::~SlurmAllocation() {
    salloc_->channel().close_write();
    salloc_->signal(kEndSignal);  // while it waits in the queue, salloc does not read its input
    salloc_->wait(deadline_after_ms(kReleaseTimeoutMs));
}

std::string SlurmAllocation::said() const {
    std::string text(kMostSaid, '\0');
    const ssize_t n = ::pread(said_.get(), text.data(), text.size(), 0);
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return to_utf8(text);
}

std::string SlurmAllocation::last_line() const {
    const std::vector<std::string> lines = split_lines(said());
    return lines.empty() ? "" : lines.back();
}

std::optional<std::vector<JudgePlace>> SlurmAllocation::tasks() {
    if (const std::optional<ExitStatus> end = salloc_->wait(Clock::now()))
        throw EnvironmentError(
            fmt::format("{} was refused ({}): {}", wanted_.name, end->describe(), last_line()));
    const std::string said = this->said();
    const std::size_t granted = said.find(kGranted);
    const std::size_t line_end = granted == std::string::npos ? granted : said.find('\n', granted);
    if (line_end == std::string::npos) return std::nullopt;
    const std::string job = said.substr(granted + kGranted.size(), line_end - granted - kGranted.size());
    std::vector<JudgePlace> tasks;
    for (unsigned i = 1; i <= count_; ++i) {
        JudgePlace& task = tasks.emplace_back(wanted_);
        task.name += fmt::format(" #{}", i);
        task.command = {"srun", "--jobid=" + job, "-N", "1", "-n", "1", "--exact"};
        task.command.insert(task.command.end(), wanted_.command.begin() + 1, wanted_.command.end());
        task.command.push_back(local_judge());
    }
    return tasks;
}

}  // namespace kwb
