// SPDX-License-Identifier: Apache-2.0
#include "support/judge_client.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "ipc/channel.hpp"
#include "support/patience.hpp"
#include "support/process.hpp"

namespace kwb::test {
namespace {

Child start(const JudgeOptions& options) {
    ::signal(SIGPIPE, SIG_IGN);
    ChildOptions child;
    child.command = {options.program};
    if (!options.runner.empty()) child.command.insert(child.command.end(), {"--runner", options.runner});
    if (!options.xray.empty()) child.command.insert(child.command.end(), {"--xray", options.xray});
    if (!options.sandbox) child.command.push_back("--no-sandbox");
    child.environment = options.environment;
    return Child::spawn(child);
}

Message next_message(Child& child) {
    const Deadline deadline = deadline_after_ms(kPatienceMs);
    for (;;) {
        if (auto message = child.channel().take()) return std::move(*message);
        if (child.channel().closed()) throw std::runtime_error("the judge has ended");
        pollfd ready{child.channel().read_fd(), POLLIN, 0};
        if (::poll(&ready, 1, poll_timeout_ms(deadline)) == 0)
            throw std::runtime_error("the judge says nothing");
        child.channel().read_available();
    }
}

}  // namespace

JudgeClient::JudgeClient(const JudgeOptions& options) : child(start(options)) {
    require_hello(next_message(child), "kwb-judge");
}

JudgeEvent JudgeClient::next_event() {
    return judge_event_from(next_message(child));
}

JudgeAnswer JudgeClient::finish() {
    JudgeAnswer answer;
    for (;;) {
        JudgeEvent event = next_event();
        if (auto* progress = std::get_if<Progress>(&event)) {
            answer.progress.push_back(std::move(*progress));
        } else if (auto* output = std::get_if<OutputEvent>(&event)) {
            answer.outputs.push_back(std::move(*output));
        } else if (auto* result = std::get_if<ResultEvent>(&event)) {
            if (!result->is_final) {
                answer.partial_results.push_back(std::move(*result));
                continue;
            }
            if (result->index != answer.results.size()) throw std::runtime_error("results out of order");
            answer.results.push_back(std::move(result->result));
        } else if (auto* devices = std::get_if<DeviceList>(&event)) {
            answer.devices = std::move(*devices);
            if (answer.devices->is_whole) return answer;
        } else if (auto* done = std::get_if<DoneEvent>(&event)) {
            answer.done = std::move(*done);
            return answer;
        } else {
            answer.error = std::get<ErrorEvent>(event).message;
            return answer;
        }
    }
}

JudgeAnswer JudgeClient::ask(const JudgeRequest& request) {
    send(request);
    return finish();
}

KernelResult JudgeClient::result_of(const RunRequest& request) {
    JudgeAnswer answer = ask(request);
    if (answer.error) throw std::runtime_error(*answer.error);
    return answer.results.at(0);
}

ExitStatus JudgeClient::close() {
    child.channel().close_write();
    const auto status = child.wait(deadline_after_ms(kPatienceMs));
    if (!status) throw std::runtime_error("the judge runs on without a face");
    return *status;
}

bool wait_for_end(pid_t pid) {
    const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!process) return true;
    pollfd ended{process.get(), POLLIN, 0};
    return ::poll(&ended, 1, kPatienceMs) == 1;
}

bool has_children(pid_t pid) {
    return std::ranges::any_of(list_processes(),
                               [pid](const ListedProcess& process) { return process.parent == pid; });
}

std::size_t open_descriptors(pid_t pid) {
    const std::filesystem::directory_iterator entries("/proc/" + std::to_string(pid) + "/fd");
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

}  // namespace kwb::test
